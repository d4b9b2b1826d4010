"""What files say, before any framework's rules: settings under their own names, with where each stands."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from runbook.formats.java_properties import read_properties
from runbook.model.errors import FilePosition, Garbled, Invalid
from runbook.parse.yaml_document import Document, Path, read_yaml
from runbook.safety.sanitize import sanitize

_NEXT = re.compile(r"^(?:#|!)---[ \t]*$", re.MULTILINE)
_NEXT_YAML = re.compile(r"---(?:\s|$)")


class WrittenSetting(NamedTuple):
    """A setting as a file has it, under its own name there; line and column count from 1."""

    name: str
    value: str
    line: int
    column: int = 1
    file: str = ""


Settings = list[WrittenSetting]


def properties_documents(text: str, path: str) -> Iterator[Settings]:
    """The documents of a properties file: Spring Boot begins another one at `#---`, and nothing else does."""
    pieces, line = _NEXT.split(text), 0
    for piece in pieces:
        read = read_properties(piece)
        yield [WrittenSetting(one.name, one.value, line + one.line, one.column, path) for one in read]
        line += piece.count("\n")


def yaml_documents(text: str, path: str) -> Iterator[Document]:
    """The documents of a YAML file, of which JSON is a part; empty ones are left out.

    Raises:
        Garbled: one of them is none.
    """
    begin, lines = 1, list[str]()
    for number, line in enumerate([*text.splitlines(), "---"], 1):
        if not _NEXT_YAML.match(line):
            lines.append(line)
            continue
        try:
            document = read_yaml("\n".join(lines), path, line=begin, aliases=True)
        except Invalid as invalid:
            first = invalid.problems[0]
            remedy = f"; {first.remedy}" if first.remedy else ""
            raise Garbled(f"{path} can't be read: line {first.place.line}: {sanitize(first.message)}{remedy}") from None
        if document.value is not None:
            yield document
        begin, lines = number + 1, []


_PLAIN_INT = re.compile(r"[-+]?(?:0b_*[01][01_]*|0x_*[0-9a-fA-F][0-9a-fA-F_]*|0[0-7_]*|[1-9][0-9_]*)")
_BASES = {"0b": 2, "0x": 16}


def by_snake_yaml(document: Document, item: WrittenSetting, path: Path) -> WrittenSetting:
    """A value as SnakeYAML gives it to Java's frameworks, by YAML 1.1: 45_000 is a number, and `on` a switch."""
    text = document.texts.get(path)
    bare = item.value.strip()
    if text is None or text.quoted:
        return item
    if bare.lower() in ("yes", "on", "no", "off"):
        return item._replace(value="true" if bare.lower() in ("yes", "on") else "false")
    if not _PLAIN_INT.fullmatch(bare):
        return item
    digits, negative = bare.lstrip("+-").replace("_", ""), bare.startswith("-")
    base = _BASES.get(digits[:2].lower(), 8 if digits.startswith("0") else 10)
    return item._replace(value=str(-int(digits, base) if negative else int(digits, base)))


def flat(document: Document, inner: Path = ()) -> Iterator[WrittenSetting]:
    """Every value below a path of a document, with its own path as a name with dots."""
    value: Any = document.value
    for part in inner:
        value = value[part]
    yield from _walk(document, value, inner, "")


def _walk(document: Document, value: Any, path: Path, name: str) -> Iterator[WrittenSetting]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _walk(document, inner, (*path, key), f"{name}.{key}" if name else str(key))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _walk(document, inner, (*path, place), f"{name}[{place}]")
    else:
        yield by_snake_yaml(document, written(name, value, document.place(path)), path)


def written(name: str, value: Any, at: FilePosition) -> WrittenSetting:
    """A setting of a YAML file, whose values are not all texts."""
    text = "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
    return WrittenSetting(name, text, at.line, at.column, at.file)
