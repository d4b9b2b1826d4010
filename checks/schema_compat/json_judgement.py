"""Whether every value that is valid for a writer's JSON Schema is valid for a reader's.

Not to be decided in general in bearable time. What is answered is safe: nothing is said when every value was shown to
be valid, a clash where a rule of the reader's does not follow from the writer's, `UndecidedSchema` where none can tell.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec.structs import replace

from schema_compat.json_arrays import arrays
from schema_compat.json_node import (
    ARRAY,
    BOOLEAN,
    FRACTION,
    NULL,
    OBJECT,
    STRING,
    WHOLE,
    SchemaCase,
    SchemaNode,
    cases,
    equal,
    evaluates_alone,
    same,
)
from schema_compat.json_objects import at, objects, required
from schema_compat.json_valid import valid
from schema_compat.json_values import counts, numbers, texts
from schema_compat.parsed import UNDECIDED, Clash, UndecidedSchema

_DEEPEST: Final = 60
_MOST_PAIRS: Final = 20_000
_MOST_VALUES: Final = 1_000
_COMPARED: Final = ("unevaluatedProperties", "unevaluatedItems", "$dynamicRef", "$recursiveRef")
"""Keywords that are only compared with the writer's: what they let be is not worked out."""

_NAMES: Final = {WHOLE: "whole numbers", FRACTION: "numbers with a fraction"}


class JsonJudgement:
    """One judgement of two schemas.

    Schemas within themselves meet themselves: a pair that is being looked at counts as fine for so long. Where that
    turns out wrong, all is looked at again with what was learnt, until nothing more is learnt.
    """

    def __init__(self) -> None:
        self._bad: dict[object, Clash] = {}
        self._met: dict[object, list[Clash]] = {}
        self._pairs = 0

    def clashes(self, reader: SchemaNode, writer: SchemaNode) -> list[Clash]:
        """What the reader does not take of what is valid for the writer.

        Raises:
            Undecided: nothing that it does not take was found, but not everything could be told.
        """
        while True:
            known, self._met = len(self._bad), {}
            found = self._all(reader, [writer], 0)
            if len(self._bad) == known:
                break
        real = [clash for clash in found if clash.rule != UNDECIDED]
        if found and not real:
            raise UndecidedSchema(f"{found[0].path or 'the schema'}: {found[0].words}")
        return real

    def _all(self, reader: SchemaNode, writers: Sequence[SchemaNode], depth: int) -> list[Clash]:
        """In every case in which all the writer's schemas hold."""
        try:
            found = [clash for case in cases(writers) for clash in self._case(reader, case, depth)]
        except UndecidedSchema as doubt:
            return [Clash("", UNDECIDED, str(doubt))]
        return list(dict.fromkeys(found))

    def _case(self, reader: SchemaNode, case: SchemaCase, depth: int) -> list[Clash]:
        if reader.schema is True:
            return []
        pair = (reader.key, case.key)
        if pair in self._met:
            return self._met[pair][:1] or ([self._bad[pair]] if pair in self._bad else [])
        self._pairs += 1
        if depth > _DEEPEST or self._pairs > _MOST_PAIRS:
            raise UndecidedSchema("The schemas are too entangled to be gone through")
        self._met[pair] = []
        try:
            found = list(dict.fromkeys(self._look(reader, case, depth)))
        except UndecidedSchema as doubt:
            found = [Clash("", UNDECIDED, str(doubt))]
        self._met[pair] = found
        if found:
            self._bad.setdefault(pair, found[0])
        return found

    def _look(self, reader: SchemaNode, case: SchemaCase, depth: int) -> Iterator[Clash]:
        if any(same(reader, atom) for atom in case.atoms):
            return
        if (values := _finite(case)) is not None:
            yield from _refused(reader, values, "enum" if any(atom.listed for atom in case.atoms) else "type")
            return
        if reader.schema is False:
            yield Clash("", "nothing", "the reader takes nothing there, and the writer may write something")
            return
        target = reader.target
        if target is not None:
            yield from self._case(target, case, depth + 1)
            if reader.only_refers:
                return
        for part in reader.children("allOf"):
            yield from self._case(part, case, depth + 1)
        for keyword in ("anyOf", "oneOf"):
            if branches := reader.children(keyword):
                yield from self._branches(keyword, branches, case, depth)
        yield from self._own(reader, case, depth)
        yield from self._compared(reader, case, depth)

    def _own(self, reader: SchemaNode, case: SchemaCase, depth: int) -> Iterator[Clash]:
        """What the reader's own keywords ask of each type of value."""
        if reader.listed is not None:
            yield Clash("", "enum", f"the reader takes only {_shown(reader.listed)}, and the writer others too")
            return
        if other := case.types - reader.types:
            yield Clash("", "type", f"the reader does not take {_types(other)}, which the writer may write")
        types = case.types & reader.types
        if STRING in types:
            yield from (Clash("", *problem) for problem in (*counts("string", reader, case), *texts(reader, case)))
        for kind in (WHOLE, FRACTION):
            if kind in types:
                yield from (Clash("", *number) for number in numbers(kind, reader, case))

        def judge(inner: SchemaNode, writers: Sequence[SchemaNode]) -> list[Clash]:
            return self._all(inner, writers, depth + 1)

        if ARRAY in types:
            yield from arrays(reader, case, judge)
        if OBJECT in types:
            yield from objects(reader, case, judge)

    def _compared(self, reader: SchemaNode, case: SchemaCase, depth: int) -> Iterator[Clash]:
        for keyword in _COMPARED:
            alike = keyword == "unevaluatedProperties" and evaluates_alone(reader)
            if reader.get(keyword) is not None and not alike:
                raise UndecidedSchema(f"The reader has {keyword}, of which is not worked out what it lets be")
        if (condition := reader.one("if")) and (reader.one("then") or reader.one("else")):
            parts = [part for part in (condition, reader.one("then"), reader.one("else")) if part]
            if not any(_has(atom, ("if", "then", "else"), parts) for atom in case.atoms):
                raise UndecidedSchema("The reader's if, then and else are not the writer's")
        banned = reader.one("not")
        if banned is None or any(_has(atom, ("not",), [banned]) for atom in case.atoms):
            return
        if not self._apart(banned, case, depth):
            raise UndecidedSchema("What the reader's `not` leaves out may be among what the writer writes")
        yield from ()

    def _branches(self, keyword: str, branches: list[SchemaNode], case: SchemaCase, depth: int) -> Iterator[Clash]:
        """A branch takes all of the case, or all of each type of it; of oneOf no other one may take any."""
        whole = self._branch(keyword, branches, case, depth)
        if whole and len(case.types) > 1:
            parts = [replace(case, types=frozenset((kind,))) for kind in sorted(case.types)]
            whole = [clash for part in parts for clash in self._branch(keyword, branches, part, depth)]
        yield from whole

    def _branch(self, keyword: str, branches: list[SchemaNode], case: SchemaCase, depth: int) -> list[Clash]:
        doubts: list[Clash] = []
        clashes: list[Clash] = []
        for branch in branches:
            found = self._case(branch, case, depth + 1)
            if not found:
                others = [part for part in branches if part is not branch] if keyword == "oneOf" else []
                if all(self._apart(other, case, depth) for other in others):
                    return []
                found = [Clash("", UNDECIDED, "Two branches of the reader's oneOf may take the same value")]
            if all(clash.rule == UNDECIDED for clash in found):
                doubts = found
            elif not any(clash.rule == "type" and not clash.path for clash in found):
                clashes = clashes or found
        return (
            doubts
            or clashes
            or [Clash("", keyword, f"no branch of the reader takes every {_types(case.types)} of the writer's")]
        )

    def _apart(self, other: SchemaNode, case: SchemaCase, depth: int) -> bool:
        """Whether no value of the case is valid for a schema."""
        try:
            return all(self._disjoint(theirs, case, depth) for theirs in cases([other]))
        except UndecidedSchema:
            return False

    def _disjoint(self, other: SchemaCase, case: SchemaCase, depth: int) -> bool:
        types = other.types & case.types
        if not types:
            return True
        if (values := _finite(case)) is not None:
            return not any(all(valid(atom, value) for atom in other.atoms) for value in values)
        if any(not self._case(node, other, depth + 1) for node in case.negated):
            return True
        if types != {OBJECT}:
            return False
        return any(_distinguishes(name, case, other) for name in required(case)) or any(
            _distinguishes(name, other, case) for name in required(other)
        )


