"""What was expected, on a day: which environments with which runbooks, and the checks of those.

    STORE/expected/YYYY-MM-DD/ID.json

One JSON document, never changed afterwards. `sha256` is over the canonical JSON of the others of its fields, so that a
changed byte is noticed. The scorecard takes from it what is missing: an environment that never sent anything, too.
"""

import hashlib
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from runbook.model.errors import UsageError
from runbook.model.moment import is_moment
from runbook.model.run import Expected, run_id
from runbook.safety.sanitize import sanitize

VERSION = 1
"""Of a snapshot's file. Raised when a reader of the version before would misread it; new fields alone do not."""


Name = Annotated[str, Meta(min_length=1)]


class MalformedSnapshot(UsageError):  # noqa: N818 - says what the file is
    """A file that should be a snapshot is none, or not as it was written; the message says why."""


class Snapshot(Struct, frozen=True):
    """What was expected from a moment on, until the next snapshot.

    Attributes:
        at: RFC 3339 UTC.
        tool_version: of this package.
        environments: environment -> the names of its runbooks.
        checks: every check of those runbooks.
    """

    at: str
    tool_version: str
    environments: dict[Name, list[Name]]
    checks: list[Expected]


class Changes(Struct, frozen=True):
    """What is expected now and was not, and the other way round; in order.

    Attributes:
        added, retired: environments, each with a runbook.
        added_checks, retired_checks, redefined_checks: global names.
    """

    added: list[tuple[str, str]]
    retired: list[tuple[str, str]]
    added_checks: list[str]
    retired_checks: list[str]
    redefined_checks: list[str]

    @property
    def any(self) -> bool:
        """Whether anything changed."""
        return any(getattr(self, name) for name in self.__struct_fields__)


def snapshot_path(snapshot: Snapshot) -> str:
    """A place for a snapshot in a store; its name sorts by time and is given only once."""
    return f"expected/{snapshot.at[:10]}/{run_id(snapshot.at)}.json"


def write_snapshot(snapshot: Snapshot) -> bytes:
    """The content of its file."""
    record = {"kind": "expected", "version": VERSION} | msgspec.to_builtins(snapshot)
    return msgspec.json.encode(record | {"sha256": _digest(record)}, order="deterministic") + b"\n"


def read_snapshot(content: bytes) -> Snapshot:
    """Read the content of a snapshot's file.

    Raises:
        MalformedSnapshot: it is none, of a later version, or not as it was written.
    """
    try:
        record = msgspec.json.decode(content, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise MalformedSnapshot(f"it is no JSON object: {sanitize(str(error))}") from error
    kind, version = record.get("kind"), record.get("version")
    if kind != "expected" or not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise MalformedSnapshot("it is no snapshot of what is expected: kind or version is another")
    if version > VERSION:
        raise MalformedSnapshot(f"it is of format {version}, and this tool reads up to {VERSION}: update the tool")
    if _as_written(record) != content:
        raise MalformedSnapshot("it is not what was written there: changed after it was written")
    try:
        snapshot = msgspec.convert(record, Snapshot)
    except msgspec.ValidationError as error:
        raise MalformedSnapshot(f"it does not say what is expected: {sanitize(str(error))}") from error
    if not is_moment(snapshot.at):
        raise MalformedSnapshot(f"at is {sanitize(snapshot.at)}, which is no UTC time")
    return snapshot


def changes(before: Snapshot | None, now: Snapshot) -> Changes:
    """What changed from one snapshot to the next; without one before, all is added."""
    earlier = before.environments if before else {}
    old = {check.check: check.check_digest for check in before.checks} if before else {}
    new = {check.check: check.check_digest for check in now.checks}
    was = {(name, book) for name, books in earlier.items() for book in books}
    is_ = {(name, book) for name, books in now.environments.items() for book in books}
    return Changes(
        added=sorted(is_ - was),
        retired=sorted(was - is_),
        added_checks=sorted(new.keys() - old.keys()),
        retired_checks=sorted(old.keys() - new.keys()),
        redefined_checks=sorted(name for name in new.keys() & old.keys() if new[name] != old[name]),
    )


def _digest(record: dict[str, Any]) -> str:
    return hashlib.sha256(msgspec.json.encode(record, order="deterministic")).hexdigest()


def _as_written(record: dict[str, Any]) -> bytes:
    bare = {name: value for name, value in record.items() if name != "sha256"}
    return msgspec.json.encode(bare | {"sha256": _digest(bare)}, order="deterministic") + b"\n"
