"""Names of blocks in remedies, steps and prose, as `ha#rolling-restart`, that lead nowhere."""

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

from runbook.lint.neighbours import Neighbour
from runbook.model.errors import FilePosition, Problem, did_you_mean
from runbook.parse.runbook import Prose, Runbook
from runbook.parse.yaml_document import Document
from runbook.parse.yaml_document import Path as Field
from runbook.run.sources import every_name

_NAMED: Final = re.compile(
    r"(?P<command>\brunbook(?: [a-z-]+)+ )?(?<![\w/.#(-])(?P<runbook>[a-z][a-z0-9-]*)(?P<file>\.md)?"
    r"(?:#(?P<block>[a-z0-9]+(?:-[a-z0-9]+)*)(?![\w-]))?"
)


def lost_mentions(book: Runbook, unread: list[str], neighbour: Neighbour) -> Iterator[Problem]:
    """Yield a problem for each name of a runbook, or of a block of one, that there is not.

    A word is taken for one where it stands in a command of this tool, or before `#` where a runbook is called so.

    Args:
        book: the runbook; of one that extends another, what stands in the file is looked at.
        unread: ids of its blocks that can't be read: they are there.
        neighbour: the runbook of a name; None where there is none that can be read.
    """
    names = {*every_name(), book.name, *(file.stem for file in Path(book.path).parent.glob("*.md"))}

    @cache
    def blocks(name: str) -> list[str]:
        there = book if name == book.name else neighbour(name)
        return [*(placed.block.id for placed in there.placed()), *(unread if there is book else ())] if there else []

    for place, text in _texts(book.own or book):
        for found in _NAMED.finditer(text):
            name, block = found["runbook"], found["block"]
            if name not in names:
                if found["command"] and (block or found["file"]):
                    remedy = did_you_mean(name, sorted(names), "runbook list")
                    yield Problem(place(found.start("runbook")), f'"{_word(found)}" leads nowhere', remedy)
            elif block and (ids := blocks(name)) and block not in ids:
                remedy = did_you_mean(block, ids, f"runbook list {name}")
                yield Problem(place(found.start("runbook")), f'"{_word(found)}" leads nowhere', remedy)


def _word(found: re.Match[str]) -> str:
    return found[0].removeprefix(found["command"] or "")


def _texts(book: Runbook) -> Iterator[tuple[Callable[[int], FilePosition], str]]:
    """Every text of a runbook, with what tells where a character of it stands."""
    for part in book.parts:
        if isinstance(part, Prose):
            yield _of_prose(book.path, part), part.text
        else:
            yield from _of_document(part.document)
    for amendment in book.amendments:
        yield from _of_document(amendment.document)


def _of_prose(file: str, prose: Prose) -> Callable[[int], FilePosition]:
    def place(at: int) -> FilePosition:
        before = prose.text[:at]
        return FilePosition(file, prose.line + before.count("\n"), at - before.rfind("\n"))

    return place


def _of_document(document: Document) -> Iterator[tuple[Callable[[int], FilePosition], str]]:
    for path, value in _leaves(document.value):
        yield _of_value(document, path, value), value


def _leaves(value: Any, path: Field = ()) -> Iterator[tuple[Field, str]]:
    if isinstance(value, str):
        yield path, value
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in parts:
        yield from _leaves(part, (*path, name))


def _of_value(document: Document, path: Field, text: str) -> Callable[[int], FilePosition]:
    def place(at: int) -> FilePosition:
        before = text[:at]
        return document.inside(path, before.count("\n") + 1, at - before.rfind("\n"))

    return place
