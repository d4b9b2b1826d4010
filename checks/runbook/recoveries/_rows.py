"""What recoveries share: rows are chosen, cells are put, and all else is left."""

from collections.abc import Callable, Collection, Sequence
from typing import Any

from runbook.model.fact import Fact
from runbook.model.recovery import changed
from runbook.plugins.catalog import catalog


def all_but(touched: Collection[str]) -> frozenset[str]:
    """All probes but these: what a mechanism that is known as a whole does not touch."""
    return frozenset(catalog("probes").names()) - {*touched}


def keys_of(probe: str) -> set[str]:
    """The key columns of a probe."""
    return {column.name for column in catalog("probes").load(probe).PROBE.columns if column.key}


def put(fact: Fact, chosen: Sequence[bool], **cells: Any) -> Fact:
    """The fact with these cells in the rows that are chosen."""
    columns = {
        name: [value if mine else cell for mine, cell in zip(chosen, fact.columns[name], strict=True)]
        for name, value in cells.items()
    }
    return changed(fact, columns, fact.gaps)


def chosen(fact: Fact, names: Sequence[str], is_so: Callable[..., bool]) -> list[bool]:
    """Of each row whether something is so of its cells in these columns."""
    return [is_so(*cells) for cells in zip(*(fact.columns[name] for name in names), strict=True)]
