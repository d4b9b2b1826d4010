from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runbook.engine.block import Objective
from runbook.engine.compiled import Compiled
from runbook.engine.fact import Gap
from runbook.engine.judge import MAX_ROWS, judge
from runbook.engine.objective import Ranking, TopicRanking
from runbook.engine.result import Outcome, Verdict
from small_runbooks import ROWS, compiled, context, fact

pytestmark = pytest.mark.usefixtures("fakes")

SMALL = ROWS + "expect: {each: row, that: row.size <= 10}"
NODES = "facts: {row: {probe: fake_row}, node: {probe: fake_node}}\n"


def verdict(
    body: str, rows: list[dict[str, Any]], *gaps: str, more: dict[str, Any] | None = None, **fields: str
) -> Verdict:
    facts = {"row": fact("fake_row", rows, gaps)} | (more or {})
    return judge(compiled(body, **fields), facts, context())


def row(name: str, **cells: Any) -> dict[str, Any]:
    return {"name": name} | cells


# --- row by row


def test_a_pass_says_how_many_rows_it_judged() -> None:
    seen = verdict(SMALL, [row("a", size=1), row("b", size=10)])
    assert (seen.outcome, seen.judged, seen.reason) == (Outcome.PASS, 2, "true of 2 topics")


def test_an_offending_row_is_listed_with_its_key_and_what_it_touches() -> None:
    seen = verdict(SMALL, [row("a", size=1), row("b", size=11)])
    assert (seen.outcome, seen.failed, seen.judged) == (Outcome.FAIL, 1, 2)
    assert [(r.key, r.message, r.touches) for r in seen.rows] == [({"name": "b"}, "size 11", {"topic": ["b"]})]


def test_one_offending_row_is_a_fail_whatever_is_missing() -> None:
    seen = verdict(SMALL, [row("a", size=11), row("b")], "broker 2 did not answer")
    assert seen.outcome is Outcome.FAIL
    assert (seen.failed, seen.undecided, [gap.reason for gap in seen.gaps]) == (1, 1, ["broker 2 did not answer"])


def test_a_gap_turns_a_pass_into_unknown_and_is_named() -> None:
    seen = verdict(SMALL, [row("a", size=1)], "broker 2 did not answer")
    assert (seen.outcome, seen.reason) == (Outcome.UNKNOWN, "broker 2 did not answer")


def test_a_cell_that_is_not_known_turns_a_pass_into_unknown_and_is_named() -> None:
    seen = verdict(SMALL, [row("a", size=1), row("b")])
    assert (seen.outcome, seen.reason) == (Outcome.UNKNOWN, "row.size could not be found out")
    assert [(r.key["name"], r.outcome) for r in seen.rows] == [("b", "unknown")]


def test_a_cell_that_is_not_known_does_no_harm_where_the_rest_decides() -> None:
    body = ROWS + "expect: {each: row, that: row.ok || row.size <= 10}"
    assert verdict(body, [row("a", ok=True)]).outcome is Outcome.PASS
    assert verdict(body, [row("a", ok=False)]).outcome is Outcome.UNKNOWN


def test_nothing_to_judge_is_no_pass() -> None:
    seen = verdict(SMALL, [])
    assert (seen.outcome, seen.reason) == (Outcome.NOT_APPLICABLE, "nothing to judge: there is none")


def test_nothing_seen_of_an_incomplete_fact_is_unknown() -> None:
    assert verdict(SMALL, [], "no rights").outcome is Outcome.UNKNOWN


def test_an_inapplicable_fact_makes_the_check_inapplicable_with_its_reason() -> None:
    seen = judge(compiled(SMALL), {"row": fact("fake_row", inapplicable="ZooKeeper mode")}, context())
    assert (seen.outcome, seen.reason) == (Outcome.NOT_APPLICABLE, "ZooKeeper mode")


def test_an_expression_that_never_ends_is_unknown_soon() -> None:
    nested = "row.numbers.all(a, row.numbers.all(b, row.numbers.all(c, row.numbers.all(d, a + b + c + d >= 0))))"
    seen = verdict(ROWS + f"expect: {{each: row, that: '{nested}'}}", [row("a", numbers=list(range(300)))] * 3000)
    assert (seen.outcome, seen.undecided) == (Outcome.UNKNOWN, 3000)
    assert seen.reason == "the expression takes more iterations than are allowed"


