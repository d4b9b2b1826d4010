"""Arrays: what a reader's items ask for, and what a writer's case may have in them."""

from collections.abc import Iterator

from schema_compat.json_node import SchemaCase, SchemaNode, same
from schema_compat.json_objects import Judge
from schema_compat.json_values import counts
from schema_compat.parsed import Clash, UndecidedSchema


def arrays(reader: SchemaNode, case: SchemaCase, judge: Judge) -> Iterator[Clash]:
    """What the reader's keywords for arrays do not take.

    Raises:
        Undecided: what an array must contain is not compared with what the writer's contain.
    """
    yield from (Clash("", *count) for count in counts("array", reader, case))
    limits = [value for _, value in case.having("maxItems")]
    most = min(limits) if limits else None
    unique = any(value for _, value in case.having("uniqueItems"))
    if reader.get("uniqueItems") and not unique and (most is None or most > 1):
        yield Clash("", "uniqueItems", "the reader takes no item twice, and the writer may write one twice")
    firsts = max(len(_firsts(node)) for node in (reader, *case.atoms)) if case.atoms else len(_firsts(reader))
    for place in range(firsts):
        if most is None or place < most:
            found = judge(_item(reader, place), [_item(atom, place) for atom in case.atoms])
            yield from (clash.under(f"[{place}]") for clash in found)
    if most is None or most > firsts:
        found = judge(_rest(reader), [_rest(atom) for atom in case.atoms])
        yield from (clash.under("[]") for clash in found)
    _contained(reader, case)


def _firsts(node: SchemaNode) -> list[SchemaNode]:
    """The schemas of the first items, one by one."""
    return node.children("prefixItems") or ([] if node.draft > 2019 else node.children("items"))  # noqa: PLR2004


def _item(node: SchemaNode, place: int) -> SchemaNode:
    firsts = _firsts(node)
    return firsts[place] if place < len(firsts) else _rest(node)


def _rest(node: SchemaNode) -> SchemaNode:
    """The schema of all items that come after the first ones."""
    keyword = "additionalItems" if isinstance(node.get("items"), list) else "items"
    return node.one(keyword) or SchemaNode(True, node.resolver, node.draft)  # noqa: FBT003 - a schema


def _contained(reader: SchemaNode, case: SchemaCase) -> None:
    wanted = reader.one("contains")
    if wanted is None or (reader.get("minContains") == 0 and reader.get("maxContains") is None):
        return
    for atom in case.atoms:
        theirs = atom.one("contains")
        if theirs and same(wanted, theirs) and all(reader.get(word) == atom.get(word) for word in _CONTAINED):
            return
    raise UndecidedSchema("What the reader's arrays must contain is not what the writer's do")


_CONTAINED = ("minContains", "maxContains")
