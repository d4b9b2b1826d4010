"""Read a runbook: Markdown with front matter, prose, and blocks of checks, diagnostics and procedures."""

import codecs
import hashlib
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

from msgspec import Struct

from runbook.model.block import AMEND, BLOCKS, Amendment, Block, Check, Diagnostic, Procedure, whole_name
from runbook.model.errors import FilePosition, Invalid, Problem, did_you_mean
from runbook.model.front_matter import Change, FrontMatter
from runbook.parse.block_digest import digest_of, digest_of_change
from runbook.parse.cut_fences import cut_in_half, indent_of
from runbook.parse.schema import convert, mended
from runbook.parse.yaml_document import Document, UnreadDocument, read_yaml

if TYPE_CHECKING:
    from markdown_it.token import Token

T = TypeVar("T")
MAX_BYTES = 2_000_000  # our judgement: ten times our longest runbook
MAX_BLOCKS = 1_000  # same
_KINDS: Final = (*BLOCKS, AMEND)
_ID = re.compile(r"^id:[ \t]*[\"']?([a-z0-9-]+)", re.MULTILINE)


class Prose(Struct, frozen=True):
    """Markdown between blocks; `line` is its first line in the file."""

    text: str
    line: int


class LocatedBlock(Struct, frozen=True):
    """A block and where it stands; `document` knows the place of each of its fields, `source` no more than it must.

    Of one that is amended, `base` is the built-in block, and `amended` what differs.
    """

    block: Block
    source: Document | UnreadDocument
    runbook: str
    base: "LocatedBlock | None" = None
    amended: "Amended | None" = None

    @property
    def document(self) -> Document:
        """Its YAML."""
        return self.source.whole()

    @property
    def name(self) -> str:
        """The global name: runbook/id."""
        return f"{self.runbook}/{self.block.id}"

    @property
    def old_names(self) -> list[str]:
        """The global names that it had before, the oldest first."""
        return [whole_name(old, self.runbook) for old in self.block.was]

    @property
    def first_name(self) -> str:
        """The global name that it had first: the same through all renamings."""
        return next(iter(self.old_names), self.name)

    def digest(self) -> str:
        """SHA-256 of what decides the verdict; wording, citations, remedies and the id may change without changing it.

        What is left out is no part of it, so that a field which a later version adds changes no digest of today.
        """
        return digest_of(self.block)


class Amended(Struct, frozen=True):
    """An amendment: the id of the block that is changed, and what differs of it, as it stands."""

    id: str
    document: Document

    def fields(self) -> list[str]:
        """What it changes, as in `params.spare.default`."""
        return [".".join(map(str, path)) for path in _leaves(self.document.value) if path != ("id",)]

    def digest(self) -> str:
        """SHA-256 of what it changes of a verdict."""
        return digest_of_change(self.document.value)


class Runbook(Struct, frozen=True):
    """One runbook, as read.

    Attributes:
        name: by which it is called: its file's.
        path: its file, as messages name it.
        origin: whether it is one of ours.
        front: its front matter.
        parts: prose and blocks, in the order of the file.
        digest: of its text.
        head: where its front matter stands.
        amendments: what it changes of the runbook that it extends.
        own: of a runbook that is merged with the one that it extends, what stands in the file.
        base: of the same, the one that it extends.
    """

    name: str
    path: str
    origin: Literal["built-in", "file"]
    front: FrontMatter
    parts: tuple[Prose | LocatedBlock, ...]
    digest: str
    head: Document | UnreadDocument
    amendments: tuple[Amended, ...] = ()
    own: "Runbook | None" = None
    base: "Runbook | None" = None

    def placed(self) -> Iterator[LocatedBlock]:
        """Yield every block with its place."""
        for part in self.parts:
            if isinstance(part, LocatedBlock):
                yield part

    def checks(self) -> list[LocatedBlock]:
        """The checks, in the order of the file."""
        return [placed for placed in self.placed() if isinstance(placed.block, Check)]

    def diagnostics(self) -> list[Diagnostic]:
        """The diagnostics, in the order of the file."""
        return [placed.block for placed in self.placed() if isinstance(placed.block, Diagnostic)]

    def procedures(self) -> list[Procedure]:
        """The procedures, in the order of the file."""
        return [placed.block for placed in self.placed() if isinstance(placed.block, Procedure)]


