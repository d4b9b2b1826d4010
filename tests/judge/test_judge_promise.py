from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runbook.judge.compiled import Compiled
from runbook.judge.judge import judge
from runbook.model.fact import Gap
from runbook.model.result import Outcome
from support.small_runbooks import compiled, context, fact
from support.small_verdicts import JOIN, NODES, row

pytestmark = pytest.mark.usefixtures("fakes")


CELLS = st.fixed_dictionaries(
    {
        "name": st.one_of(st.none(), st.sampled_from("abc")),
        "broker": st.one_of(st.none(), st.integers(0, 2)),
        "size": st.one_of(st.none(), st.integers(0, 3)),
        "ok": st.one_of(st.none(), st.booleans()),
    }
)
GAPS = st.one_of(st.just([]), st.just([]), st.just(["hidden"]))
INAPPLICABLE = st.sampled_from(["", "", "", "no meaning"])
FACTS = st.tuples(st.lists(CELLS, max_size=5), GAPS, INAPPLICABLE)
NODE_CELLS = st.fixed_dictionaries(
    {"broker": st.one_of(st.none(), st.integers(0, 2)), "limit": st.one_of(st.none(), st.integers(0, 3))}
)
NODE_FACTS = st.tuples(st.lists(NODE_CELLS, max_size=3), GAPS, INAPPLICABLE)
Cells = dict[str, Any]


def limit_of(cells: Cells, nodes: list[Cells]) -> int:
    [node] = [node for node in nodes if node["broker"] == cells["broker"]]
    assert cells["broker"] is not None
    limit: int = node["limit"]
    return limit


def oracle_each(rows: list[Cells], _: list[Cells]) -> int:
    chosen = [cells for cells in rows if cells["ok"] is not False]
    assert all(cells["ok"] and cells["size"] <= 2 for cells in chosen)
    return len(chosen)


def oracle_join(rows: list[Cells], nodes: list[Cells]) -> int:
    assert all(cells["size"] <= limit_of(cells, nodes) for cells in rows)
    return len(rows)


def oracle_all(rows: list[Cells], nodes: list[Cells]) -> int:
    assert sum(cells["size"] == 0 for cells in rows) <= len(nodes)
    return len(rows)


def oracle_same(rows: list[Cells], _: list[Cells]) -> int:
    assert all(cells["broker"] is not None and cells["size"] is not None for cells in rows)
    pairs = {(cells["broker"], cells["size"]) for cells in rows}
    assert len(pairs) == len({broker for broker, _ in pairs})
    return len(pairs)


def oracle_applies(rows: list[Cells], nodes: list[Cells]) -> int:
    assert nodes
    assert all(node["limit"] > 0 for node in nodes)
    assert all(cells["size"] <= 2 for cells in rows)
    return len(rows)


WHERE_LIMITED = "applies: {each: node, that: node.limit > 0, otherwise: nothing is limited}\n"
PROMISES = {
    "each": ("expect: {each: row, where: row.ok, that: row.size <= 2}", oracle_each, ["row"]),
    "join": (
        "expect: {each: row, join: {node: {broker: broker}}, that: row.size <= node.limit}",
        oracle_join,
        ["row", "node"],
    ),
    "all": (
        "expect: {all: row, that: 'size(row.size.filter(s, s == 0)) <= size(node.broker)'}",
        oracle_all,
        ["row", "node"],
    ),
    "same": ("expect: {same: row, by: [broker], value: [size]}", oracle_same, ["row"]),
    "applies": (
        WHERE_LIMITED + "expect: {each: row, that: row.size <= 2}",
        oracle_applies,
        ["row", "node"],
    ),
}
READY: dict[str, Compiled] = {}


@pytest.mark.parametrize("mode", PROMISES)
@given(rows=FACTS, nodes=NODE_FACTS)
@settings(max_examples=300, deadline=None)
def test_a_pass_has_evidence(mode: str, rows: Any, nodes: Any) -> None:
    """A pass means: complete facts, at least one row judged, and each of them true in the eyes of plain Python."""
    expect, oracle, read = PROMISES[mode]
    if mode not in READY:
        READY[mode] = compiled(NODES + expect)
    given_facts = {"row": ("fake_row", *rows), "node": ("fake_node", *nodes)}
    facts = {
        name: fact(probe, [] if inapplicable else cells, [] if inapplicable else gaps, inapplicable=inapplicable)
        for name, (probe, cells, gaps, inapplicable) in given_facts.items()
    }
    seen = judge(READY[mode], facts, context())
    assert (seen.outcome is Outcome.FAIL) == (seen.failed > 0)
    assert seen.reason
    if seen.outcome is not Outcome.PASS:
        return
    assert all(facts[name].complete and not facts[name].inapplicable for name in read)
    assert seen.judged > 0
    assert seen.judged == oracle(rows[0], nodes[0])
    assert (seen.undecided, seen.rows, seen.gaps) == (0, [], [])


def test_judging_changes_no_fact() -> None:
    facts = {
        "row": fact("fake_row", [row("a", broker=1, size=1)], [Gap("x", {"broker": 1})]),
        "node": fact("fake_node", [{"broker": 1, "limit": 1}], ["y"]),
    }
    digests = [fact.digest() for fact in facts.values()]
    judge(compiled(JOIN), facts, context())
    assert [fact.digest() for fact in facts.values()] == digests
