"""JSON Schema: drafts 4 to 2020-12, as registries keep it; without `$schema` it is read as draft 7, as they do."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final
from urllib.parse import urljoin

from jsonschema.exceptions import best_match
from jsonschema.validators import validator_for
from referencing import Registry
from referencing.jsonschema import EMPTY_REGISTRY

from schema_compat.bounds import DEEPEST, MOST_FIELDS, json_value
from schema_compat.json_judgement import JsonJudgement
from schema_compat.json_node import SchemaNode, equal
from schema_compat.json_valid import VALIDATORS, in_place, inner_nodes
from schema_compat.parsed import JSON, Clash, Field, Parsed, References, SchemaError, UndecidedSchema, joined

_DEFAULT: Final = 7
_CHECKED: Final = ("#/definitions/", "#/$defs/")
"""Where schemas stand that the metaschema has seen."""


class JsonParsed(Parsed):
    """A JSON Schema and those that it refers to."""

    kind = JSON

    def __init__(self, root: SchemaNode, others: Mapping[str, Any], *, mixed: bool, declared: bool) -> None:
        self.root, self._others, self._mixed, self._declared = root, others, mixed, declared
        schema = root.schema if isinstance(root.schema, dict) else {}
        self.name = str(schema.get("title") or "")
        self.documented = bool(schema.get("description"))
        met = list(islice(_walk(root, "", ()), MOST_FIELDS + 1))
        if len(met) > MOST_FIELDS:
            raise SchemaError(f"The JSON schema has more than {MOST_FIELDS:,} fields, inner ones counted each time")
        self._met = met

    def fields(self) -> Sequence[Field]:
        """Every property with its path, those of references, branches and items too."""
        return [
            Field(
                path=path,
                type=_short(node),
                optional=not needed,
                has_default=_own(node, "default"),
                null_default=None,
                documented=_own(node, "description"),
                logical_type=str(node.get("format") or ""),
                number=0,
            )
            for path, node, needed in self._met
        ]

    def problems(self) -> list[str]:
        """Objects that do not say whether they are open, fields without type or that are required and not described."""
        found = [] if self._declared else ["the schema: has no $schema: it is read as draft 7"]
        places = [("", self.root), *((path, node) for path, node, _ in self._met)]
        return found + [sentence for path, node in places for sentence in _problems(path or "the schema", node)]

    def clashes(self, writer: Parsed) -> list[Clash]:
        """By what is valid: every value that is valid for the writer's schema must be for the reader's."""
        assert isinstance(writer, JsonParsed)
        if equal(self.root.schema, writer.root.schema) and equal(self._others, writer._others):  # noqa: SLF001 - its kind
            return []
        if self._mixed or writer._mixed:  # noqa: SLF001
            raise UndecidedSchema("Schemas of several drafts refer to each other: they are not judged")
        return JsonJudgement().clashes(self.root, writer.root)


def _own(node: SchemaNode, keyword: str) -> bool:
    """Whether the schema has a keyword itself, or where it only refers, that to which it refers."""
    if isinstance(node.schema, dict) and node.schema.get(keyword, "") != "":
        return True
    target = node.target
    return target is not None and isinstance(target.schema, dict) and target.schema.get(keyword, "") != ""


def _walk(node: SchemaNode, path: str, within: tuple[object, ...]) -> Iterator[tuple[str, SchemaNode, bool]]:
    """Every property with its path and whether it is required; a schema within itself is not followed again."""
    if isinstance(node.schema, bool) or node.key in within:
        return
    if len(within) > DEEPEST:
        raise SchemaError(f"The JSON schema nests deeper than {DEEPEST} schemas, at {path[:200]}")
    within = (*within, node.key)
    needed = node.get("required") or []
    parts = [target] if (target := node.target) else []
    if not node.only_refers:
        for name, field in node.named("properties").items():
            inner = joined(path, name)
            yield inner, field, name in needed
            yield from _walk(field, inner, within)
        parts += [part for keyword in ("allOf", "anyOf", "oneOf") for part in node.children(keyword)]
        for keyword, mark in (("items", "[]"), ("additionalProperties", "{}")):
            if one := node.one(keyword):
                yield from _walk(one, path + mark, within)
    for part in parts:
        yield from _walk(part, path, within)


def _problems(path: str, node: SchemaNode) -> Iterator[str]:
    if isinstance(node.schema, bool):
        return
    names = node.named("properties")
    if names and "additionalProperties" not in node.schema and "unevaluatedProperties" not in node.schema:
        yield f"{path}: does not say whether it has other fields: a field that is added later may be there as anything"
    for name in node.get("required") or []:
        if names and name not in names and not any(keyword in node.schema for keyword in ("allOf", "anyOf", "oneOf")):
            yield f"{path}: requires {name}, which it does not describe"
    if not _KINDS & node.schema.keys():
        yield f"{path}: has no type: anything is valid there"


_KINDS: Final = frozenset(("type", "$ref", "enum", "const", "allOf", "anyOf", "oneOf", "properties", "items"))


def _short(node: SchemaNode, depth: int = 0) -> str:
    if isinstance(node.schema, bool) or depth > DEEPEST:
        return "any"
    if target := node.target:
        name = str(node.get("$ref")).rstrip("#").rpartition("/")[2]
        return name if target.get("properties") is not None else _short(target, depth + 1)
    branches = [*node.children("oneOf"), *node.children("anyOf")]
    if branches:
        return f"union<{','.join(_short(branch, depth + 1) for branch in branches)}>"
    if node.listed is not None:
        return "enum" if len(node.listed) > 1 else "const"
    kind = node.get("type")
    if kind == "array":
        items = node.one("items")
        return f"array<{_short(items, depth + 1) if items else 'any'}>"
    return f"union<{','.join(kind)}>" if isinstance(kind, list) else str(kind or "any")


def parse_json(text: str, references: References) -> JsonParsed:
    """Read a JSON Schema and those that it refers to.

    Raises:
        SchemaError: it is none, too much, or refers to what is not there.
    """
    value = json_value(text, JSON)
    others = {name: json_value(inner, JSON) for name, (_, inner) in references.items()}
    draft = _draft(value, _DEFAULT)
    for document in (value, *others.values()):
        _check(document, draft)
    registry: Registry[Any] = EMPTY_REGISTRY
    plain = SchemaNode(value, None, draft)
    base = _base(value)
    try:
        for name, other in others.items():
            resource = plain.resource(other)
            registry = registry.with_resources([(name, resource), (urljoin(base, name), resource)])
        root = SchemaNode(value, registry.resolver_with_root(plain.resource(value)), draft)
        _follow(root)
    except SchemaError:
        raise
    except ValueError as error:
        raise SchemaError(f"The JSON schema is no schema: an address in it is none: {error}") from None
    mixed = any(_draft(other, draft) != draft for other in others.values())
    return JsonParsed(root, others, mixed=mixed, declared=isinstance(value, bool) or "$schema" in value)


def _base(value: Any) -> str:
    identity = (value.get("$id") or value.get("id")) if isinstance(value, dict) else ""
    return identity if isinstance(identity, str) else ""


def _draft(value: Any, default: int) -> int:
    """The draft that a schema names.

    Raises:
        SchemaError: draft 3, of which other rules hold.
    """
    named = value.get("$schema") if isinstance(value, dict) else None
    if not isinstance(named, str):
        return default
    if "draft-03" in named:
        raise SchemaError("The JSON schema is of draft 3, which is not read: 4 to 2020-12 are")
    return _DRAFTS.get(named.partition(":")[2].rstrip("#"), default)


_DRAFTS: Final = {
    str(validator.META_SCHEMA.get("$id") or validator.META_SCHEMA["id"]).partition(":")[2].rstrip("#"): draft
    for draft, validator in VALIDATORS.items()
}
"""Drafts by the address of their metaschema, of which some write https for http."""


def _check(value: Any, draft: int) -> None:
    """See that a value is a schema.

    Raises:
        SchemaError: it is none; with the place.
    """
    if not isinstance(value, dict | bool):
        raise SchemaError("The JSON schema is no schema: it must be an object")
    validator = VALIDATORS[draft]
    meta = validator_for(validator.META_SCHEMA)(validator.META_SCHEMA)
    error = best_match(meta.iter_errors(value))
    if error is not None:
        raise SchemaError(f"The JSON schema is no schema: {error.json_path[:200]}: {_words(error)}")


def _words(error: Any) -> str:
    return str(error.message)[:200]


def _follow(root: SchemaNode) -> None:
    """Look at every schema that can be come to, so that none is missing and all are schemas.

    Raises:
        SchemaError: a reference leads nowhere, or to what is no schema.
    """
    met, work = {root.key}, [root]
    while work:
        node = work.pop()
        _refuse_endless(node)
        reference, target = node.get("$ref"), node.target
        if target is not None and target.key not in met and not _seen(str(reference)):
            _check(target.schema, node.draft)
        for inner in inner_nodes(node):
            if inner.key not in met:
                met.add(inner.key)
                work.append(inner)


def _refuse_endless(node: SchemaNode) -> None:
    """See that a schema does not come back to itself before it has come to a part of the value.

    Raises:
        SchemaError: it does: no value could ever be validated.
    """
    met: set[object] = set()
    here = [node]
    while here:
        there = [node for inner in here for node in in_place(inner) if node.key not in met]
        if any(atom.key == node.key and isinstance(node.schema, dict) for atom in there):
            raise SchemaError(f"The JSON schema refers to itself without end: {str(node.get('$ref'))[:200]}")
        met.update(node.key for node in there)
        here = there


def _seen(reference: str) -> bool:
    return reference.startswith(_CHECKED) and reference.count("/") == _CHECKED[0].count("/")
