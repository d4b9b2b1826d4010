"""What was released: a record beside the runbooks, of which check stood in which version, that reaches every copy."""

import re
from collections.abc import Iterable
from pathlib import Path

import msgspec
from msgspec import Struct

from runbook.evidence.named_file import write_named
from runbook.formats.release_numbers import numbers
from runbook.model.errors import UsageError
from runbook.parse.runbook import Runbook

RECORD = "releases.json"
"""The file's name, in the folder of the runbooks."""

_VERSION = re.compile(r"(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}")  # as of a runbook: three numbers


class Released(Struct, frozen=True, omit_defaults=True):
    """One runbook as it was released.

    Attributes:
        version: of the runbook.
        checks: id → digest of what decides its verdict.
        name: of the release, as people say it; not part of the record.
    """

    version: str
    checks: dict[str, str]
    name: str = ""


class _Record(Struct, frozen=True):
    """The file: release → runbook → what it was."""

    releases: dict[str, dict[str, Released]]


def released_as(name: str, book: Runbook) -> Released:
    """A runbook as the release of this name has it; of one that extends another, what stands in its own file."""
    own = book.own or book
    checks = {placed.block.id: placed.digest() for placed in own.checks()}
    checks |= {change.id: change.digest() for change in own.amendments}
    return Released(own.front.version, checks, name)


def recorded(book: Runbook) -> Released | None:
    """The runbook as its folder's newest record has it; None where there is no record, or it was not there yet.

    Raises:
        UsageError: there is a record that can't be read.
    """
    releases = _read(Path(book.path).parent / RECORD).releases
    for release in sorted(releases, key=numbers, reverse=True):
        if (found := releases[release].get(book.name)) is not None:
            return msgspec.structs.replace(found, name=f"release {release}")
    return None


def record(books: Iterable[Runbook], release: str) -> list[Path]:
    """Write down these runbooks as released; gives the files, one a folder.

    Raises:
        UsageError: the release is no version, stands there already, or is older than one that does; or a file can't be
            read or written.
    """
    if not _VERSION.fullmatch(release):
        raise UsageError(f'--release {release}: write a version of three numbers, as in "1.0.0"')
    folders: dict[Path, dict[str, Released]] = {}
    for book in books:
        folders.setdefault(Path(book.path).parent, {})[book.name] = released_as("", book)
    written = {folder / RECORD: _with(folder / RECORD, release, found) for folder, found in folders.items()}
    for file, text in written.items():
        try:
            write_named(file, text)
        except OSError as error:
            raise UsageError(f"{file} can't be written: {error.strerror}") from error
    return list(written)


def _with(file: Path, release: str, found: dict[str, Released]) -> bytes:
    releases = _read(file).releases
    newest = max(releases, key=numbers, default="")
    if newest and numbers(release) <= numbers(newest):
        raise UsageError(f"{file} has release {newest}; what was released stays as it was: give a newer version")
    whole = _Record({**releases, release: dict(sorted(found.items()))})
    return msgspec.json.format(msgspec.json.encode(whole)) + b"\n"


def _read(file: Path) -> _Record:
    try:
        found = msgspec.json.decode(file.read_bytes(), type=_Record)
    except FileNotFoundError:
        return _Record({})
    except (OSError, msgspec.MsgspecError) as error:
        raise UsageError(f"{file} is no record of releases: {error}; take it as Git has it") from error
    if wrong := [name for name in found.releases if not _VERSION.fullmatch(name)]:
        raise UsageError(f"{file} is no record of releases: {wrong[0]} is no version; take it as Git has it")
    return found
