"""Runbooks that were parsed before: their blocks and prose, kept by the digest of their text.

Where each field stands is not kept: who asks, which is who has a mistake to tell, has the text parsed again.
"""

import hashlib
from collections.abc import Iterator
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from runbook.model.block import Block, Cause, Check, Diagnostic, Effect, Procedure
from runbook.model.errors import FilePosition
from runbook.model.front_matter import FrontMatter
from runbook.parse.runbook import LocatedBlock, Prose, Runbook, parse_runbook, read_text
from runbook.parse.yaml_document import Document, UnreadDocument
from runbook.plugins.kept_files import keep, kept, name_of

KIND: Final = "runbook"
ROOMS: Final = ("model", "parse", "safety")
"""The code that decides what is read of a runbook."""

Origin = Literal["built-in", "file"]


class _Part(Struct, array_like=True, frozen=True):
    """A part of a runbook, and its first line: prose, or a block of one of the kinds."""

    line: int
    prose: str = ""
    check: Check | None = None
    cause: Cause | None = None
    effect: Effect | None = None
    diagnostic: Diagnostic | None = None
    procedure: Procedure | None = None

    @property
    def block(self) -> Block | None:
        return self.check or self.cause or self.effect or self.diagnostic or self.procedure


class _Parsed(Struct, array_like=True, frozen=True):
    """What is kept of a runbook."""

    front: FrontMatter
    head: int
    parts: list[_Part]


def read_kept(path: Path, *, origin: Origin = "file", shown: str = "") -> Runbook:
    """Read one runbook file as `read_runbook` does, without parsing a text that was parsed before.

    Args:
        path: the file.
        origin: whether it is one of ours.
        shown: how messages name the file; its path if empty.

    Raises:
        Invalid: the file can't be read or has mistakes; with all of them.
    """
    file = shown or str(path)
    text = read_text(path, file)
    source = _Source(text, path.stem, file, origin)
    if found := _kept(text):
        return source.runbook(found)
    book = source.parsed
    if packed := pack(book):
        keep(name_for(text), packed)
    return book


def name_for(text: str) -> str:
    """The name under which a runbook of this text is kept."""
    return name_of(KIND, ROOMS, _digest(text))


def pack(book: Runbook) -> bytes:
    """What is kept of a runbook; nothing of one that extends another, as what it amends is wanted with its places."""
    if book.front.extends or book.amendments:
        return b""
    return msgspec.msgpack.encode(_Parsed(book.front, book.head.start.line, [*_parts(book)]))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _parts(book: Runbook) -> Iterator[_Part]:
    for part in book.parts:
        if isinstance(part, Prose):
            yield _Part(part.line, part.text)
        else:
            block: dict[str, Any] = {type(part.block).__name__.lower(): part.block}
            yield _Part(part.source.start.line, **block)


def _kept(text: str) -> _Parsed | None:
    data = kept(name_for(text))
    try:
        return msgspec.msgpack.decode(data, type=_Parsed) if data else None
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


class _Source:
    """The text of a runbook."""

    def __init__(self, text: str, name: str, file: str, origin: Origin) -> None:
        self._text = text
        self._name = name
        self._file = file
        self._origin: Origin = origin

    @cached_property
    def parsed(self) -> Runbook:
        """What stands in it."""
        return parse_runbook(self._text, self._name, self._file, origin=self._origin)

    def runbook(self, known: _Parsed) -> Runbook:
        """What stands in it, as far as it is known; the rest is parsed when somebody asks for it."""
        return Runbook(
            self._name,
            self._file,
            self._origin,
            known.front,
            tuple(self._known(known.parts)),
            _digest(self._text),
            UnreadDocument(FilePosition(self._file, known.head), self._head),
        )

    def _known(self, parts: list[_Part]) -> Iterator[Prose | LocatedBlock]:
        for number, part in enumerate(parts):
            if part.block is None:
                yield Prose(part.prose, part.line)
            else:
                source = UnreadDocument(FilePosition(self._file, part.line), partial(self._document, number))
                yield LocatedBlock(part.block, source, self._name)

    def _head(self) -> Document:
        return self.parsed.head.whole()

    def _document(self, number: int) -> Document:
        part = self.parsed.parts[number]
        assert isinstance(part, LocatedBlock)
        return part.document
