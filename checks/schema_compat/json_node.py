"""A schema within a JSON Schema: where it stands, what it refers to, and into which cases it falls."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT4, DRAFT6, DRAFT7, DRAFT201909, DRAFT202012

from schema_compat.parsed import SchemaError, UndecidedSchema

NULL, BOOLEAN, WHOLE, FRACTION, STRING, ARRAY, OBJECT = (
    *("null", "boolean", "integer", "fraction"),
    *("string", "array", "object"),
)
TYPES: Final = frozenset((NULL, BOOLEAN, WHOLE, FRACTION, STRING, ARRAY, OBJECT))
"""What values are: numbers are whole or have a fraction, as JSON Schema tells `integer` from `number`."""

MOST_CASES: Final = 64
"""Cases of one schema (branches of oneOf and anyOf, multiplied) that are gone through."""
_MOST_STEPS: Final = 5_000

_KNOWN: Final[dict[int, Any]] = {4: DRAFT4, 6: DRAFT6, 7: DRAFT7, 2019: DRAFT201909, 2020: DRAFT202012}
_SINCE: Final = {
    **dict.fromkeys(("const", "contains", "propertyNames"), 6),
    **dict.fromkeys(("if", "then", "else"), 7),
    **dict.fromkeys(("dependentRequired", "dependentSchemas", "unevaluatedProperties", "unevaluatedItems"), 2019),
    **dict.fromkeys(("minContains", "maxContains", "$recursiveRef"), 2019),
    **dict.fromkeys(("prefixItems", "$dynamicRef"), 2020),
}
_UNTIL: Final = {"dependencies": 7, "additionalItems": 2019, "$recursiveRef": 2019}
"""From and up to which draft a keyword is one; before and after, it is a word like any other and means nothing."""

ANNOTATIONS: Final = frozenset(
    (
        *("title", "description", "default", "examples", "$comment", "deprecated", "readOnly", "writeOnly"),
        *("$schema", "$id", "id", "$anchor", "definitions", "$defs"),
    )
)
"""Keywords that say nothing about which values are valid."""


class SchemaNode(Struct, frozen=True, eq=False):
    """A schema, true or false, of a draft; `resolver` knows what it may refer to."""

    schema: dict[str, Any] | bool
    resolver: Any
    draft: int

    @property
    def key(self) -> object:
        """The same for the same place in the same text."""
        return self.schema if isinstance(self.schema, bool) else id(self.schema)

    def get(self, keyword: str) -> Any:
        """The value of a keyword that this draft knows; None if it is not there, or the schema is true or false."""
        # not made up: a table of ours: the drafts that know a keyword
        if isinstance(self.schema, bool) or not _SINCE.get(keyword, 0) <= self.draft <= _UNTIL.get(keyword, 9999):
            return None
        return self.schema.get(keyword)

    @property
    def listed(self) -> list[Any] | None:
        """The only values that `const` or `enum` let be; None where neither is there."""
        if isinstance(self.schema, bool):
            return None
        if self.draft >= _SINCE["const"] and "const" in self.schema:
            return [self.schema["const"]]
        values = self.get("enum")
        return list(values) if isinstance(values, list) else None

    def child(self, schema: dict[str, Any] | bool) -> "SchemaNode":  # noqa: FBT001 - true and false are schemas
        """A schema directly within this one."""
        resolver = self.resolver
        if isinstance(schema, dict) and ("$id" in schema or "id" in schema):
            resolver = resolver.in_subresource(self.resource(schema))
        return SchemaNode(schema, resolver, self.draft)

    def resource(self, schema: Any) -> Any:
        """A schema as the library of references has it."""
        return _KNOWN[self.draft].create_resource(schema)

    def children(self, keyword: str) -> list["SchemaNode"]:
        """The schemas in a keyword that has a list of them."""
        value = self.get(keyword)
        return [self.child(item) for item in value] if isinstance(value, list) else []

    def one(self, keyword: str) -> "SchemaNode | None":
        """The schema in a keyword that has one."""
        value = self.get(keyword)
        return self.child(value) if isinstance(value, dict | bool) else None

    def named(self, keyword: str) -> dict[str, "SchemaNode"]:
        """The schemas in a keyword that has them by name."""
        value = self.get(keyword)
        if not isinstance(value, dict):
            return {}
        return {name: self.child(item) for name, item in value.items() if isinstance(item, dict | bool)}

    @property
    def target(self) -> "SchemaNode | None":
        """The schema that this one refers to.

        Raises:
            SchemaError: there is none.
        """
        reference = self.get("$ref")
        if not isinstance(reference, str):
            return None
        try:
            found = self.resolver.lookup(reference)
        except (Unresolvable, ValueError) as error:
            raise SchemaError(f"The JSON schema refers to {reference[:200]}, which is not there") from error
        if not isinstance(found.contents, dict | bool):
            raise SchemaError(f"The JSON schema refers to {reference[:200]}, which is no schema")
        return SchemaNode(found.contents, found.resolver, self.draft)

    @property
    def only_refers(self) -> bool:
        """Up to draft 7 a reference stands for itself: what is beside it is not looked at."""
        return self.draft <= 7 and isinstance(self.get("$ref"), str)  # noqa: PLR2004 - the draft's name

    @property
    def types(self) -> frozenset[str]:
        """The types that its own `type` lets be."""
        written = self.get("type")
        if written is None:
            return TYPES if self.schema is not False else frozenset()
        words = written if isinstance(written, list) else [written]
        return frozenset(kind for word in words for kind in ((WHOLE, FRACTION) if word == "number" else (word,)))


class SchemaCase(Struct, frozen=True):
    """One of the cases into which a schema falls: all its atoms hold, and none of `negated` does."""

    atoms: tuple[SchemaNode, ...]
    negated: tuple[SchemaNode, ...] = ()
    types: frozenset[str] = TYPES

    @property
    def key(self) -> object:
        """The same for the same places in the same texts."""
        return (*(atom.key for atom in self.atoms), None, *(node.key for node in self.negated), self.types)

    def having(self, keyword: str) -> Iterator[tuple[SchemaNode, Any]]:
        """The atoms that have a keyword, and its value there."""
        for atom in self.atoms:
            if (value := atom.get(keyword)) is not None:
                yield atom, value


def cases(nodes: Iterable[SchemaNode]) -> list[SchemaCase]:
    """Every case in which all of the schemas hold: references followed, allOf joined, oneOf and anyOf taken apart.

    What says what may not be (`not`, `if`) is left out: a case may hold more values than the schema, never fewer.

    Raises:
        Undecided: there are more cases than are gone through.
    """
    done: list[SchemaCase] = []
    work = [_Open(tuple(nodes))]
    for _ in range(_MOST_STEPS):
        if not work:
            return done
        case = work.pop()
        if case.pending:
            work += case.opened()
        elif types := frozenset.intersection(TYPES, *(atom.types for atom in case.atoms)):
            done.append(SchemaCase(case.atoms, case.negated, types))
        if len(done) > MOST_CASES:
            break
    raise UndecidedSchema(f"A schema falls into more than {MOST_CASES} cases: more than are gone through")


class _Open(Struct, frozen=True):
    """A case of which some schemas have not been looked into; `seen` ends those that refer to themselves."""

    pending: tuple[SchemaNode, ...]
    atoms: tuple[SchemaNode, ...] = ()
    negated: tuple[SchemaNode, ...] = ()
    seen: frozenset[object] = frozenset()

    def opened(self) -> "list[_Open]":
        """With the first of them looked into: none where nothing is valid, several where it has branches."""
        first, rest = self.pending[0], self.pending[1:]
        if first.schema is False:
            return []
        if first.schema is True or first.key in self.seen:
            return [replace(self, pending=rest)]
        target = first.target
        pending = (*([target] if target else []), *rest)
        seen = self.seen | {first.key}
        if target is not None and first.only_refers:
            return [replace(self, pending=pending, seen=seen)]
        found = [_Open((*first.children("allOf"), *pending), (*self.atoms, first), self.negated, seen)]
        for keyword in ("anyOf", "oneOf"):
            if branches := first.children(keyword):
                found = [
                    open_.with_branch(branches, place, keyword) for open_ in found for place in range(len(branches))
                ]
        return found

    def with_branch(self, branches: list[SchemaNode], place: int, keyword: str) -> "_Open":
        """With one of some branches, and of oneOf without the others."""
        others = [branch for branch in branches if branch is not branches[place]] if keyword == "oneOf" else []
        return replace(self, pending=(branches[place], *self.pending), negated=(*self.negated, *others))


_LOOKS_TOO: Final = frozenset(
    (
        *("additionalProperties", "allOf", "anyOf", "oneOf", "not", "if", "then", "else"),
        *("dependentSchemas", "dependencies", "$ref", "$dynamicRef", "$recursiveRef"),
    )
)
_BY_NAME: Final = frozenset(("properties", "patternProperties", "dependentSchemas", "dependencies"))
_DATA: Final = frozenset(("enum", "const", "required", "type", "dependentRequired"))


def evaluates_alone(node: SchemaNode) -> bool:
    """Whether `unevaluatedProperties` is `additionalProperties` here: nothing beside it looks at fields either.

    Then the fields that are evaluated are those of `properties` and `patternProperties` (JSON Schema 2020-12, 11.3).
    """
    return isinstance(node.schema, dict) and not node.schema.keys() & _LOOKS_TOO


def same(one: SchemaNode, other: SchemaNode) -> bool:
    """Whether two schemas say the same, word by word, wherever what they refer to stands."""
    return one.draft == other.draft and _same(one, other, set())


def _same(one: SchemaNode, other: SchemaNode, met: set[tuple[object, object]]) -> bool:
    mine, theirs = one.schema, other.schema
    if isinstance(mine, bool) or isinstance(theirs, bool):
        return mine is theirs
    if (one.key, other.key) in met:
        return True
    met.add((one.key, other.key))
    words = (mine.keys() | theirs.keys()) - ANNOTATIONS
    return all(word in mine and word in theirs and _same_word(word, one, other, met) for word in words)


def _same_word(word: str, one: SchemaNode, other: SchemaNode, met: set[tuple[object, object]]) -> bool:
    if word in ("$recursiveRef", "$dynamicRef"):  # where it leads depends on from where one came
        return False
    if word == "$ref" and (target := one.target) and (theirs := other.target):
        return _same(target, theirs, met)
    ours, their = _schemas(word, one), _schemas(word, other)
    if ours is None or their is None:
        return (
            isinstance(one.schema, dict)
            and isinstance(other.schema, dict)
            and equal(one.schema[word], other.schema[word])
        )
    return ours.keys() == their.keys() and all(_same(ours[name], their[name], met) for name in ours)


def _schemas(word: str, node: SchemaNode) -> dict[object, SchemaNode] | None:
    """The schemas in a keyword; None where it has none, or something else too."""
    value = node.schema[word] if isinstance(node.schema, dict) else None
    if word in _DATA:
        return None
    if isinstance(value, list):
        inner: dict[object, Any] = dict(enumerate(value))
    else:
        inner = dict(value) if isinstance(value, dict) and word in _BY_NAME else {"": value}
    if not all(isinstance(schema, dict) for schema in inner.values()):
        return None
    return {name: node.child(schema) for name, schema in inner.items()}


def equal(one: Any, other: Any) -> bool:
    """Whether two JSON values are equal: 1 is 1.0, and is not true."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(equal(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(equal(a, b) for a, b in zip(one, other, strict=True))
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)
