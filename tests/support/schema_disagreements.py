"""Where our verdict is not the registry's: every class of it, and how a pair is known for one.

docs/explanation/schema-compatibility.md has the same table; a test sees to that.
"""

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from msgspec import Struct

from schema_compat import Clash, parse
from schema_compat.protobuf_schema import ProtobufParsed
from support.json_samples import samples, takes
from support.schema_pairs import COMPATIBLE, INCOMPATIBLE, Pair, judged

_SAMPLES = 60


class Disagreement(Struct, frozen=True):
    """A class of pairs.

    Attributes:
        name: as the page of docs has it.
        kind: of schema.
        ours: our verdict; the registry's is the other one.
        holds: whether a pair is of it, told from the schemas and from what we say, not from how the pair was made.
    """

    name: str
    kind: str
    ours: str
    holds: Callable[[Pair, list[Clash]], bool]


def explained(pair: Pair) -> list[str]:
    """The classes of which a pair is on which we and the registry disagree."""
    ours, found = judged(pair)
    return [
        disagreement.name
        for disagreement in DISAGREEMENTS
        if disagreement.kind == pair.kind and disagreement.ours == ours and disagreement.holds(pair, found)
    ]


def _only(*rules: str) -> Callable[[Pair, list[Clash]], bool]:
    """All that we have against the pair is by these rules."""
    return lambda pair, found: bool(pair) and {clash.rule for clash in found} <= set(rules)


# JSON Schema: what is valid decides. A class holds only if values bear it out.


def _all_valid(pair: Pair) -> bool:
    return all(
        takes(pair.reader, sample) for sample in samples(pair.writer, pair.reader, Random(pair.writer), _SAMPLES)
    )


def _some_invalid(pair: Pair) -> bool:
    """A value that the writer may write and the reader refuses."""
    tried = samples(pair.writer, pair.reader, Random(pair.writer), 20 * _SAMPLES)
    return any(not takes(pair.reader, sample) for sample in tried)


def _differences(reader: Any, writer: Any) -> Iterator[tuple[Any, Any]]:
    """The schemas at the same place that differ, the innermost ones that have a type on both sides."""
    if isinstance(reader, dict) and isinstance(writer, dict) and reader.get("type") == writer.get("type") == "object":
        mine, theirs = reader.get("properties", {}), writer.get("properties", {})
        for name in mine.keys() | theirs.keys():
            yield from _differences(mine.get(name), theirs.get(name))
        rest = [
            {word: value for word, value in schema.items() if word not in ("properties", "definitions")}
            for schema in (reader, writer)
        ]
        if rest[0] != rest[1]:
            yield rest[0], rest[1]
    elif isinstance(reader, dict) and isinstance(writer, dict) and reader.get("type") == writer.get("type") == "array":
        yield from _differences(reader.get("items"), writer.get("items"))
        if {**reader, "items": 0} != {**writer, "items": 0}:
            yield {**reader, "items": 0}, {**writer, "items": 0}
    elif reader != writer:
        yield reader, writer


def _json(test: Callable[[Any, Any], bool]) -> Callable[[Pair, list[Clash]], bool]:
    """Some difference passes a test, and every value that is tried is valid."""

    def holds(pair: Pair, found: list[Clash]) -> bool:
        del found
        differences = _differences(json.loads(pair.reader), json.loads(pair.writer))
        return any(test(reader, writer) for reader, writer in differences) and _all_valid(pair)

    return holds


def _becomes_branch(reader: Any, writer: Any) -> bool:
    """What was one type is one of several."""
    several = isinstance(reader, dict) and (isinstance(reader.get("type"), list) or reader.keys() & {"oneOf", "anyOf"})
    return bool(several) and isinstance(writer, dict)


def _one_by_one(reader: Any, writer: Any) -> bool:
    return isinstance(writer, dict) and bool(writer.keys() & {"const", "enum"}) and reader != writer


def _says_nothing(reader: Any, writer: Any) -> bool:
    """One side has a schema for the field that takes all that the other one, which names no such field, lets be."""
    return reader is None or writer is None


def _holds_anyway(reader: Any, writer: Any) -> bool:
    """A bound is new that the writer's own bounds already imply."""
    bounds = {"maxProperties", "minProperties", "multipleOf", "maxItems", "uniqueItems", "minimum", "exclusiveMinimum"}
    return isinstance(reader, dict) and isinstance(writer, dict) and bool((reader.keys() - writer.keys()) & bounds)


