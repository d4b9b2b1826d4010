"""Read a runbook: Markdown with front matter, prose, and blocks of checks, diagnostics and procedures."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.attrs.parse import ParseError, parse
from mdit_py_plugins.front_matter import front_matter_plugin
from msgspec import Struct

from runbook.model.block import BLOCKS, Block, Check, Diagnostic, FrontMatter, Procedure
from runbook.model.errors import Invalid, Place, Problem, did_you_mean
from runbook.parse.schema import convert
from runbook.parse.yaml_document import Document, read_yaml

MAX_BYTES = 2_000_000  # our judgement: ten times our longest runbook
MAX_BLOCKS = 1_000  # same


class Prose(Struct, frozen=True):
    """Markdown between blocks; `line` is its first line in the file."""

    text: str
    line: int


class Placed(Struct, frozen=True):
    """A block and where it stands; `document` knows the place of each of its fields."""

    block: Block
    document: Document
    runbook: str

    @property
    def name(self) -> str:
        """The global name: runbook/id."""
        return f"{self.runbook}/{self.block.id}"

    def digest(self) -> str:
        """SHA-256 of what decides the verdict; wording, citations and remedies may change without changing it.

        What is left out is no part of it, so that a field which a later version adds changes no digest of today.
        """
        fields = _given(self.block)
        for wording in ("title", "effect", "remedy", "audit", "sources", "covers"):
            fields.pop(wording, None)
        fields.get("expect", {}).pop("message", None)
        return hashlib.sha256(msgspec.json.encode(fields, order="deterministic")).hexdigest()


class Runbook(Struct, frozen=True):
    """One runbook, as read."""

    name: str
    path: str
    origin: Literal["built-in", "file"]
    front: FrontMatter
    parts: tuple[Prose | Placed, ...]
    digest: str

    def placed(self) -> Iterator[Placed]:
        """Yield every block with its place."""
        for part in self.parts:
            if isinstance(part, Placed):
                yield part

    def checks(self) -> list[Placed]:
        """The checks, in the order of the file."""
        return [placed for placed in self.placed() if isinstance(placed.block, Check)]

    def diagnostics(self) -> list[Diagnostic]:
        """The diagnostics, in the order of the file."""
        return [placed.block for placed in self.placed() if isinstance(placed.block, Diagnostic)]

    def procedures(self) -> list[Procedure]:
        """The procedures, in the order of the file."""
        return [placed.block for placed in self.placed() if isinstance(placed.block, Procedure)]


def _given(value: Any) -> Any:
    """A record in plain types, without the fields that hold their default."""
    if isinstance(value, Struct):
        fields = msgspec.structs.fields(value)
        return {one.name: _given(told) for one in fields if (told := getattr(value, one.name)) != _default(one)}
    if isinstance(value, dict):
        return {key: _given(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_given(one) for one in value]
    return msgspec.to_builtins(value)


def _default(field: msgspec.structs.FieldInfo) -> Any:
    return field.default_factory() if field.default_factory is not msgspec.NODEFAULT else field.default


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
    here = Place(file)
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
        problem = Problem(Place(file, line), "not UTF-8 text", "is this a binary file?")
        raise Invalid([problem]) from error
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise Invalid([Problem(Place(file, line), "holds a NUL character", "is this a binary file?")])
    return text


def parse_runbook(text: str, name: str, file: str, *, origin: Literal["built-in", "file"] = "file") -> Runbook:
    """Parse the text of a runbook.

    Raises:
        Invalid: with every problem of the file.
    """
    problems: list[Problem] = []
    # Blocks are all that is needed here; reading what is inside of paragraphs may take long on hostile text.
    tokens = MarkdownIt("commonmark").use(front_matter_plugin).disable("inline").parse(text)
    front = _front_matter(tokens, file, problems)
    parts: list[Prose | Placed] = []
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")  # the lines that Markdown counts
    blocks = 0
    position = tokens[0].map[1] if tokens and tokens[0].type == "front_matter" and tokens[0].map else 0
    for token in tokens:
        kind = _kind(token, file, problems)
        if kind is None or token.map is None:
            continue
        blocks += 1
        if blocks > MAX_BLOCKS:
            place = Place(file, token.map[0] + 1)
            problems.append(Problem(place, f"more than {MAX_BLOCKS:,} blocks", "split the runbook"))
            break
        first, last = token.map
        _add_prose(parts, lines, position, first)
        position = last
        try:
            document = read_yaml(token.content, file, line=first + 2, indent=_indent(lines, first, token))
            block = convert(document, BLOCKS[kind], kind)
        except Invalid as invalid:
            problems += invalid.problems
        else:
            parts.append(Placed(block, document, name))
    _add_prose(parts, lines, position, len(lines))
    problems += _duplicates(parts)
    if problems or front is None:
        raise Invalid(sorted(problems, key=lambda problem: (problem.place.line, problem.place.column)))
    digest = hashlib.sha256(text.encode()).hexdigest()
    return Runbook(name, file, origin, front, tuple(parts), digest)


def _add_prose(parts: list[Prose | Placed], lines: list[str], first: int, last: int) -> None:
    text = "\n".join(lines[first:last]).strip("\n")
    if text.strip():
        parts.append(Prose(text, first + 1))


def _indent(lines: list[str], first: int, token: Token) -> int:
    """How far a block is moved to the right, in a list or a quotation."""
    inner, _, _ = token.content.partition("\n")
    outer = lines[first + 1] if first + 1 < len(lines) else ""
    return len(outer) - len(inner) if outer.endswith(inner) else 0


def _front_matter(tokens: list[Token], file: str, problems: list[Problem]) -> FrontMatter | None:
    if not tokens or tokens[0].type != "front_matter":
        remedy = 'start the file with "---", title:, version:, changes:, and "---"'
        problems.append(Problem(Place(file), "no front matter", remedy))
        return None
    try:
        return convert(read_yaml(tokens[0].content, file, line=2), FrontMatter, "front matter")
    except Invalid as invalid:
        problems += invalid.problems
        return None


def _kind(token: Token, file: str, problems: list[Problem]) -> str | None:
    """The kind of block a token opens; None for all other Markdown."""
    if token.type != "fence" or "{" not in token.info:
        return None
    place = Place(file, (token.map or [0])[0] + 1)
    language, _, attributes = token.info.partition("{")
    try:
        _, parsed = parse("{" + attributes)
    except ParseError:
        problems.append(Problem(place, f"can't read the attributes {{{attributes}", "write ```yaml {.check}"))
        return None
    classes = parsed.get("class", "").split()
    kinds = [word for word in classes if word in BLOCKS]
    if kinds:
        return kinds[0]
    if language.strip() == "yaml" and classes:
        problems.append(Problem(place, f"unknown kind of block .{classes[0]}", did_you_mean(classes[0], [*BLOCKS])))
    return None


def _duplicates(parts: list[Prose | Placed]) -> Iterator[Problem]:
    seen: dict[str, Place] = {}
    for part in parts:
        if not isinstance(part, Placed):
            continue
        place = part.document.place(("id",))
        if part.block.id in seen:
            first = seen[part.block.id]
            yield Problem(place, f'duplicate id "{part.block.id}"', f"it stands already in line {first.line}")
        seen.setdefault(part.block.id, place)