def _leaves(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    if not isinstance(value, dict):
        yield path
        return
    for name, item in value.items():
        yield from _leaves(item, (*path, name))


def read_runbook(path: Path, *, origin: Literal["built-in", "file"] = "file", shown: str = "") -> Runbook:
    """Read one runbook file.

    Args:
        path: the file.
        origin: whether it is one of ours.
        shown: how messages name the file; its path if empty.

    Raises:
        Invalid: the file can't be read or has mistakes; with all of them.
    """
    file = shown or str(path)
    text = read_text(path, file)
    return parse_runbook(text, path.stem, file, origin=origin)


def read_text(path: Path, file: str, limit: int = MAX_BYTES) -> str:
    """Read a text file, without ever loading more than its limit.

    Raises:
        Invalid: it can't be read, is larger than `limit` bytes, or is no UTF-8 text.
    """
    here = FilePosition(file)
    try:
        with path.open("rb") as stream:
            data = stream.read(limit + 1)
    except OSError as error:
        raise Invalid([Problem(here, f"can't be read: {error.strerror}", "check the path and its rights")]) from error
    if len(data) > limit:
        raise Invalid([Problem(here, f"larger than {limit:,} bytes", "this is no file of ours, or it should be split")])
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        utf_16 = data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
        remedy = "it is UTF-16: save it as UTF-8" if utf_16 else "is this a binary file?"
        problem = Problem(FilePosition(file, line), "not UTF-8 text", remedy)
        raise Invalid([problem]) from error
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise Invalid([Problem(FilePosition(file, line), "holds a NUL character", "is this a binary file?")])
    return text


def parse_runbook(text: str, name: str, file: str, *, origin: Literal["built-in", "file"] = "file") -> Runbook:
    """Parse the text of a runbook.

    Raises:
        Invalid: with every problem of the file.
    """
    reader = _Reader(name, file, _strictly)
    reader.read(text)
    if reader.problems or reader.front is None:
        raise Invalid(_in_order(reader.problems))
    return reader.runbook(origin, reader.front, text)


class LenientRunbook(Struct, frozen=True):
    """What can be read of a runbook that may have mistakes.

    Attributes:
        runbook: without the blocks that can't be read; what is wrong in its head has stand-ins.
        problems: all that is wrong with its form.
        unread: ids of blocks that can't be read.
        head: whether all of the head is its own.
    """

    runbook: Runbook
    problems: list[Problem]
    unread: list[str]
    head: bool


def survey_runbook(text: str, name: str, file: str, *, origin: Literal["built-in", "file"] = "file") -> LenientRunbook:
    """Parse the text of a runbook, going on behind mistakes."""
    reader = _Reader(name, file, mended)
    reader.read(text)
    runbook = reader.runbook(origin, reader.front or _HEADLESS, text)
    whole_head = reader.front is not None and not runbook.head.lost
    return LenientRunbook(runbook, _in_order(reader.problems), reader.unread, whole_head)


_HOW_TO_BEGIN: Final = 'start the file with "---", title:, version:, changes:, and "---"'
_HEADLESS: Final = FrontMatter("untitled", "0.0.0", [Change("0.0.0", "2000-01-01", "none")])


def _in_order(problems: list[Problem]) -> list[Problem]:
    return sorted(problems, key=lambda problem: (problem.place.line, problem.place.column))


def _strictly(document: Document, record: type[T], what: str, problems: list[Problem]) -> T | None:
    """A record of a document without any mistake; else None."""
    if problems:
        return None
    try:
        return convert(document, record, what)
    except Invalid as invalid:
        problems += invalid.problems
        return None


class _Reader:
    """Reads a runbook block by block; `take` makes a record of a document."""

    def __init__(self, name: str, file: str, take: Callable[[Document, Any, str, list[Problem]], Any]) -> None:
        self.front: FrontMatter | None = None
        self.parts: list[Prose | LocatedBlock] = []
        self.problems: list[Problem] = []
        self.unread: list[str] = []
        self.amendments: list[Amended] = []
        self._head_document = Document({}, FilePosition(file), {}, {})
        self._name = name
        self._file = file
        self._take = take

    def runbook(self, origin: Literal["built-in", "file"], front: FrontMatter, text: str) -> Runbook:
        """What was read of a text, as a runbook."""
        digest = hashlib.sha256(text.encode()).hexdigest()
        parts, amendments = tuple(self.parts), tuple(self.amendments)
        return Runbook(self._name, self._file, origin, front, parts, digest, self._head_document, amendments)

    def read(self, text: str) -> None:
        from markdown_it import MarkdownIt  # noqa: PLC0415 - most runbooks were parsed before
        from mdit_py_plugins.front_matter import front_matter_plugin  # noqa: PLC0415

        # Blocks are all that is needed here; reading what is inside of paragraphs may take long on hostile text.
        tokens = MarkdownIt("commonmark").use(front_matter_plugin).disable("inline").parse(text)
        self.front = self._head(tokens, text)
        lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")  # the lines that Markdown counts
        blocks = 0
        position = tokens[0].map[1] if tokens and tokens[0].type == "front_matter" and tokens[0].map else 0
        for token in tokens:
            kind = _kind(token, self._file, self.problems)
            if kind is None or token.map is None:
                continue
            blocks += 1
            if blocks > MAX_BLOCKS:
                place = FilePosition(self._file, token.map[0] + 1)
                self.problems.append(Problem(place, f"more than {MAX_BLOCKS:,} blocks", "split the runbook"))
                break
            first, last = token.map
            _add_prose(self.parts, lines, position, first)
            position = last
            if cut := cut_in_half(token, kind, lines, self._file):
                self.problems.append(cut)
                self._lost(token.content)
            else:
                self._block(kind, token.content, first + 2, indent_of(token, lines))
        _add_prose(self.parts, lines, position, len(lines))
        self.problems += _duplicates(self.parts)

    def _block(self, kind: str, text: str, line: int, indent: int) -> None:
        if kind == AMEND:
            if change := self._record(text, line, Amendment, kind, indent):
                self.amendments.append(Amended(change[0].id, change[1]))
        elif found := self._record(text, line, BLOCKS[kind], kind, indent):
            self.parts.append(LocatedBlock(found[0], found[1], self._name))
        else:
            self._lost(text)

    def _lost(self, text: str) -> None:
        if given := _ID.search(text):
            self.unread.append(given[1])

    def _head(self, tokens: "list[Token]", text: str) -> FrontMatter | None:
        if not tokens or tokens[0].type != "front_matter":
            begun = text.startswith("---")
            message = "the front matter does not end" if begun else "no front matter"
            remedy = 'write a line of "---" beneath it, too' if begun else _HOW_TO_BEGIN
            self.problems.append(Problem(FilePosition(self._file), message, remedy))
            return None
        found = self._record(tokens[0].content, 2, FrontMatter, "front matter")
        if found is None:
            return None
        front, self._head_document = found
        return front

    def _record(self, text: str, line: int, record: type[T], what: str, indent: int = 0) -> tuple[T, Document] | None:
        problems: list[Problem] = []
        try:
            document = read_yaml(text, self._file, line=line, indent=indent, found=problems)
            record_ = self._take(document, record, what, problems)
        except Invalid as invalid:
            problems += invalid.problems
            record_ = None
        self.problems += problems
        return None if record_ is None else (record_, document)


def _add_prose(parts: list[Prose | LocatedBlock], lines: list[str], first: int, last: int) -> None:
    while first < last and not lines[first]:
        first += 1
    text = "\n".join(lines[first:last]).rstrip("\n")
    if text.strip():
        parts.append(Prose(text, first + 1))


def _kind(token: "Token", file: str, problems: list[Problem]) -> str | None:
    """The kind of block a token opens; None for all other Markdown."""
    if token.type != "fence" or "{" not in token.info:
        return None
    from mdit_py_plugins.attrs.parse import ParseError, parse  # noqa: PLC0415

    place = FilePosition(file, (token.map or [0])[0] + 1)
    language, _, attributes = token.info.partition("{")
    try:
        _, parsed = parse("{" + attributes)
    except ParseError:
        problems.append(Problem(place, f"can't read the attributes {{{attributes}", "write ```yaml {.check}"))
        return None
    classes = parsed.get("class", "").split()
    kinds = [word for word in classes if word in _KINDS]
    if kinds:
        return kinds[0]
    if language.strip() == "yaml" and classes:
        problems.append(Problem(place, f"unknown kind of block .{classes[0]}", did_you_mean(classes[0], [*_KINDS])))
    return None


def _duplicates(parts: list[Prose | LocatedBlock]) -> Iterator[Problem]:
    seen: dict[str, FilePosition] = {}
    for part in parts:
        if not isinstance(part, LocatedBlock):
            continue
        place = part.document.place(("id",))
        if part.block.id in seen:
            first = seen[part.block.id]
            yield Problem(place, f'duplicate id "{part.block.id}"', f"it stands already in line {first.line}")
        seen.setdefault(part.block.id, place)