@pytest.mark.parametrize("that", ["100 / row.size > 1", "row.settings['no such key'] == 'x'", "row.numbers[3] == 1"])
def test_an_expression_that_goes_wrong_is_unknown(that: str) -> None:
    body = ROWS + f'expect: {{each: row, that: "{that}"}}'
    assert verdict(body, [row("a", size=0, numbers=[], settings={})]).outcome is Outcome.UNKNOWN


def test_rows_kept_are_bounded_and_counts_are_of_all() -> None:
    seen = verdict(SMALL, [row(f"t{i}", size=11) for i in range(MAX_ROWS + 5)])
    assert (seen.failed, len(seen.rows)) == (MAX_ROWS + 5, MAX_ROWS)


def test_offending_rows_are_kept_before_those_that_could_not_be_judged() -> None:
    seen = verdict(SMALL, [row(f"t{i}") for i in range(MAX_ROWS)] + [row("bad", size=11)])
    assert (seen.rows[0].key, len(seen.rows), seen.undecided) == ({"name": "bad"}, MAX_ROWS, MAX_ROWS)


def test_the_message_of_an_offending_row_is_filled_in_and_shows_what_is_not_known() -> None:
    body = ROWS + 'expect: {each: row, that: row.size <= 10, message: "{row.name} on {row.broker}: {row.size * 2} {}"}'
    [offending] = verdict(body, [row("a", size=11)]).rows
    assert offending.message == "a on ?: 22 {}"


def test_the_effect_counts() -> None:
    seen = verdict(SMALL, [row("a", size=11), row("b", size=1)], effect='"{failed} of {judged} are too large"')
    assert seen.reason == "1 of 2 are too large"


def test_columns_named_by_touches_say_what_a_row_is_about() -> None:
    body = ROWS + "expect: {each: row, that: row.size <= 10, touches: [numbers, broker]}"
    [offending] = verdict(body, [row("a", size=11, numbers=[3, 4], broker=-1)]).rows
    assert offending.touches == {"topic": ["a"], "broker": [3, 4]}


def test_times_are_compared_with_the_time_of_collection() -> None:
    body = ROWS + 'expect: {each: row, that: now - row.at < duration("48h")}'
    assert verdict(body, [row("a", at="2026-11-20T10:00:00Z")]).outcome is Outcome.PASS
    assert verdict(body, [row("a", at="2026-11-01T10:00:00Z")]).outcome is Outcome.FAIL
    assert verdict(body, [row("a", at="yesterday")]).outcome is Outcome.UNKNOWN


# --- which rows


def test_rows_outside_of_where_are_not_judged() -> None:
    body = ROWS + "expect: {each: row, where: row.ok, that: row.size <= 10}"
    seen = verdict(body, [row("a", ok=True, size=1), row("b", ok=False, size=99)])
    assert (seen.outcome, seen.judged) == (Outcome.PASS, 1)


def test_a_row_that_where_cannot_decide_is_never_skipped() -> None:
    body = ROWS + "expect: {each: row, where: row.ok, that: row.size <= 10}"
    for size in (1, 99):
        seen = verdict(body, [row("a", ok=True, size=1), row("b", size=size)])
        assert (seen.outcome, seen.undecided) == (Outcome.UNKNOWN, 1)


def test_where_that_leaves_nothing_is_no_pass() -> None:
    body = ROWS + "expect: {each: row, where: row.ok, that: row.size <= 10}"
    seen = verdict(body, [row("b", ok=False, size=1)])
    assert (seen.outcome, seen.reason) == (Outcome.NOT_APPLICABLE, "nothing to judge: none of them is concerned")


# --- joins

JOIN = NODES + "expect: {each: row, join: {node: {broker: broker}}, that: row.size <= node.limit}"


def joined(rows: list[dict[str, Any]], nodes: list[dict[str, Any]], *gaps: str, body: str = JOIN) -> Verdict:
    return verdict(body, rows, more={"node": fact("fake_node", nodes, gaps)})


def test_a_row_is_judged_with_the_row_it_is_joined_to() -> None:
    nodes = [{"broker": 1, "limit": 10}, {"broker": 2, "limit": 20}]
    assert joined([row("a", broker=2, size=15)], nodes).outcome is Outcome.PASS
    assert joined([row("a", broker=1, size=15)], nodes).outcome is Outcome.FAIL