def _distinguishes(name: str, needs: SchemaCase, other: SchemaCase) -> bool:
    """Whether a field that one case needs has a value there that it can't have in the other, or is not let be."""
    theirs = [node for atom in other.atoms for node in at(atom, name)]
    if any(node.schema is False for node in theirs):
        return True
    mine = _values([node for atom in needs.atoms for node in at(atom, name)])
    others = _values(theirs)
    if mine is None or others is None:
        return False
    return not any(equal(value, another) for value in mine for another in others)


def _values(nodes: Sequence[SchemaNode]) -> list[Any] | None:
    """Every value that all schemas let be; None if they are not given one by one."""
    found = []
    for case in cases(nodes):
        values = _finite(case)
        if values is None:
            return None
        found += values
    return found


def _finite(case: SchemaCase) -> list[Any] | None:
    """The values of a case where they are given one by one."""
    lists = [values for atom in case.atoms if (values := atom.listed) is not None]
    if not lists:
        if not case.types <= {NULL, BOOLEAN}:
            return None
        lists = [[None, False, True]]
    if len(lists[0]) > _MOST_VALUES:
        raise UndecidedSchema(f"An enum has more than {_MOST_VALUES:,} values: more than are gone through")
    return [
        value
        for value in lists[0]
        if _type(value) in case.types and all(any(equal(value, other) for other in values) for values in lists[1:])
    ]


def _type(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return NULL if value is None else BOOLEAN
    if isinstance(value, int | float):
        return WHOLE if value == value // 1 else FRACTION
    return STRING if isinstance(value, str) else ARRAY if isinstance(value, list) else OBJECT


def _refused(reader: SchemaNode, values: list[Any], rule: str) -> list[Clash]:
    refused = [value for value in values if not valid(reader, value)]
    return [Clash("", rule, f"the reader does not take {_shown(refused)}")] if refused else []


def _has(node: SchemaNode, keywords: Sequence[str], parts: Sequence[SchemaNode]) -> bool:
    theirs = [part for keyword in keywords if (part := node.one(keyword))]
    return len(theirs) == len(parts) and all(same(node, other) for node, other in zip(parts, theirs, strict=True))


def _shown(values: list[Any]) -> str:
    return ", ".join(json.dumps(value, ensure_ascii=False)[:40] for value in values[:5])


def _types(types: frozenset[str]) -> str:
    if {WHOLE, FRACTION} <= types:
        types = types - {WHOLE, FRACTION} | {"number"}
    return " or ".join(_NAMES.get(kind, kind) for kind in sorted(types))
