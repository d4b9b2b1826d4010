"""YAML read safely, with the position of every value.

Plain scalars follow YAML 1.2's core schema (`on` and `yes` are strings, as in Kafka's settings). Tags are refused, and
aliases and anchors where they are not asked for; size and depth are bounded, also of what aliases stand for, so that a
few hundred bytes can't expand into gigabytes.
"""

import math
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct

from runbook.model.errors import FilePosition, Invalid, Problem

if TYPE_CHECKING:
    import yaml

MAX_BYTES = 1_000_000  # our judgement: the longest of our runbooks has a tenth of it
MAX_DEPTH = 32  # our judgement: the deepest block of ours has eight levels
MAX_VALUES = 100_000  # with those that aliases stand for. Our judgement: a megabyte of manifests has a tenth of it
Path = tuple[str | int, ...]
P = TypeVar("P")

_INT = re.compile(r"[-+]?[0-9]{1,19}")
_INT64 = range(-(2**63), 2**63)
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_WHOLE = re.compile(r"[-+]?[0-9]+")
_EXPANDED = re.compile(r"\$\{(\w{1,99})\}")
_COLON = re.compile(r"[ ]*(?:- )?[\w.-]{1,99}:[ ]+([^\"'\[{|>&*].*:(?: .*)?)$")
_SIGN_FIRST = re.compile(r"[ ]*(?:- )?[\w.-]{1,99}:[ ]+([\"'\[{@`%!&*].*\S)")
_GOES_ON = re.compile(r"[ ]*(?:[.\[<>+*/%?]|==|!=|&&|\|\||-|in\b)")
"""How an expression goes on behind a list or a mapping."""
_AMID_A_VALUE = ("did not find expected key", "cannot start any token", "scanning a tag", "scanning an a")
"""What YAML says where it takes the beginning of a text, as of an expression, for something of its own."""
_BRACKETS = re.compile(r":[ ]{1,9}((?:list|map)\[\w{0,20}\])")  # bounded: its time is linear in the line
_MARKED = re.compile(r"(?:^|[\s,\[\]{}:?-])[&*!]")
"""An anchor, alias or tag may begin here; in plain text it may be anything."""
_SHALLOW = 500  # levels that libyaml reads without harm by far: our judgement
_MERGE = "tag:yaml.org,2002:merge"
_WORDS: dict[str, bool | None] = {"": None, "null": None, "~": None, "true": True, "false": False}


class Document(Struct):
    """A YAML value, and where each part of it stands.

    `values` and `keys` map the path of a value (`("facts", "topic", "probe")`) to the place of the value itself and
    of the key that names it; `texts` that of a text to where its first character stands, after quotes or `|`.
    `lost` are the paths of values that were not taken as they stand: mistakes that were told already.
    """

    value: Any
    start: FilePosition
    values: dict[Path, FilePosition]
    keys: dict[Path, FilePosition]
    texts: dict[Path, "Text"] = {}
    lost: list[Path] = []

    def whole(self) -> "Document":
        """Itself: nothing more needs to be read."""
        return self

    def place(self, path: Path) -> FilePosition:
        """Where the value at a path stands; for a path that is not there, its nearest parent."""
        while path and path not in self.values:
            path = path[:-1]
        return self.values.get(path, self.start)

    def key(self, path: Path) -> FilePosition:
        """Where the key that names a path stands."""
        return self.keys.get(path) or self.place(path)

    def call(self, path: Path, meant: str) -> None:
        """Let what stands at a path be found by the name that was meant, too."""
        self.values |= _called(self.values, path, meant)
        self.keys |= _called(self.keys, path, meant)
        self.texts |= _called(self.texts, path, meant)

    def is_lost(self, path: Path) -> bool:
        """Whether a value is not there as it was written, because it, or what it stands in, is a mistake."""
        return any(path[: len(hole)] == hole for hole in self.lost)

    def inside(self, path: Path, line: int, column: int) -> FilePosition:
        """Where a line and column of the text at a path stand, as far as the way it is written tells."""
        text = self.texts.get(path)
        if text is None:
            return self.place(path)
        if line > 1 and not text.as_written:
            return text.start
        shift = text.start.column - 1 if line == 1 or text.as_written else 0
        return FilePosition(
            text.start.file, text.start.line + line - 1, shift + column if text.exact else text.start.column
        )


