"""Environment variables that configure clients, in `.env` files, compose files, charts' values and manifests.

`SPRING_KAFKA_…` is bound by Spring Boot, `CONNECT_…` by the images of Connect. `KAFKA_…` is that of an application
where it names a setting of clients, and of a broker where any variable beside it does.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from runbook.formats.client_files.spring import by_variable
from runbook.formats.client_files.written import Settings, WrittenSetting, written
from runbook.formats.setting_names import CLIENT, names
from runbook.parse.yaml_document import Document, Path

_VARIABLE: Final = re.compile(r"(?:SPRING_KAFKA|KAFKA|CONNECT)_[A-Z0-9_]+")
_LINE: Final = re.compile(rf"[ \t]*(?:export[ \t]+)?({_VARIABLE.pattern})=(.*)")
_PROPERTIES: Final = re.compile(r"[\w.-]+\.(properties|conf|ya?ml)")
_OF_BROKERS: Final = {"process.roles", "broker.id", "node.id", "zookeeper.connect", "listeners", "advertised.listeners"}
_SHORT: Final = re.compile(r"(?<!\$)\$([A-Za-z_]\w*)")
"""A reference to a variable as compose files and .env files may have it, without braces."""
_IN_POD: Final = re.compile(r"(?<!\$)\$\(([A-Za-z_][\w.-]*)\)")
_LONGEST = 100_000  # characters of a file within a file: our judgement, a configuration has some thousand


def variables_of_file(text: str, path: str) -> Settings:
    """The variables of a `.env` file."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if match := _LINE.fullmatch(line):
            value = match[2].strip()
            bare = value[1:-1] if value.startswith("'") and value.endswith("'") else _braced(value).strip('"')
            found.append(WrittenSetting(match[1], bare, number, match.start(1) + 1, path))
    return found


def variables_within(document: Document) -> Iterator[tuple[str, Settings]]:
    """The groups of variables that stand together somewhere in a document, each with the path that leads there."""
    for path, value in _nodes(document.value, ()):
        found = [*_variables(document, path, value)]
        if found:
            yield ".".join(str(part) for part in path if part not in ("environment", "env")), found


def files_within(document: Document) -> Iterator[tuple[str, str, int]]:
    """The files that stand in a document as texts, as in a ConfigMap: the name, the text, the line before its first."""
    for path, value in _nodes(document.value, ()):
        for key, text in value.items() if isinstance(value, dict) else ():
            if isinstance(text, str) and "\n" in text and _PROPERTIES.fullmatch(key) and len(text) <= _LONGEST:
                yield key, text, document.inside((*path, key), 1, 1).line - 1


def client_settings(variables: Settings) -> Iterator[tuple[str, Settings]]:
    """What variables that stand together set, by what reads them: spring, connect or ""; nothing if it is a broker."""
    spring = [item._replace(name=by_variable(item.name)) for item in variables if item.name.startswith("SPRING_")]
    connect = [item._replace(name=_dotted(item.name)) for item in variables if item.name.startswith("CONNECT_")]
    plain = [item._replace(name=_dotted(item.name)) for item in variables if item.name.startswith("KAFKA_")]
    if spring:
        yield "spring", spring
    if connect:
        yield "connect", connect
    if not any(item.name in _OF_BROKERS for item in plain):
        own = [item for item in plain if item.name in _names_of_clients()]
        yield from [("", own)] if own else []


def _dotted(name: str) -> str:
    """A setting as images write it: two underscores are one, three a hyphen (as Confluent's images have them)."""
    bare = name.partition("_")[2].lower()
    return bare.replace("___", "-").replace("__", "\0").replace("_", ".").replace("\0", "_")


@cache
def _names_of_clients() -> frozenset[str]:
    return frozenset(name for kind in CLIENT for of in names()[kind].values() for name in of)


def _nodes(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    if isinstance(value, dict | list):
        yield path, value
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _nodes(inner, (*path, key))


def _variables(document: Document, path: Path, value: Any) -> Iterator[WrittenSetting]:
    """Variables that a node sets itself: a mapping of them, a list of {name, value}, or of NAME=value."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if _VARIABLE.fullmatch(key) and not isinstance(inner, dict | list):
                yield written(key, _braced(inner), document.key((*path, key)))
        return
    for place, inner in enumerate(value):
        at = document.place((*path, place))
        if isinstance(inner, dict) and _VARIABLE.fullmatch(str(inner.get("name"))) and "value" in inner:
            value = inner["value"]
            said = _IN_POD.sub(r"${\1}", value) if isinstance(value, str) else value  # as a Pod has it
            yield written(inner["name"], said, document.key((*path, place, "value")))
        elif isinstance(inner, str) and (match := _LINE.fullmatch(inner)):
            yield written(match[1], _braced(match[2]), at)


def _braced(value: Any) -> Any:
    """A value with references to variables in their longer form."""
    return _SHORT.sub(r"${\1}", value) if isinstance(value, str) else value
