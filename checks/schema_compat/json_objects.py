"""Objects: what a reader's fields ask for, and what a writer's case may have in them."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from schema_compat.json_node import SchemaCase, SchemaNode, evaluates_alone, same
from schema_compat.json_regex import matches
from schema_compat.json_valid import valid
from schema_compat.json_values import counts
from schema_compat.parsed import UNDECIDED, Clash

Judge = Callable[[SchemaNode, Sequence[SchemaNode]], list[Clash]]
"""What a reader's schema does not take of what all of the writer's schemas let be."""

_TEXT: dict[str, Any] = {"type": "string"}


def required(case: SchemaCase) -> list[str]:
    """The fields that are always there."""
    return list(dict.fromkeys(name for _, names in case.having("required") for name in names))


def at(node: SchemaNode, name: str) -> list[SchemaNode]:
    """The schemas that a schema has for the field of a name.

    Raises:
        Undecided: a pattern for names can't be tried.
    """
    properties = node.named("properties")
    found = [properties[name]] if name in properties else []
    found += [atom for pattern, atom in node.named("patternProperties").items() if matches(pattern, name)]
    return found or [_additional(node)]


def _additional(node: SchemaNode) -> SchemaNode:
    closing = "unevaluatedProperties" if evaluates_alone(node) else "additionalProperties"
    return node.one(closing) or SchemaNode(True, node.resolver, node.draft)  # noqa: FBT003 - a schema


def objects(reader: SchemaNode, case: SchemaCase, judge: Judge) -> Iterator[Clash]:
    """What the reader's keywords for objects do not take."""
    always = required(case)
    for name in reader.get("required") or []:
        if name not in always:
            yield Clash(name, "required", "required, and the writer may leave it out")
    yield from _fields(reader, case, judge)
    yield from _patterns(reader, case, judge)
    yield from _others(reader, case, judge)
    closed = [len(atom.named("properties")) for atom in case.atoms if _closed(atom)]
    most = min(closed) if closed else None
    yield from (Clash("", *problem) for problem in counts("object", reader, case, len(always), most))
    yield from _names(reader, case, judge)
    yield from _dependencies(reader, case, judge)


def _closed(node: SchemaNode) -> bool:
    """It lets only those fields be that it names."""
    return _additional(node).schema is False and not node.named("patternProperties")


def _fields(reader: SchemaNode, case: SchemaCase, judge: Judge) -> Iterator[Clash]:
    declared = {name for atom in case.atoms for name in atom.named("properties")}
    for name in dict.fromkeys((*reader.named("properties"), *declared_in_order(case))):
        writers = [node for atom in case.atoms for node in at(atom, name)]
        for wanted in at(reader, name):
            found = judge(wanted, writers)
            if wanted.schema is False and found:
                yield Clash(name, "closed", "the reader does not let it be, and the writer may write it")
            elif name not in declared and any(clash.rule != UNDECIDED for clash in found):
                yield Clash(name, "open", "the writer's schema does not name it but is open: it may be anything there")
            else:
                yield from (clash.under(name) for clash in found)


def declared_in_order(case: SchemaCase) -> Iterator[str]:
    """The names of the fields that the writer's schemas name."""
    for atom in case.atoms:
        yield from atom.named("properties")


def _patterns(reader: SchemaNode, case: SchemaCase, judge: Judge) -> Iterator[Clash]:
    """Fields whose names the reader has a pattern for, of those that the writer does not name."""
    for pattern, wanted in reader.named("patternProperties").items():
        theirs = [atom.named("patternProperties") for atom in case.atoms]
        alike = [properties[pattern] for properties in theirs if pattern in properties]
        plain = [_additional(node) for node, has in zip(case.atoms, theirs, strict=True) if not has]
        found = judge(wanted, alike or plain)
        if found and not alike and any(theirs):
            yield Clash("{}", UNDECIDED, f"Whether the pattern {pattern[:60]} meets those of the writer is not told")
        else:
            yield from (clash.under("{}") for clash in found)


def _others(reader: SchemaNode, case: SchemaCase, judge: Judge) -> Iterator[Clash]:
    """Fields that the reader neither names nor has a pattern for."""
    wanted, own = _additional(reader), reader.named("patternProperties")
    groups = [[_additional(atom) for atom in case.atoms]]
    for atom in case.atoms:
        groups += [[inner] for pattern, inner in atom.named("patternProperties").items() if pattern not in own]
    for writers in groups:
        found = judge(wanted, writers)
        if found and wanted.schema is False:
            yield Clash("{}", "closed", "the reader takes no fields but its own, and the writer may write others")
        else:
            yield from (clash.under("{}") for clash in found)


def _names(reader: SchemaNode, case: SchemaCase, judge: Judge) -> Iterator[Clash]:
    wanted = reader.one("propertyNames")
    if wanted is None:
        return
    closed = [atom.named("properties") for atom in case.atoms if _closed(atom)]
    if closed:
        refused = [name for name in min(closed, key=len) if not valid(wanted, name)]
        yield from (Clash(name, "propertyNames", "the reader takes no field of that name") for name in refused)
        return
    theirs = [node.child(schema) for node, schema in case.having("propertyNames")]
    found = judge(wanted, [*theirs, SchemaNode(_TEXT, reader.resolver, reader.draft)])
    yield from (Clash("{}", "propertyNames", f"of names: {clash.words}") for clash in found if clash.rule != UNDECIDED)
    yield from (clash.under("{}") for clash in found if clash.rule == UNDECIDED)


def _dependencies(reader: SchemaNode, case: SchemaCase, judge: Judge) -> Iterator[Clash]:
    """What must be there, or hold, when a field is there."""
    always = required(case)
    for name, needed in _needed(reader).items():
        known = {*always, *(other for node in case.atoms for other in _needed(node).get(name, ()))}
        missing = [other for other in needed if other not in known]
        if missing and not _banned(name, case):
            yield Clash(name, "dependentRequired", f"needs {missing[0]} beside it, which the writer may leave out")
    for keyword in ("dependentSchemas", "dependencies"):
        for name, wanted in reader.named(keyword).items():
            theirs = [found for atom in case.atoms if (found := atom.named(keyword).get(name))]
            if any(same(wanted, properties) for properties in theirs) or _banned(name, case):
                continue
            clashes = judge(wanted, case.atoms)
            if any(clash.rule != UNDECIDED for clash in clashes) and not theirs:
                yield Clash(name, "dependentSchemas", f"with it, {clashes[0].sentence}")
            elif clashes:
                yield Clash(name, UNDECIDED, "What must hold when the field is there differs")


def _needed(node: SchemaNode) -> dict[str, list[str]]:
    found = {**(node.get("dependencies") or {}), **(node.get("dependentRequired") or {})}
    return {name: names for name, names in found.items() if isinstance(names, list)}


def _banned(name: str, case: SchemaCase) -> bool:
    """The writer never writes the field."""
    return any(node.schema is False for atom in case.atoms for node in at(atom, name))