# Protobuf: the registry compares texts of files; what is on the wire decides here.


def _files(pair: Pair) -> tuple[ProtobufParsed, ProtobufParsed]:
    reader, writer = parse(pair.kind, pair.reader), parse(pair.kind, pair.writer)
    assert isinstance(reader, ProtobufParsed)
    assert isinstance(writer, ProtobufParsed)
    return reader, writer


def _members(pair: Pair) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Fields by name of each message that both have: the reader's and the writer's."""
    reader, writer = _files(pair)
    ours = {name.removeprefix(reader.file.package): message for name, message in reader.messages.items()}
    for name, message in writer.messages.items():
        if known := ours.get(name.removeprefix(writer.file.package)):
            yield {member.name: member for member in known.members}, {member.name: member for member in message.members}


def _both(pair: Pair) -> Iterator[tuple[Any, Any]]:
    """Fields of one name in both."""
    return ((mine[name], theirs[name]) for mine, theirs in _members(pair) for name in mine.keys() & theirs.keys())


def _gone(pair: Pair, found: list[Clash]) -> bool:
    """A name of the writer's is not there any more: removed, or another one has its number."""
    del found
    return any(theirs.keys() - mine.keys() for mine, theirs in _members(pair)) or _value_gone(pair)


def _value_gone(pair: Pair) -> bool:
    reader, writer = _files(pair)
    ours = {name.removeprefix(reader.file.package): enum for name, enum in reader.enums.items()}
    return any(
        enum.values.keys() - ours[name.removeprefix(writer.file.package)].values.keys()
        for name, enum in writer.enums.items()
        if name.removeprefix(writer.file.package) in ours
    )


def _labels(pair: Pair, found: list[Clash]) -> bool:
    del found
    return any(mine.label != theirs.label for mine, theirs in _both(pair))


def _types(pair: Pair, found: list[Clash]) -> bool:
    del found
    return any((mine.type, mine.key) != (theirs.type, theirs.key) for mine, theirs in _both(pair))


def _package(pair: Pair, found: list[Clash]) -> bool:
    del found
    reader, writer = _files(pair)
    return reader.file.package != writer.file.package


def _unreserved(pair: Pair, found: list[Clash]) -> bool:
    del found
    reader, writer = _files(pair)
    return any("reserved" in sentence for sentence in reader.unreserved(writer))


DISAGREEMENTS = (
    Disagreement("decimal of another scale", "AVRO", INCOMPATIBLE, _only("scale", "logical type")),
    Disagreement("logical type that means something else", "AVRO", INCOMPATIBLE, _only("logical type", "scale")),
    Disagreement("one type becomes one of several", "JSON", COMPATIBLE, _json(_becomes_branch)),
    Disagreement("values given one by one", "JSON", COMPATIBLE, _json(_one_by_one)),
    Disagreement("field of which nothing new is said", "JSON", COMPATIBLE, _json(_says_nothing)),
    Disagreement("bound that held before", "JSON", COMPATIBLE, _json(_holds_anyway)),
    Disagreement(
        "field narrower than what was open",
        "JSON",
        INCOMPATIBLE,
        lambda pair, found: _only("open", "closed", "type", "enum")(pair, found) and _some_invalid(pair),
    ),
    Disagreement(
        "minimum beside exclusiveMinimum",
        "JSON",
        INCOMPATIBLE,
        lambda pair, found: _only("minimum", "maximum")(pair, found) and _some_invalid(pair),
    ),
    Disagreement(
        "branches under another word",
        "JSON",
        INCOMPATIBLE,
        lambda pair, found: _only("anyOf", "oneOf", "type", "enum")(pair, found) and _some_invalid(pair),
    ),
    Disagreement("field or value removed or renamed", "PROTOBUF", COMPATIBLE, _gone),
    Disagreement("label that reads alike", "PROTOBUF", COMPATIBLE, _labels),
    Disagreement("type that holds all of the old one", "PROTOBUF", COMPATIBLE, _types),
    Disagreement("another package", "PROTOBUF", COMPATIBLE, _package),
    Disagreement("reservation given up", "PROTOBUF", COMPATIBLE, _unreserved),
    Disagreement("fields gathered in a oneof", "PROTOBUF", INCOMPATIBLE, _only("oneof")),
)
