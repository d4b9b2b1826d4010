"""Every text of a runbook, in prose and in blocks, and where each of its characters stands in the file."""

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct

from runbook.model.errors import FilePosition
from runbook.parse.runbook import Prose, Runbook
from runbook.parse.yaml_document import Document
from runbook.parse.yaml_document import Path as Field


class WrittenText(Struct, frozen=True):
    """A text as somebody wrote it.

    Attributes:
        words: itself.
        place: where its character of a number, from 0, stands.
        field: the name of the field of a block that holds it, or whose list does; "" for prose.
    """

    words: str
    place: Callable[[int], FilePosition]
    field: str = ""


def texts(book: Runbook) -> Iterator[WrittenText]:
    """Every text of a runbook that stands in its file."""
    for part in book.parts:
        if isinstance(part, Prose):
            yield WrittenText(part.text, _of_prose(book.path, part))
        else:
            yield from _of_document(part.document)
    for amendment in book.amendments:
        yield from _of_document(amendment.document)


def _of_prose(file: str, prose: Prose) -> Callable[[int], FilePosition]:
    def place(at: int) -> FilePosition:
        before = prose.text[:at]
        return FilePosition(file, prose.line + before.count("\n"), at - before.rfind("\n"))

    return place


def _of_document(document: Document) -> Iterator[WrittenText]:
    for path, value in _leaves(document.value):
        names = [name for name in path if isinstance(name, str)]
        yield WrittenText(value, _of_value(document, path, value), names[-1] if names else "")


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
