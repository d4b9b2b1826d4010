"""Read the facts of earlier looks from the folder of results, where the inventory keeps facts."""

from collections.abc import Sequence
from pathlib import Path

from runbook.connections._local_files import content, from_os, regular
from runbook.evidence.bundle import Bundle
from runbook.evidence.kept_facts import moment_of, unpacked
from runbook.evidence.store_layout import FACTS
from runbook.model.errors import Garbled, UsageError
from runbook.model.probe import Deadline
from runbook.recording.question import question

_SETTING = "records"  # what the inventory calls this connection
_SCHEDULED = "Z*.json.gz"
_OF_INCIDENT = ".incident.json.gz"
LARGEST = 1 << 28
"""Bytes of a packed file of facts; our judgement: of 200,000 partitions they take a tenth of it."""


def scheduled_looks(results: Path, environment: str, clock: Deadline) -> dict[float, str]:
    """When each scheduled look began whose facts are kept, in seconds since 1970, and its file, the oldest first.

    Raises:
        CannotLook: the folder can't be listed.
    """
    files = _facts_in(results / FACTS / environment, clock)
    return {moment_of(file).timestamp(): file for file in sorted(files) if not file.endswith(_OF_INCIDENT)}


def look_in(file: str, environment: str, clock: Deadline) -> Bundle:
    """The facts that were kept in a file.

    Raises:
        CannotLook: it can't be read, is not as it was written, or is of another environment.
    """
    path = Path(file)
    if regular(path, _SETTING, clock).size > LARGEST:
        raise Garbled(f"{path} is larger than {LARGEST:,} bytes: no file of facts is")
    try:
        bundle = unpacked(content(path, _SETTING, clock), file)
    except UsageError as error:
        raise Garbled(str(error)) from None
    if [*bundle.environments] != [environment]:
        raise Garbled(f"{file} holds facts of another environment")
    return bundle


@question("kept looks")
def _facts_in(folder: Path, clock: Deadline) -> Sequence[str]:  # noqa: ARG001 - the clock has the tape
    """The files of facts in the folders of an environment's days; none where nothing was ever kept."""
    try:
        return [str(file) for file in folder.glob(f"*/[0-9]*{_SCHEDULED}")]
    except OSError as error:
        raise from_os(error, folder, _SETTING) from None