def test_a_row_that_finds_nothing_to_join_is_unknown_and_says_what_is_missing() -> None:
    seen = joined([row("a", broker=3, size=1)], [{"broker": 1, "limit": 10}])
    assert (seen.outcome, seen.reason) == (Outcome.UNKNOWN, "node says nothing of broker 3")


def test_a_row_with_nothing_to_join_fails_where_the_rest_decides() -> None:
    body = NODES + "expect: {each: row, join: {node: {broker: broker}}, that: row.ok && row.size <= node.limit}"
    assert joined([row("a", broker=3, size=1, ok=False)], [], body=body).outcome is Outcome.FAIL


def test_an_incomplete_joined_fact_is_no_ground_for_a_pass() -> None:
    seen = joined([row("a", broker=1, size=1)], [{"broker": 1, "limit": 10}], "broker 2 did not answer")
    assert (seen.outcome, seen.reason) == (Outcome.UNKNOWN, "broker 2 did not answer")


def test_a_key_that_is_not_known_joins_with_nothing_not_even_with_another_such_key() -> None:
    assert joined([row("a", size=1)], [{"limit": 10}]).outcome is Outcome.UNKNOWN


def test_two_rows_of_the_same_key_are_no_ground_for_a_verdict() -> None:
    nodes = [{"broker": 1, "limit": 0}, {"broker": 1, "limit": 10}]
    for ordered in (nodes, nodes[::-1]):
        seen = joined([row("a", broker=1, size=1)], ordered)
        assert (seen.outcome, seen.reason) == (Outcome.UNKNOWN, "node says several things of broker 1")


def test_a_joined_fact_without_meaning_makes_the_check_inapplicable() -> None:
    more = {"node": fact("fake_node", inapplicable="prod has no fake: bare metal")}
    seen = verdict(JOIN, [row("a", broker=1, size=1)], more=more)
    assert (seen.outcome, seen.reason) == (Outcome.NOT_APPLICABLE, "prod has no fake: bare metal")


# --- over all rows

ALL = NODES + "expect: {all: row, that: size(row.name) >= size(node.broker)}"


def test_whole_columns_are_judged_at_once() -> None:
    nodes = fact("fake_node", [{"broker": 1}, {"broker": 2}])
    assert verdict(ALL, [row("a"), row("b")], more={"node": nodes}).outcome is Outcome.PASS
    seen = verdict(ALL, [row("a")], more={"node": nodes})
    assert (seen.outcome, seen.failed, seen.reason) == (Outcome.FAIL, 1, "not so: It is as it should be")


@pytest.mark.parametrize("name", ["row", "node"])
def test_a_gap_in_any_fact_that_is_counted_makes_it_unknown(name: str) -> None:
    gaps = {"row": [], "node": []} | {name: ["hidden"]}
    seen = verdict(ALL, [row("a")], *gaps["row"], more={"node": fact("fake_node", [{"broker": 1}], gaps["node"])})
    assert (seen.outcome, seen.reason) == (Outcome.UNKNOWN, "hidden")


def test_a_fact_that_is_not_read_does_not_count() -> None:
    body = NODES + "expect: {all: row, that: size(row.name) >= 1}"
    assert verdict(body, [row("a")], more={"node": fact("fake_node", gaps=["hidden"])}).outcome is Outcome.PASS


def test_a_column_with_a_hole_is_not_known_as_a_whole() -> None:
    body = ROWS + "expect: {all: row, that: 'row.size.all(size, size < 10)'}"
    assert verdict(body, [row("a", size=1), row("b")]).outcome is Outcome.UNKNOWN


def test_no_rows_at_all_are_no_pass() -> None:
    body = ROWS + "expect: {all: row, that: size(row.name) >= 0}"
    assert verdict(body, []).outcome is Outcome.NOT_APPLICABLE


def test_columns_of_times_are_compared_too() -> None:
    body = ROWS + "expect: {all: row, that: 'row.at.all(at, at < now)'}"
    assert verdict(body, [row("a", at="2026-01-01T00:00:00Z")]).outcome is Outcome.PASS
    assert verdict(body, [row("a", at="2027-01-01T00:00:00Z")]).outcome is Outcome.FAIL


