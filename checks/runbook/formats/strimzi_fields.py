"""What Strimzi's API takes: fields, types and allowed values of its resources, by version of the API.

They are in `strimzi_fields.json`, read from the definitions that releases install (`tests/support/strimzi_fields.py`
makes it again). Of a version of the API it holds what any of these releases has, and requires what all of them do.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple

_KINDS: Final[dict[str, tuple[type, ...]]] = {
    "s": (str,),
    "i": (int,),
    "n": (int, float),
    "b": (bool,),
    "q": (str, int),
}
_WORDS: Final = {
    "s": "text",
    "i": "a whole number",
    "n": "a number",
    "b": "true or false",
    "q": "a number or text",
}
_TOP: Final = ("apiVersion", "kind", "metadata", "spec", "status", "source", "marks")
_GROUP: Final = "kafka.strimzi.io"
_MOST: Final = 20
"""Of one resource: who has mended these looks again."""

Node = Mapping[str, Any]
Steps = tuple[str | int, ...]


class RefusedField(NamedTuple):
    """What is wrong with a field: in words, and the path of the field, or of that in which one is missing."""

    says: str
    path: Steps


def refused(resource: Mapping[str, Any]) -> list[RefusedField]:
    """What an API server would refuse of a resource, or leave out: unknown fields, missing ones, wrong values."""
    kind, version = str(resource.get("kind")), str(resource.get("apiVersion")).rpartition("/")[2]
    table = _table()
    versions = table["kinds"].get(kind, {})
    if not versions:
        return [
            RefusedField(f"Strimzi {table['releases']} has no kind {kind}{_meant(kind, table['kinds'])}", ("kind",))
        ]
    group = str(resource.get("apiVersion")).partition("/")[0]
    if group != _GROUP:
        return [RefusedField(f"no API has the group {group}: {_GROUP}?", ("apiVersion",))]
    if version not in versions:
        return [RefusedField(f"{version} has no {kind} in Strimzi {table['releases']}", ("apiVersion",))]
    unknown = (_unknown((key,), _TOP[:4]) for key in resource if key not in _TOP)
    found = chain(unknown, _problems(("spec",), resource.get("spec") or {}, versions[version], table["nodes"]))
    return [problem for problem, _ in zip(found, range(_MOST), strict=False)]


@cache
def _table() -> dict[str, Any]:
    table: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
    return table


def _problems(path: Steps, value: Any, place: int, nodes: list[Any]) -> Iterator[RefusedField]:
    """What is wrong at a place and below it."""
    node = nodes[place]
    if value is None:  # null is as if nothing stood there
        return
    if not isinstance(node, dict) or "e" in node:
        yield from _of_value(path, value, node)
    elif "l" in node:
        if not isinstance(value, list):
            yield _is(path, "not a list")
            return
        for at, item in enumerate(value):
            yield from _problems((*path, at), item, node["l"], nodes)
    elif not isinstance(value, dict):
        yield _is(path, "not an object")
    elif "m" in node:
        for key, item in value.items():
            yield from _problems((*path, key), item, node["m"], nodes)
    else:
        yield from _fields(path, value, node, nodes)


def _of_value(path: Steps, value: Any, node: Any) -> Iterator[RefusedField]:
    if isinstance(node, dict):
        if str(value) not in node["e"]:
            yield _is(path, f"{str(value)[:40]!r}, none of {', '.join(node['e'])}")
    elif node in _KINDS and (not isinstance(value, _KINDS[node]) or (isinstance(value, bool) and node != "b")):
        yield _is(path, f"not {_WORDS[node]}")


def _fields(path: Steps, value: dict[str, Any], node: Node, nodes: list[Any]) -> Iterator[RefusedField]:
    fields = node["f"]
    for key, item in value.items():
        if key in fields:
            yield from _problems((*path, key), item, fields[key], nodes)
        else:
            yield _unknown((*path, key), fields)
    for key in node.get("r", ()):
        if value.get(key) is None:
            yield RefusedField(f"{written((*path, key))} is missing", path)


def _unknown(path: Steps, fields: Iterable[str]) -> RefusedField:
    return _is(path, f"no field{_meant(str(path[-1]), fields)}")


def _meant(word: str, known: Iterable[str]) -> str:
    """What is called nearly so, as the end of a sentence."""
    close = get_close_matches(word, known, n=1)
    return f": {close[0]}?" if close else ""


def _is(path: Steps, what: str) -> RefusedField:
    return RefusedField(f"{written(path)} is {what}", path)


def written(path: Steps) -> str:
    """A path as kubectl writes it: spec.kafka.listeners[0].port."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")
