"""Schemas that are to be registered: the inventory's setting `proposals`, and the files it names.

A proposal has `subject`, `path`, `type` (AVRO unless said) and `references` (name -> subject and version, as in a/1).
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from runbook.connections.schema_registry.answers import DEFAULT_TYPE
from runbook.model.errors import Misconfigured, did_you_mean
from runbook.model.probe import Deadline
from runbook.recording.question import question

PROPOSALS: Final = "proposals"

_NAMES = ("subject", "path", "type", "references")
_LARGEST = 1 << 20  # bytes; our judgement
_EXAMPLE = "as in [{subject: orders-value, path: schemas/orders.avsc}]"


class Proposal(Struct, frozen=True):
    """A schema in a file, and the subject for which it is meant.

    Attributes:
        subject: its subject.
        path: of its file, as the inventory has it.
        type: AVRO, JSON or PROTOBUF.
        references: name in the text -> subject and version.
    """

    subject: str
    path: str
    type: str
    references: dict[str, str]

    def body(self, clock: Deadline) -> dict[str, Any]:
        """What a registry is shown.

        Raises:
            Misconfigured: the file can't be read.
        """
        file = Path(self.path).expanduser()
        try:
            text = _beginning(file, clock)
            if len(text) > _LARGEST:
                raise Misconfigured(f"{self.path} is larger than {_LARGEST >> 20} MB, which no schema is")
            schema = text.decode()
        except (OSError, UnicodeDecodeError) as error:
            raise Misconfigured(
                f"{self.path} can't be read: {getattr(error, 'strerror', '') or 'it is no UTF-8'}"
            ) from error
        listed = [(name, *where.rpartition("/")[::2]) for name, where in self.references.items()]
        references = [{"name": name, "subject": subject, "version": int(version)} for name, subject, version in listed]
        return {"schema": schema, "schemaType": self.type, "references": references}


@question("proposal")
def _beginning(file: Path, clock: Deadline) -> bytes:  # noqa: ARG001 - the clock has the tape
    with file.open("rb") as opened:
        return opened.read(_LARGEST + 1)


def read_proposals(given: Any) -> list[Proposal]:
    """Read the setting.

    Raises:
        Misconfigured: it can't be used; the message says what to write instead.
    """
    if given is None:
        return []
    if not isinstance(given, list) or not all(isinstance(entry, Mapping) for entry in given):
        raise Misconfigured(f"{PROPOSALS} of schema_registry must be a list, {_EXAMPLE}")
    return [_read(entry) for entry in given]


def _read(given: Mapping[str, Any]) -> Proposal:
    for name in given:
        if name not in _NAMES:
            raise Misconfigured(f'{PROPOSALS} has no "{name}": {did_you_mean(str(name), [*_NAMES])}')
    if not given.get("subject") or not given.get("path"):
        raise Misconfigured(f"each of {PROPOSALS} needs `subject` and `path`, {_EXAMPLE}")
    references = given.get("references") or {}
    if not isinstance(references, Mapping) or not all(_is_version(where) for where in references.values()):
        raise Misconfigured(
            f"references of {given['subject']} must map names to a subject and version, as in {{Item: item-value/1}}"
        )
    return Proposal(
        str(given["subject"]),
        str(given["path"]),
        str(given.get("type", DEFAULT_TYPE)),
        {str(name): str(where) for name, where in references.items()},
    )


def _is_version(where: Any) -> bool:
    subject, _, version = str(where).rpartition("/")
    return bool(subject) and version.isdecimal()