# --- rows that must agree

SAME = ROWS + "expect: {same: row, by: [name], value: [size, tags]}"


def test_rows_of_a_group_that_agree_pass_and_groups_are_counted() -> None:
    seen = verdict(
        SAME, [row("a", broker=1, size=1, tags=["x"]), row("a", size=1, tags=["x"]), row("b", size=2, tags=[])]
    )
    assert (seen.outcome, seen.judged, seen.reason) == (Outcome.PASS, 2, "true of 2 topics")


def test_the_minority_is_named_where_there_is_a_majority() -> None:
    rows = [row("a", broker=i, size=1 if i else 2, tags=[]) for i in range(3)]
    seen = verdict(SAME, rows)
    assert (seen.outcome, seen.failed) == (Outcome.FAIL, 1)
    assert [r.message for r in seen.rows] == ["size 2, tags []; most have 1, []"]


def test_all_are_named_where_there_is_a_tie() -> None:
    seen = verdict(SAME, [row("a", size=1, tags=[]), row("a", size=2, tags=[])])
    assert [r.message for r in seen.rows] == ["size 1, tags []; they disagree", "size 2, tags []; they disagree"]


def test_rows_that_agree_as_far_as_is_known_are_unknown() -> None:
    seen = verdict(SAME, [row("a", size=1, tags=[]), row("a", tags=[])])
    assert (seen.outcome, seen.reason) == (Outcome.UNKNOWN, "a: a value could not be found out")


def test_a_value_that_is_not_known_hides_no_difference_in_another() -> None:
    seen = verdict(SAME, [row("a", size=1), row("a", size=2), row("a", tags=[])])
    assert seen.outcome is Outcome.FAIL
    assert [r.message for r in seen.rows] == ["size 1, tags ?; they disagree", "size 2, tags ?; they disagree"]


def test_a_single_row_of_which_the_value_is_not_known_is_unknown() -> None:
    assert verdict(SAME, [row("a", tags=[])]).outcome is Outcome.UNKNOWN


def test_a_group_that_is_not_known_is_unknown() -> None:
    body = ROWS + "expect: {same: row, by: [broker], value: [size]}"
    seen = verdict(body, [row("a", broker=1, size=1), row("b", size=2)])
    assert (seen.outcome, seen.reason) == (Outcome.UNKNOWN, "broker is not known")


def test_lists_and_maps_can_be_grouped_by_and_compared() -> None:
    body = ROWS + "expect: {same: row, by: [tags], value: [settings]}"
    one, other = (
        row("a", tags=["x"], settings={"k": "1", "j": "2"}),
        row("b", tags=["x"], settings={"j": "2", "k": "1"}),
    )
    assert verdict(body, [one, other]).outcome is Outcome.PASS
    assert verdict(body, [one, other | {"settings": {"k": "3"}}]).outcome is Outcome.FAIL


def test_disagreement_is_a_fail_whatever_is_missing() -> None:
    rows = [row("a", size=1, tags=[]), row("a", size=2, tags=[])]
    assert verdict(SAME, rows, "broker 2 did not answer").outcome is Outcome.FAIL
    assert verdict(SAME, rows[:1], "broker 2 did not answer").outcome is Outcome.UNKNOWN


def test_agreement_of_nothing_is_no_pass() -> None:
    assert verdict(SAME, []).outcome is Outcome.NOT_APPLICABLE


def test_rows_that_must_agree_are_selected_by_where() -> None:
    body = ROWS + "expect: {same: row, where: row.ok, by: [name], value: [size]}"
    rows = [row("a", ok=True, size=1), row("a", ok=False, size=2)]
    assert verdict(body, rows).outcome is Outcome.PASS
    assert verdict(body, [*rows, row("a", size=1)]).outcome is Outcome.UNKNOWN


# --- two looks

LOOKS = "facts: {row: {probe: fake_row, looks: 1s}}\nexpect: {window: row, that: after.size >= before.size}"


def looked(before: list[dict[str, Any]], after: list[dict[str, Any]], *gaps: str) -> Verdict:
    return verdict(LOOKS, after, more={"row.before": fact("fake_row", before, gaps)})