class UnreadDocument(Struct, frozen=True):
    """A document that was taken without mistakes, of which only the beginning is known until more is asked."""

    start: FilePosition
    read: Callable[[], Document]
    lost: tuple[Path, ...] = ()

    def whole(self) -> Document:
        """All of it, read from its source."""
        return self.read()


def _called(places: dict[Path, P], path: Path, meant: str) -> dict[Path, P]:
    return {(*path[:-1], meant, *place[len(path) :]): places[place] for place in places if place[: len(path)] == path}


class Text(Struct, frozen=True):
    """Where a text begins, whether its lines are lines of the file (`|`), columns can be counted, and it is quoted."""

    start: FilePosition
    as_written: bool
    exact: bool
    quoted: bool = False


def read_yaml(
    text: str, file: str, *, line: int = 1, indent: int = 0, found: list[Problem] | None = None, aliases: bool = False
) -> Document:
    """Read one YAML document whose first line is line `line` of `file`, where it is indented by `indent` columns.

    Mistakes that leave something to read, such as a key given twice, go into `found` where it is given. With `aliases`
    what they stand for is put in their place, and `<<` takes in the keys of others.

    Raises:
        Invalid: the text is no YAML, or uses what this reader refuses; with every problem found.
    """
    import yaml  # noqa: PLC0415 - most of what is read was parsed before

    start = FilePosition(file, line)
    written = text.split("\n")

    def at(mark: "yaml.Mark | None") -> FilePosition:
        return FilePosition(file, line + mark.line, indent + mark.column + 1) if mark else start

    def begins(node: "yaml.ScalarNode") -> Text:
        first, last = node.start_mark, node.end_mark
        if node.style in ("|", ">"):
            below = written[first.line + 1] if first.line + 1 < len(written) else ""
            column = indent + len(below) - len(below.lstrip(" ")) + 1
            return Text(
                FilePosition(file, line + first.line + 1, column), node.style == "|", node.style == "|", quoted=True
            )
        column = indent + first.column + 1 + bool(node.style)
        return Text(
            FilePosition(file, line + first.line, column),
            as_written=False,
            exact=first.line == last.line,
            quoted=bool(node.style),
        )

    if len(text) > MAX_BYTES:
        raise Invalid([Problem(start, f"more than {MAX_BYTES:,} characters of YAML", "split it")])
    try:
        node = _composed(text, at, aliases=aliases)
    except yaml.MarkedYAMLError as error:
        raise Invalid([_not_read(text, at, error)]) from error
    except yaml.YAMLError as error:
        raise Invalid([Problem(start, f"not valid YAML: {error}", "is this a text file?")]) from error
    document = Document(None, start, {}, {})
    if node is not None:
        problems: list[Problem] = []
        document.value = _build(node, (), document, problems, (at, begins, aliases))
        if problems and found is None:
            raise Invalid(problems)
        if found is not None:
            found += problems
    return document


def _composed(text: str, at: Any, *, aliases: bool) -> "yaml.Node | None":
    import yaml  # noqa: PLC0415

    plain = _is_plain(text)
    if not plain:
        _refuse_bombs(text, at, aliases=aliases)
    node = yaml.compose(text, Loader=_loader())
    if aliases and not plain and node is not None:
        _refuse_large(node, at)
    return node


