"""Where a store keeps what, and whether a file is what its place says: whole, unchanged, under its own name."""

import re
import stat
from typing import Final

import msgspec
from msgspec import Struct

from runbook.evidence.chain import ChainFault, first_fault
from runbook.evidence.reading import examine
from runbook.evidence.snapshot import MalformedSnapshot, read_snapshot
from runbook.model.link import ENVIRONMENT_NAME
from runbook.model.run import VERSION

RUNS: Final = "runs"
EXPECTED: Final = "expected"
FACTS: Final = "facts"

_RUN: Final = r"(?P<run>\d{8}T\d{6}Z-[0-9A-Za-z][0-9A-Za-z-]{0,62})"
_DATE: Final = r"(?P<date>\d{4}-\d\d-\d\d)"
_ENVIRONMENT: Final = ENVIRONMENT_NAME.strip("^$")
_RUN_FILE: Final = re.compile(rf"{RUNS}/(?P<environment>{_ENVIRONMENT})/{_DATE}/{_RUN}\.jsonl")
_SNAPSHOT_FILE: Final = re.compile(rf"{EXPECTED}/{_DATE}/{_RUN}\.json")
_FACTS_FILE: Final = re.compile(rf"{FACTS}/(?P<environment>{_ENVIRONMENT})/{_DATE}/{_RUN}(\.incident)?\.json\.gz")
_LONGEST_NAME: Final = 63  # of an environment, as in the inventory


class _Versioned(Struct):
    version: int = 0


def is_evidence(path: str) -> bool:
    """Whether something at this place of a store is meant to be read; what a writer left half done is not."""
    return (path.startswith(f"{RUNS}/") and path.endswith(".jsonl")) or (
        path.startswith(f"{EXPECTED}/") and path.endswith(".json")
    )


def strange(mode: int) -> str:
    """Why nothing is read where a file of evidence should be, given its mode (`st_mode`); "" if it is a file."""
    if stat.S_ISREG(mode):
        return ""
    if stat.S_ISLNK(mode):
        return "a link, which no run leaves, and which is not followed: it could lead to any file"
    kind = next((word for is_one, word in _STRANGE if is_one(mode)), "something strange")
    return f"{kind}, which no run leaves: not read"


_STRANGE: Final = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a disk"),
)


def misplaced(path: str) -> str:
    """Why nothing of a store can stand at this place, or ""; no path that passes leads out of the store."""
    found = next(filter(None, (form.fullmatch(path) for form in (_RUN_FILE, _SNAPSHOT_FILE, _FACTS_FILE))), None)
    if found is None:
        return f"no run or snapshot of ours is filed as {path!r}"
    if len(found.groupdict().get("environment", "")) > _LONGEST_NAME:
        return f"no environment has a name of more than {_LONGEST_NAME} characters"
    if found["date"].replace("-", "") != found["run"][:8]:
        return f"it is filed under {found['date']}, and its name says {found['run'][:8]}"
    return ""


def fault_of(path: str, content: bytes) -> ChainFault | None:
    """Say what is wrong with a file of a store; None if it is as it was written, where it was written."""
    if reason := misplaced(path):
        return ChainFault(0, reason)
    if path.startswith(f"{EXPECTED}/"):
        return _fault_of_snapshot(path, content)
    return first_fault(content) or _fault_of_run(path, content)


def _fault_of_snapshot(path: str, content: bytes) -> ChainFault | None:
    try:
        snapshot = read_snapshot(content)
    except MalformedSnapshot as error:
        return ChainFault(0, str(error))
    if snapshot.at[:10] != path.split("/")[1]:
        return ChainFault(0, f"it is of {snapshot.at}, and filed under another date")
    return None


def _fault_of_run(path: str, content: bytes) -> ChainFault | None:
    if _version(content) > VERSION:
        return None  # the chain is all that can be judged of what a newer release wrote
    for line in examine(content, path):
        if line.reason:
            return ChainFault(line.number, line.reason)
    return None


def _version(content: bytes) -> int:
    try:
        return msgspec.json.decode(content.partition(b"\n")[0], type=_Versioned).version
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return 0
