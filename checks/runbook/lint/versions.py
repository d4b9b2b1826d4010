"""Mistakes in what a runbook says of its versions: in its front matter, and against what was released."""

import datetime as dt
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from runbook import git
from runbook.formats.release_numbers import numbers
from runbook.lint.releases import Released, recorded, released_as
from runbook.model.errors import Invalid, Problem, UsageError
from runbook.parse.block_digest import digest_of_change
from runbook.parse.runbook import LocatedBlock, Runbook, parse_runbook

_PATIENCE = 20  # seconds for one Git command, which reads a local disk
_UNCHANGED = digest_of_change({})


def front_matter_mistakes(book: Runbook) -> Iterator[Problem]:
    """Yield what is wrong between `version` and `changes`: the newest entry stands first and is the version."""
    book = book.own or book
    document = book.head.whole()
    changes = book.front.changes
    if changes[0].version != book.front.version:
        newest = max(changes, key=lambda change: numbers(change.version)).version
        remedy = "the newest entry of changes: stands first, and version: is the same"
        message = f"version is {book.front.version}, the first of changes {changes[0].version}, the newest {newest}"
        yield Problem(document.place(("version",)), message, remedy)
    for i, (newer, older) in enumerate(pairwise(changes), 1):
        if numbers(newer.version) <= numbers(older.version):
            message = f"{older.version} stands below {newer.version}"
            yield Problem(document.place(("changes", i, "version")), message, "order changes: by version, newest first")
        if newer.date < older.date:
            message = f"{older.version} of {older.date} is younger than {newer.version} of {newer.date}"
            yield Problem(document.place(("changes", i, "date")), message, "order changes: by date, newest first")
    for i, change in enumerate(changes):
        try:
            dt.date.fromisoformat(change.date)
        except ValueError:
            yield Problem(document.place(("changes", i, "date")), f"{change.date} is no date", "write it as 2026-12-31")


def unversioned_changes(book: Runbook, since: str) -> Iterator[Problem]:
    """Yield each check whose verdict may differ from the one released under the same version.

    Released is what `since` names; else what the folder's newest record says (`lint/releases.py`), which reaches every
    copy; else what Git's last tag holds. Without any, or where the runbook was not there yet, nothing is compared.

    Raises:
        UsageError: `since` is given, and there is no such tag or commit; or the record of releases can't be read.
    """
    released = (None if since else recorded(book)) or _tagged(book, since)
    own = book.own or book
    if released is None or numbers(own.front.version) > numbers(released.version):
        return
    for placed in book.checks():
        came = placed.amended or placed
        if came.document.lost:
            continue  # what it is to be is not known yet
        now = _of_file(placed, own)
        unless = now if placed in own.parts else _UNCHANGED
        ids = [placed.block.id, *(old.rpartition("/")[2] for old in placed.old_names)]
        if next((released.checks[name] for name in ids if name in released.checks), unless) != now:
            message = f"{placed.name} is another check than in {released.name}, under the same version"
            place = came.document.place(("id",))
            yield Problem(place, f"{message} {own.front.version}", "raise version: and add an entry to changes:")


def _of_file(placed: LocatedBlock, own: Runbook) -> str:
    """The digest of what a file says of a check: of its own, of its amendment, or of none."""
    if placed in own.parts:
        return placed.digest()
    return placed.amended.digest() if placed.amended else _UNCHANGED


def _tagged(book: Runbook, since: str) -> Released | None:
    path = Path(book.path).resolve()
    try:
        git.ask(path.parent, "--version", patience=_PATIENCE)
    except git.NoAnswer as reason:
        if since:
            raise UsageError(f"--since compares with Git: {reason}") from reason
        return None
    revision = f"{since}^{{commit}}"
    if since and not _git_output(path.parent, "rev-parse", "--verify", "--quiet", "--end-of-options", revision):
        raise UsageError(f"--since {since}: the Git checkout of {book.path} has no such tag or commit; see git tag")
    tag = since or _git_output(path.parent, "describe", "--tags", "--abbrev=0").strip()
    text = _git_output(path.parent, "cat-file", "blob", f"{tag}:./{path.name}") if tag else ""
    try:
        return released_as(tag, parse_runbook(text, book.name, f"{tag}:{book.path}")) if text else None
    except Invalid:
        return None  # it was no runbook then, or of a form that is read no more


def _git_output(folder: Path, *arguments: str) -> str:
    """The output of a Git command; nothing if it fails."""
    try:
        return git.ask(folder, *arguments, patience=_PATIENCE).decode(errors="replace")
    except git.NoAnswer:
        return ""