def test_two_looks_are_compared_row_by_row() -> None:
    assert looked([row("a", size=1)], [row("a", size=2)]).outcome is Outcome.PASS
    assert looked([row("a", size=2)], [row("a", size=1)]).outcome is Outcome.FAIL


def test_what_was_seen_once_only_is_unknown() -> None:
    seen = looked([row("a", size=1)], [row("a", size=1), row("b", size=1)])
    assert (seen.outcome, seen.reason) == (Outcome.UNKNOWN, "it was not there at the first look")
    seen = looked([row("a", size=1), row("b", size=1)], [row("a", size=1)])
    assert seen.reason == "1 of 2 rows of the first look were not there at the second"
    assert (seen.outcome, looked([row("a", size=1)], []).outcome) == (Outcome.UNKNOWN, Outcome.UNKNOWN)


def test_an_incomplete_first_look_is_no_ground_for_a_pass() -> None:
    assert looked([row("a", size=1)], [row("a", size=1)], "late").outcome is Outcome.UNKNOWN


# --- when it applies

APPLIES = """
    facts: {row: {probe: fake_row}, node: {probe: fake_node}}
    applies: {each: node, that: node.limit > 0, otherwise: nothing is limited}
    expect: {each: row, that: row.size <= 10}
"""


def applied(limits: list[int | None], *gaps: str) -> Verdict:
    nodes = [{"broker": i, "limit": limit} for i, limit in enumerate(limits)]
    return verdict(APPLIES, [row("a", size=11)], more={"node": fact("fake_node", nodes, gaps)})


def test_a_check_that_applies_is_judged() -> None:
    assert applied([1, 2]).outcome is Outcome.FAIL


def test_a_check_that_does_not_apply_says_why() -> None:
    seen = applied([1, 0])
    assert (seen.outcome, seen.reason) == (Outcome.NOT_APPLICABLE, "nothing is limited")


@pytest.mark.parametrize(("limits", "gaps"), [([1], ["hidden"]), ([1, None], []), ([], []), ([], ["hidden"])])
def test_whether_it_applies_is_unknown_without_complete_facts(limits: list[int | None], gaps: list[str]) -> None:
    seen = applied(limits, *gaps)
    assert seen.outcome is Outcome.UNKNOWN
    assert seen.reason.startswith("whether it applies is not known: ")


# --- objectives in conflict

AGAINST = {"objectives": "[availability]", "against": "[durability]"}


def ranked(body: str, rows: list[dict[str, Any]], ranking: Ranking) -> Verdict:
    return judge(compiled(body, **AGAINST), {"row": fact("fake_row", rows)}, context(ranking))


def test_each_topic_is_judged_by_the_ranking_in_force_for_it() -> None:
    first: list[Objective] = ["availability", "durability"]
    ranking = Ranking(["durability"], [TopicRanking("log.*", first)])
    seen = ranked(SMALL, [row("log.a", size=1), row("orders", size=11)], ranking)
    assert (seen.outcome, seen.judged) == (Outcome.PASS, 1)
    assert ranked(SMALL, [row("log.a", size=11)], ranking).outcome is Outcome.FAIL


def test_a_ranking_the_other_way_leaves_nothing_to_judge() -> None:
    seen = ranked(SMALL, [row("a", size=11)], Ranking(["durability", "availability"]))
    assert (seen.outcome, seen.reason) == (
        Outcome.NOT_APPLICABLE,
        "nothing to judge: the objectives in force rank the other way",
    )


def test_rows_that_must_agree_heed_the_ranking_too() -> None:
    body = ROWS + "expect: {same: row, by: [ok], value: [size]}"
    rows = [row("log.a", ok=True, size=1), row("orders", ok=True, size=2)]
    ranking = Ranking(["durability"], [TopicRanking("log.*", ["availability", "durability"])])
    assert ranked(body, rows, ranking).outcome is Outcome.PASS


def test_a_row_whose_topic_is_not_known_is_judged() -> None:
    ranking = Ranking(["durability"], [TopicRanking("log.*", ["availability", "durability"])])
    assert ranked(SMALL, [{"size": 11}], ranking).outcome is Outcome.FAIL


# --- the promise

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
    digests = [one.digest() for one in facts.values()]
    judge(compiled(JOIN), facts, context())
    assert [one.digest() for one in facts.values()] == digests
