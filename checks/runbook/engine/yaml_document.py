"""YAML read safely, with the position of every value.

Plain scalars follow YAML 1.2's core schema (`on` and `yes` are strings, as in Kafka's settings). Aliases, anchors and
tags are refused, and size and depth are bounded, so that a few hundred bytes can't expand into gigabytes.
"""

import re
from collections.abc import Iterator
from typing import Any

import yaml
from msgspec import Struct

from runbook.engine.errors import Invalid, Place, Problem

MAX_BYTES = 1_000_000  # our judgement: the longest of our runbooks has a tenth of it
MAX_DEPTH = 32  # our judgement: the deepest block of ours has eight levels
Path = tuple[str | int, ...]

_INT = re.compile(r"[-+]?[0-9]{1,18}")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_WORDS: dict[str, bool | None] = {"": None, "null": None, "~": None, "true": True, "false": False}


class Document(Struct):
    """A YAML value, and where each part of it stands.

    `values` and `keys` map the path of a value (`("facts", "topic", "probe")`) to the place of the value itself and
    of the key that names it.
    """

    value: Any
    start: Place
    values: dict[Path, Place]
    keys: dict[Path, Place]

    def place(self, path: Path) -> Place:
        """Where the value at a path stands; for a path that is not there, its nearest parent."""
        while path and path not in self.values:
            path = path[:-1]
        return self.values.get(path, self.start)

    def key(self, path: Path) -> Place:
        """Where the key that names a path stands."""
        return self.keys.get(path) or self.place(path)


def read_yaml(text: str, file: str, *, line: int = 1) -> Document:
    """Read one YAML document whose first line is line `line` of `file`.

    Raises:
        Invalid: the text is no YAML, or uses what this reader refuses; with every problem found.
    """
    start = Place(file, line)

    def at(mark: yaml.Mark | None) -> Place:
        return Place(file, line + mark.line, mark.column + 1) if mark else start

    if len(text) > MAX_BYTES:
        raise Invalid([Problem(start, f"more than {MAX_BYTES:,} characters of YAML", "split it")])
    try:
        _refuse_bombs(text, at)
        node = yaml.compose(text, Loader=yaml.CSafeLoader)
    except yaml.MarkedYAMLError as error:
        message = f"not valid YAML: {error.problem}"
        raise Invalid([Problem(at(error.problem_mark), message, "check indentation, quotes and colons")]) from error
    except yaml.YAMLError as error:
        raise Invalid([Problem(start, f"not valid YAML: {error}", "is this a text file?")]) from error
    document = Document(None, start, {}, {})
    if node is not None:
        problems: list[Problem] = []
        document.value = _build(node, (), document, problems, at)
        if problems:
            raise Invalid(problems)
    return document


def _refuse_bombs(text: str, at: Any) -> None:
    depth = 0
    for event in yaml.parse(text, Loader=yaml.CSafeLoader):
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            place = at(event.start_mark)
            raise Invalid([Problem(place, "anchors and aliases are not allowed", "write the value out")])
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > MAX_DEPTH:
                place = at(event.start_mark)
                raise Invalid([Problem(place, f"nested deeper than {MAX_DEPTH} levels", "flatten it")])
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


def _build(node: yaml.Node, path: Path, document: Document, problems: list[Problem], at: Any) -> Any:
    document.values[path] = at(node.start_mark)
    if isinstance(node, yaml.ScalarNode):
        return _scalar(node)
    if isinstance(node, yaml.SequenceNode):
        return [_build(item, (*path, i), document, problems, at) for i, item in enumerate(node.value)]
    mapping: dict[str, Any] = {}
    for key, value in _pairs(node):
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
        mapping[name] = _build(value, (*path, name), document, problems, at)
    return mapping


def _pairs(node: yaml.Node) -> Iterator[tuple[yaml.Node, yaml.Node]]:
    yield from node.value


def _scalar(node: yaml.ScalarNode) -> Any:
    text = str(node.value)
    if node.style:  # quoted or a block: always text
        return text
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    if _INT.fullmatch(text):
        return int(text)
    return float(text) if _FLOAT.fullmatch(text) else text