@cache
def _loader() -> "type[yaml.CSafeLoader]":
    """Makes nodes, and of their tags only tells `<<`: what a scalar is, is found out here."""
    import yaml  # noqa: PLC0415

    class NodeLoader(yaml.CSafeLoader):
        def descend_resolver(self, *_: Any) -> None:
            pass

        def ascend_resolver(self) -> None:
            pass

        def resolve(self, _kind: Any, value: Any, implicit: Any) -> str:
            return _MERGE if value == "<<" and implicit[0] else ""

    return NodeLoader


def _is_plain(text: str) -> bool:
    """Whether a text has no anchor, alias or tag for certain, and few levels: then it is as large as it looks."""
    if _MARKED.search(text):
        return False
    brackets = text.count("[") + text.count("{")  # each opens a level, as do signs at the beginning of a line
    return brackets + max(map(len, text.split("\n"))) < _SHALLOW


def _refuse_large(node: "yaml.Node", at: Any) -> None:
    """Refuse values that grow beyond all measure, or hold themselves, once aliases are what they stand for."""
    import yaml  # noqa: PLC0415

    known: dict[int, tuple[int, int] | None] = {}

    def measure(node: "yaml.Node") -> tuple[int, int]:
        if isinstance(node, yaml.ScalarNode):
            return 1, 0
        if id(node) not in known:
            known[id(node)] = None
            parts = (
                node.value if isinstance(node, yaml.SequenceNode) else [each for pair in node.value for each in pair]
            )
            sizes = [measure(part) for part in parts]
            size, depth = 1 + sum(size for size, _ in sizes), 1 + max((depth for _, depth in sizes), default=0)
            if size > MAX_VALUES:
                raise Invalid(
                    [Problem(at(node.start_mark), f"aliases make more than {MAX_VALUES:,} values", "split it")]
                )
            if depth > MAX_DEPTH:
                raise Invalid([_nested(at(node.start_mark))])
            known[id(node)] = size, depth
        found = known[id(node)]
        if found is None:
            raise Invalid([Problem(at(node.start_mark), "a value holds itself by an alias", "write the value out")])
        return found

    measure(node)


def _refuse_bombs(text: str, at: Any, *, aliases: bool) -> None:
    import yaml  # noqa: PLC0415

    depth = 0
    for event in yaml.parse(text, Loader=yaml.CSafeLoader):
        if not aliases and (isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None)):
            place = at(event.start_mark)
            raise Invalid([Problem(place, "anchors and aliases are not allowed", "write the value out")])
        if tag := getattr(event, "tag", None):
            place = at(event.start_mark)
            remedy = _all_quoted(_line(text, event.start_mark), event.start_mark) if tag[0] == "!" else ""
            raise Invalid([Problem(place, f"tags such as {tag} are not allowed", remedy or "write the plain value")])
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > MAX_DEPTH:
                raise Invalid([_nested(at(event.start_mark))])
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


def _not_read(text: str, at: Any, error: "yaml.MarkedYAMLError") -> Problem:
    place = at(error.problem_mark)
    if "nesting depth" in str(error.problem):  # newer releases of libyaml stop by themselves, at a thousand levels
        return _nested(place)
    if "a tab character" in str(error.problem) or (error.problem_mark and _stands(text, error.problem_mark) == "\t"):
        return Problem(place, "a tab stands where YAML takes spaces only", "indent with spaces")
    if "quoted scalar" in str(error.context) and "unexpected end" in str(error.problem):  # far below where it began
        return Problem(at(error.context_mark), "a quote that opens here is never closed", "close it")
    message = f"not valid YAML: {error.context + ': ' if error.context else ''}{error.problem}"
    return Problem(place, message, _how_to_read(text, error))


