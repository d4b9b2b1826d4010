"""Whether the finished tables are those that the job would make again, so that there is nothing to do.

The job is a function of the files of a store, of what was asked, and of its own code; no clock is among them. What it
was given is noted beside the tables. Files are compared by name, length and time of change: the job itself tells what
is new by less, their names and lengths. The tables are compared by what is in them.
"""

import hashlib
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path

import msgspec
from msgspec import Struct

from runbook.scorecard.request import Order

NOTE = ".made-of.json"
"""The file beside the tables."""

_ROOMS = ("scorecard", "safety", "model", "plugins", "parse", "judge", "evidence")
_CODE = Path(__file__).parents[1]
_LIBRARIES = ("pyspark", "pyarrow", "msgspec")


class MadeOf(Struct, frozen=True):
    """What the tables depend on.

    Attributes:
        asked: the weeks to show, and the moment.
        code: a digest of the code that makes them, and the versions of the libraries that it calls.
        evidence: a digest of the store's runs, and of what it says is expected.
    """

    asked: tuple[int, str | None]
    code: str
    evidence: str


class _Note(Struct, frozen=True):
    """What was given; a digest of the compacted weeks; each finished file and a digest of what is in it."""

    given: MadeOf
    weeks: str
    made: dict[str, str]


def given(order: Order, code: Path = _CODE) -> MadeOf | None:
    """Look at all that the job is given; None where that can't be done without Spark."""
    if not _is_near(order):
        return None
    sources = (file for room in _ROOMS for file in sorted(code.joinpath(room).rglob("*.py")))
    said = [f"{library} {version(library)}" for library in _LIBRARIES]
    said += [f"{file.relative_to(code)} {hashlib.sha256(file.read_bytes()).hexdigest()}" for file in sources]
    said += [f"{old} is called {now}" for old, now in sorted(order.old_names.items())]
    store = Path(order.store)
    return MadeOf((order.weeks, order.as_of), _digest(said), _digest(_listed(store, "runs", "expected")))


def are_made(order: Order, now: MadeOf | None) -> bool:
    """Whether the finished tables are those that would be made of what is given now."""
    try:
        note = msgspec.json.decode((order.out / NOTE).read_bytes(), type=_Note)
        return note.given == now and note.weeks == _weeks(order) and note.made == _made(order.out, note.made)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False


def note(order: Order, before: MadeOf | None, names: Iterable[str]) -> None:
    """Note what the tables were made of.

    Args:
        order: what was asked.
        before: what was given before anything was read: what came since is not in them.
        names: of the finished files.
    """
    if before is not None:
        content = _Note(before, _weeks(order), _made(order.out, names))
        (order.out / NOTE).write_bytes(msgspec.json.encode(content, order="deterministic") + b"\n")


def _is_near(order: Order) -> bool:
    return not any("://" in where for where in (order.store, order.weeks_dir or ""))


def _weeks(order: Order) -> str:
    folder = Path(order.weeks_dir) if order.weeks_dir else Path(order.store, "weeks")
    return _digest(_listed(folder.parent, folder.name))


def _made(out: Path, names: Iterable[str]) -> dict[str, str]:
    return {name: hashlib.sha256((out / name).read_bytes()).hexdigest() for name in sorted(names)}


def _listed(root: Path, *folders: str) -> Iterator[str]:
    for folder in folders:
        for file in sorted(root.joinpath(folder).rglob("*")):
            if file.is_file():
                about = file.stat()
                yield f"{file.relative_to(root)} {about.st_size} {about.st_mtime_ns}"


def _digest(lines: Iterable[str]) -> str:
    digest = hashlib.sha256()
    for line in lines:
        digest.update(line.encode(errors="surrogateescape") + b"\n")
    return digest.hexdigest()
