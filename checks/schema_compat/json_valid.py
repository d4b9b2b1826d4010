"""Whether one value is valid for a schema, by the library of JSON Schema."""

from collections.abc import Container
from typing import Any, Final

from jsonschema import Draft4Validator, Draft6Validator, Draft7Validator, Draft201909Validator, Draft202012Validator

from schema_compat.json_node import SchemaNode
from schema_compat.json_regex import LONGEST, harmless
from schema_compat.parsed import UndecidedSchema

VALIDATORS: Final[dict[int, Any]] = {
    4: Draft4Validator,
    6: Draft6Validator,
    7: Draft7Validator,
    2019: Draft201909Validator,
    2020: Draft202012Validator,
}


def valid(node: SchemaNode, value: Any) -> bool:
    """Whether a value is valid, its formats included.

    Raises:
        Undecided: patterns that may run for long, a long text, formats that the library does not know, or schemas that
            refer to themselves without end.
    """
    _refuse_long(value)
    kind = VALIDATORS[node.draft]
    _refuse_unknown_formats(node, kind.FORMAT_CHECKER.checkers)
    validator = kind(True, format_checker=kind.FORMAT_CHECKER)  # noqa: FBT003 - a schema
    try:
        return next(iter(validator.descend(value, node.schema, resolver=node.resolver)), None) is None
    except RecursionError:
        raise UndecidedSchema("A schema refers to itself without end") from None


def _refuse_long(value: Any) -> None:
    if isinstance(value, str) and len(value) > LONGEST:
        raise UndecidedSchema(f"A value has more than {LONGEST} characters: patterns are not tried on it")
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            _refuse_long(item)
        for name in value if isinstance(value, dict) else ():
            _refuse_long(name)


def _refuse_unknown_formats(root: SchemaNode, formats: Container[str]) -> None:
    """Look at every pattern and format that validating may come to."""
    met, work = {root.key}, [root]
    while work:
        node = work.pop()
        for expression in (node.get("pattern"), *node.named("patternProperties")):
            if isinstance(expression, str) and not harmless(expression):
                raise UndecidedSchema(f"The pattern {expression[:60]} is not tried: it may run for long")
        if isinstance(named := node.get("format"), str) and named not in formats:
            raise UndecidedSchema(f"Whether a value is of the format {named[:60]} is not told")
        for inner in inner_nodes(node):
            if inner.key not in met:
                met.add(inner.key)
                work.append(inner)


def in_place(node: SchemaNode) -> list[SchemaNode]:
    """The schemas that a schema applies to the same value."""
    found = [target] if (target := node.target) else []
    if node.only_refers:
        return found
    for keyword in ("allOf", "anyOf", "oneOf"):
        found += node.children(keyword)
    for keyword in ("not", "if", "then", "else"):
        found += [one] if (one := node.one(keyword)) else []
    for keyword in ("dependentSchemas", "dependencies"):
        found += node.named(keyword).values()
    return found


def inner_nodes(node: SchemaNode) -> list[SchemaNode]:
    """The schemas directly within a schema, and that which it refers to."""
    found = in_place(node)
    if node.only_refers:
        return found
    for keyword in ("items", "prefixItems"):
        found += node.children(keyword)
    for keyword in (
        *("items", "additionalItems", "additionalProperties", "propertyNames", "contains"),
        *("unevaluatedProperties", "unevaluatedItems"),
    ):
        found += [one] if (one := node.one(keyword)) else []
    for keyword in ("properties", "patternProperties"):
        found += node.named(keyword).values()
    return found
