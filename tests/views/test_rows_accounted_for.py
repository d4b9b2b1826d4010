"""What a view is given and gives no row of: it declares that (`leaves_out`), or tells it by a gap.

Every view whose rows are named as those of its first input, on the facts of all cases of built-in checks and causes.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from runbook.judge.cause import compile_cause
from runbook.judge.compiled import compile_check
from runbook.model.block import Cause, Check
from runbook.model.column import Column
from runbook.model.fact import Fact
from runbook.plugins.catalog import catalog
from runbook.run.collection import collected_facts
from runbook.run.collection.fact_assembly import compute_view
from runbook.run.judgement.case import cases_of_block, try_cases
from runbook.run.sources.built_in import builtin_names
from runbook.run.sources.runbooks import read_all


def names_of(columns: tuple[Column, ...]) -> dict[str, str]:
    """Entity → the key column that names it."""
    return {column.entity: column.name for column in columns if column.key and column.entity}


def declared(source: str) -> tuple[Column, ...]:
    """The columns of a probe or a view."""
    columns: tuple[Column, ...] = (
        catalog("probes").load(source).PROBE.columns
        if source in catalog("probes")
        else catalog("views").load(source).VIEW.columns
    )
    return columns


def keys(fact: Fact, names: list[str]) -> set[tuple[Any, ...]]:
    return {key for key in zip(*(fact.columns[name] for name in names), strict=True) if None not in key}


def shared(name: str, kind: str) -> dict[str, str]:
    """The keys of an input that a view's rows have too: its column → the view's."""
    before, after = names_of(declared(kind)), names_of(declared(name))
    return {before[entity]: after[entity] for entity in before if entity in after}


def comparable() -> list[str]:
    """The views whose rows are named as those of their first input, at least in part."""
    firsts = {name: next(iter(catalog("views").load(name).VIEW.inputs.values())) for name in catalog("views").names()}
    return [name for name, first in firsts.items() if any(shared(name, kind) for kind in first.kinds)]


def left_out(name: str, inputs: Mapping[str, Fact], made: Fact) -> set[tuple[Any, ...]]:
    """The keys that no row has, where no gap says that something is missing."""
    first = inputs[next(iter(catalog("views").load(name).VIEW.inputs))]
    columns = {ours: its for ours, its in shared(name, first.source).items() if ours in first.columns}
    if not columns or made.gaps or made.inapplicable:
        return set()
    return keys(first, [*columns]) - keys(made, [*columns.values()])


def tried_cases() -> Iterator[None]:
    """Try the cases of every built-in block that has views."""
    for book in read_all(builtin_names()):
        for placed in book.placed():
            if isinstance(placed.block, Check | Cause) and placed.block.views:
                ready = compile_check(placed) if isinstance(placed.block, Check) else compile_cause(placed)
                file = cases_of_block(book, placed, placed.block)
                yield from (None for _ in try_cases(book, ready, file, str(file)))


@pytest.fixture(scope="module")
def seen() -> dict[str, list[tuple[Any, ...]]]:
    """View → keys that it was given and gave no row of."""
    found: dict[str, list[tuple[Any, ...]]] = {}

    def noted(name: str, inputs: Mapping[str, Fact], given: Mapping[str, Any]) -> Fact:
        made = compute_view(name, inputs, given)
        found.setdefault(name, []).extend(sorted(left_out(name, inputs, made), key=str))
        return made

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(collected_facts, "compute_view", noted)
        for _ in tried_cases():
            pass
    return found


@pytest.mark.parametrize("name", comparable())
def test_what_has_no_row_is_declared_or_a_gap(name: str, seen: dict[str, list[tuple[Any, ...]]]):
    declares = catalog("views").load(name).VIEW.leaves_out
    if declares:
        assert seen[name], f"no case shows that it leaves out {declares}"
    else:
        assert seen[name] == [], "say in leaves_out of VIEW what has no row by design, or give a gap"


def test_a_view_that_drops_rows_is_found():
    first, second = ({"group": name, "topic": "orders", "partition": 0} for name in ("billing", "shop"))

    def fact(source: str, *rows: dict[str, Any]) -> Fact:
        return Fact(source, {column: [row[column] for row in rows] for column in first})

    given = {"lag": fact("kafka_group_lag", first, second)}
    assert left_out("group_progress", given, fact("group_progress", first, second)) == set()
    assert left_out("group_progress", given, fact("group_progress", first)) == {("shop", "orders", 0)}
