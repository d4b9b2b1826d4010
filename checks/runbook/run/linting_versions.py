"""Mistakes in what a runbook says of its versions: in its front matter, and against what was released."""

import datetime as dt
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt
from mdit_py_plugins.front_matter import front_matter_plugin

from runbook import git
from runbook.model.errors import Invalid, Problem, UsageError
from runbook.parse.runbook import Runbook, parse_runbook, read_text
from runbook.parse.yaml_document import Document, read_yaml

_PATIENCE = 20  # seconds for one Git command, which reads a local disk


def front_matter_mistakes(book: Runbook) -> Iterator[Problem]:
    """Yield what is wrong between `version` and `changes`: the newest entry stands first and is the version."""
    document = _front_matter(book)
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


def _front_matter(book: Runbook) -> Document:
    tokens = MarkdownIt("commonmark").use(front_matter_plugin).parse(read_text(Path(book.path), book.path))
    return read_yaml(tokens[0].content, book.path, line=2)


def numbers(version: str) -> tuple[int, ...]:
    """A semantic version as something that can be compared."""
    return tuple(int(part) for part in version.split("."))


def unversioned_changes(book: Runbook, since: str) -> Iterator[Problem]:
    """Yield each check whose verdict may differ from the one released under the same version.

    Without Git, outside a checkout, before the first tag, or where the runbook was not there yet, there is nothing to
    compare with.

    Raises:
        UsageError: `since` is given, and there is no such tag or commit.
    """
    released = _released(book, since)
    if released is None or numbers(book.front.version) > numbers(released[1].front.version):
        return
    tag, old = released
    digests = {placed.block.id: placed.digest() for placed in old.checks()}
    for placed in book.checks():
        if digests.get(placed.block.id, placed.digest()) != placed.digest():
            message = f"{placed.name} is another check than in {tag}, under the same version {book.front.version}"
            yield Problem(placed.document.place(("id",)), message, "raise version: and add an entry to changes:")


def _released(book: Runbook, since: str) -> tuple[str, Runbook] | None:
    path = Path(book.path).resolve()
    try:
        git.ask(path.parent, "--version", patience=_PATIENCE)
    except git.NoAnswer as reason:
        if since:
            raise UsageError(f"--since compares with Git: {reason}") from reason
        return None
    revision = f"{since}^{{commit}}"
    if since and not _told(path.parent, "rev-parse", "--verify", "--quiet", "--end-of-options", revision):
        raise UsageError(f"--since {since}: the Git checkout of {book.path} has no such tag or commit; see git tag")
    tag = since or _told(path.parent, "describe", "--tags", "--abbrev=0").strip()
    text = _told(path.parent, "cat-file", "blob", f"{tag}:./{path.name}") if tag else ""
    try:
        return (tag, parse_runbook(text, book.name, f"{tag}:{book.path}")) if text else None
    except Invalid:
        return None  # it was no runbook then, or of a form that is read no more


def _told(folder: Path, *arguments: str) -> str:
    """The output of a Git command; nothing if it fails."""
    try:
        return git.ask(folder, *arguments, patience=_PATIENCE).decode(errors="replace")
    except git.NoAnswer:
        return ""