def _how_to_read(text: str, error: "yaml.MarkedYAMLError") -> str:
    """What to change where a text is no YAML: what ends a value, or begins another one, without being meant to."""
    line = _line(text, error.problem_mark)
    if found := _BRACKETS.search(line) if "{" in line else None:
        return f'put it in quotes: "{found[1]}"'
    if found := _EXPANDED.search(line):
        return f"nothing is put in for {found[0]}; a credential is written {{env: {found[1]}}}"
    if "mapping values are not allowed" in str(error.problem) and (found := _COLON.match(line)):
        quote = "'" if '"' in found[1] else '"'
        return f"a colon begins a value; put the text in quotes: {quote}{found[1]}{quote}"
    meant = _all_quoted(line, error.problem_mark) if any(sign in str(error) for sign in _AMID_A_VALUE) else ""
    return meant or "check indentation, quotes and colons"


def _all_quoted(line: str, mark: Any) -> str:
    """How a value is written as one text of which YAML takes the beginning for something of its own; "" for others."""
    found = _SIGN_FIRST.match(line)
    if found is None or mark.column < found.start(1):
        return ""
    if found[1][0] in "[{" and not _GOES_ON.match(line, mark.column):  # what closes there was meant so
        return ""
    return "put the whole value in quotes: '{}'".format(found[1].replace("'", "''"))


def _stands(text: str, mark: Any) -> str:
    """The character at a mark; empty at the end of its line."""
    return _line(text, mark)[mark.column : mark.column + 1]


def _line(text: str, mark: Any) -> str:
    """The line of a mark; empty where nobody knows it, or behind the last one."""
    lines = text.splitlines()
    return lines[mark.line] if mark and mark.line < len(lines) else ""


def _nested(place: FilePosition) -> Problem:
    return Problem(place, f"nested deeper than {MAX_DEPTH} levels", "flatten it")


def _build(node: "yaml.Node", path: Path, document: Document, problems: list[Problem], marks: Any) -> Any:
    import yaml  # noqa: PLC0415

    at, begins, merges = marks
    document.values[path] = at(node.start_mark)
    if isinstance(node, yaml.ScalarNode):
        document.texts[path] = begins(node)
        return _scalar(node)
    if len(path) >= MAX_DEPTH:
        raise Invalid([_nested(document.values[path])])
    if isinstance(node, yaml.SequenceNode):
        return [_build(item, (*path, i), document, problems, marks) for i, item in enumerate(node.value)]
    mapping: dict[str, Any] = {}
    for key, value in _pairs(node, merges=merges):
        place = at(key.start_mark)
        if not isinstance(key, yaml.ScalarNode):
            problems.append(Problem(place, "a key must be plain text", "quote it if it starts with [ or {"))
            continue
        name = str(key.value)
        if name in mapping:
            first = document.keys[*path, name]
            problems.append(Problem(place, f'duplicate key "{name}"', f"it stands already in line {first.line}"))
            continue
        document.keys[*path, name] = place
        mapping[name] = _build(value, (*path, name), document, problems, marks)
    return mapping


def _pairs(node: "yaml.Node", *, merges: bool) -> "Iterator[tuple[yaml.Node, yaml.Node]]":
    """The keys of a mapping and their values; those that `<<` takes in come last, where it has none of the name."""
    merged = [value for key, value in node.value if key.tag == _MERGE] if merges else []
    own = [pair for pair in node.value if pair[0].tag != _MERGE] if merged else node.value
    yield from own
    if not merged:
        return
    taken = {key.value for key, _ in own if isinstance(key.value, str)}
    for each in merged:
        for other in each.value if each.id == "sequence" else [each]:
            for key, value in _pairs(other, merges=merges) if other.id == "mapping" else ():
                if isinstance(key.value, str) and key.value not in taken:
                    taken.add(key.value)
                    yield key, value


def _scalar(node: "yaml.ScalarNode") -> Any:
    text = str(node.value)
    if node.style:  # quoted or a block: always text
        return text
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    if _WHOLE.fullmatch(text):  # as text where 64 bits can't hold it, so that it is no number of less precision
        return int(text) if _INT.fullmatch(text) and int(text) in _INT64 else text
    number = float(text) if _FLOAT.fullmatch(text) else math.inf
    return number if math.isfinite(number) else text
