from typing import Any

import pytest
from msgspec.structs import replace

from runbook.model.exit_code import ExitCode, exit_code
from runbook.model.fact import Fact
from runbook.model.link import Mirror
from runbook.model.result import Outcome
from runbook.model.run import Run
from runbook.parse.inventory import FLEET, Waiver
from runbook.parse.unobserved import Unobserved
from runbook.run.planning.plan import HEAD
from support.small_runbooks import (
    BAD,
    EACH,
    FLEET_SAME,
    GOOD,
    LINK,
    NOW,
    ROWS,
    Facts,
    check_text,
    fact,
    inventory,
    judged,
    runner_of,
    small_runbook,
    stored,
    target,
)

pytestmark = pytest.mark.usefixtures("fakes")


def outcomes(run: Run) -> list[tuple[str, str, Outcome]]:
    return [(result.check, result.subject, result.outcome) for result in run.results]


# --- judging what is kept


def test_each_check_has_one_result_per_environment_in_the_order_of_the_plan() -> None:
    ends = inventory(b=target("b"), a=target("a"))
    run = judged(
        ends,
        {("a", "fake_row"): fact("fake_row", GOOD), ("b", "fake_row"): fact("fake_row", BAD)},
        check_text(EACH, "second"),
        check_text(EACH, "first"),
    )
    assert outcomes(run) == [
        ("small/second", "b", Outcome.FAIL),
        ("small/second", "a", Outcome.PASS),
        ("small/first", "b", Outcome.FAIL),
        ("small/first", "a", Outcome.PASS),
    ]


@pytest.mark.parametrize(
    ("typed", "gaps", "noted"), [(True, ["it hangs"], 0), (False, ["it hangs"], 1), (False, [], 0)]
)
def test_of_a_bundle_whose_gaps_have_no_kinds_it_is_said_that_sentences_tell_them(
    *, typed: bool, gaps: list[str], noted: int
) -> None:
    runner = runner_of(inventory(prod=target("prod")), check_text(EACH))
    bundle = stored({("prod", "fake_row"): fact("fake_row", GOOD, gaps=gaps)})
    for _ in runner.kept(replace(bundle, typed_gaps=typed)):
        pass
    [head] = runner.run.heads
    assert len([note for note in head.notes if "kept before gaps had kinds" in note]) == noted


def test_a_result_says_what_it_rests_on() -> None:
    seen = fact("fake_row", GOOD)
    [result] = judged(
        inventory(prod=target("prod")), {("prod", "fake_row"): seen}, check_text(EACH, remedy="act")
    ).results
    [evidence] = result.evidence
    assert (evidence.name, evidence.source, evidence.digest, evidence.rows, evidence.complete) == (
        "row",
        "fake_row",
        seen.digest(),
        1,
        True,
    )
    assert (result.runbook, result.runbook_version, result.remedy, result.judged) == ("small", "1.0.0", "act", 1)
    assert result.check_digest == small_runbook(check_text(EACH)).checks()[0].digest()


def test_a_fact_the_bundle_does_not_hold_is_unknown() -> None:
    [result] = judged(inventory(prod=target("prod")), {}, check_text(EACH)).results
    assert (result.outcome, result.reason) == (
        Outcome.UNKNOWN,
        "fake_row: the bundle does not hold it: it was collected for other checks",
    )


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        ({"name": ["a"], "size": ["1"]}, "has '1' for size, which is declared int"),
        ({"name": ["a", "b"], "size": [1]}, "has columns of different lengths"),
        ({"name": ["a"]}, "row.size could not be found out"),
        ({}, "nothing to judge"),
    ],
)
def test_a_stored_fact_of_another_shape_is_no_ground_for_a_pass(columns: dict[str, list[Any]], reason: str) -> None:
    [result] = judged(
        inventory(prod=target("prod")), {("prod", "fake_row"): Fact("fake_row", columns)}, check_text(EACH)
    ).results
    assert result.outcome is not Outcome.PASS
    assert reason in result.reason


def test_a_connection_that_is_not_given_is_unknown_and_one_declared_absent_does_not_apply() -> None:
    ends = inventory(bare=target("bare", {}), absent=target("absent", {}, absent={"fake": "bare metal"}))
    without, absent = judged(ends, {}, check_text(EACH)).results
    assert (without.outcome, without.reason) == (
        Outcome.UNKNOWN,
        "the inventory gives no fake connection for bare, nor declares it absent",
    )
    assert (absent.outcome, absent.reason) == (Outcome.NOT_APPLICABLE, "absent has no fake: bare metal")


LEFT = Unobserved("no access yet", "team-x", "2026-11-21")


def test_what_nobody_looks_at_by_declaration_is_unknown_and_fails_no_run_until_its_end() -> None:
    ends = inventory(prod=target("prod", {}, unobserved={"fake": LEFT}))
    run = judged(ends, {}, check_text(EACH))
    [result] = run.results
    assert (result.outcome, result.unobserved, result.is_unknown) == (Outcome.UNKNOWN, True, False)
    assert (exit_code(run), run.heads[0].notes) == (ExitCode.NOTHING, [])
    [declared] = run.heads[0].unobserved
    assert (declared.of, declared.owner, declared.until, declared.ended) == ("fake", "team-x", "2026-11-21", False)
    run = judged(
        inventory(prod=target("prod", {}, unobserved={"fake": replace(LEFT, until="2026-11-20")})), {}, check_text(EACH)
    )
    assert (run.results[0].outcome, run.results[0].unobserved, exit_code(run)) == (Outcome.UNKNOWN, False, 3)
    [note] = run.heads[0].notes
    assert note.startswith("fake was to be observed again by now: team-x did without it until 2026-11-20; give the con")


def test_what_needs_what_nobody_looks_at_is_so_whatever_else_it_lacks_and_a_failure_stays_one() -> None:
    both = "over: fleet\n" + EACH
    ends = inventory(prod=target("prod", {}, unobserved={"fake": LEFT}), seen=target("seen"))
    run = judged(ends, {("seen", "fake_row"): fact("fake_row", gaps=["no rights"])}, check_text(both))
    assert [(one.outcome, one.unobserved) for one in run.results] == [(Outcome.UNKNOWN, True)]
    run = judged(ends, {("seen", "fake_row"): fact("fake_row", BAD)}, check_text(both))
    assert [(one.outcome, one.unobserved) for one in run.results] == [(Outcome.FAIL, False)]


def test_a_check_that_is_barred_has_a_result_without_evidence() -> None:
    ends = inventory(prod=target("prod", labels={"tier": "dev"}, cluster_id="pinned"))
    [result] = judged(ends, {}, check_text(EACH, labels="{tier: [prod]}")).results
    assert (result.outcome, result.reason) == (Outcome.NOT_APPLICABLE, "meant for tier prod; here tier is dev")
    assert (result.evidence, result.judged) == ([], 0)


# --- the right cluster


def cluster(identity: str | None, *gaps: str) -> Fact:
    row = {"cluster_id": identity, "kafka_version": "4.1", "mode": "kraft", "brokers": 3, "answering": 2}
    return fact("kafka_cluster", [row] if identity else [], gaps)


PINNED = target("prod", {"fake": {}, "kafka": {}}, cluster_id="right")


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (cluster("wrong"), "this is cluster wrong; the inventory pins prod to right"),
        (cluster(None, "refused"), "whether this is cluster right could not be found out: refused"),
        (cluster(None), "whether this is cluster right could not be found out: it does not say"),
    ],
)
def test_a_cluster_that_is_not_the_pinned_one_makes_everything_unknown(answer: Fact, reason: str) -> None:
    for rows in (GOOD, BAD):
        facts: Facts = {("prod", HEAD): answer, ("prod", "fake_row"): fact("fake_row", rows)}
        [result] = judged(inventory(prod=PINNED), facts, check_text(EACH)).results
        assert (result.outcome, result.reason, result.rows) == (Outcome.UNKNOWN, reason, [])


def test_the_pinned_cluster_is_judged() -> None:
    facts: Facts = {("prod", HEAD): cluster("right"), ("prod", "fake_row"): fact("fake_row", GOOD)}
    [result] = judged(inventory(prod=PINNED), facts, check_text(EACH)).results
    assert result.outcome is Outcome.PASS


def test_a_pin_that_nothing_can_confirm_makes_everything_unknown() -> None:
    ends = inventory(prod=target("prod", cluster_id="right"))
    [result] = judged(ends, {("prod", "fake_row"): fact("fake_row", GOOD)}, check_text(EACH)).results
    assert result.outcome is Outcome.UNKNOWN
    assert "there is no kafka connection to ask" in result.reason


def test_a_link_needs_the_right_cluster_at_both_ends() -> None:
    ends = inventory(Mirror("prod", "dr"), prod=PINNED, dr=target("dr"))
    facts: Facts = {(name, "fake_row"): fact("fake_row", GOOD) for name in ("prod", "dr")}
    [result, _] = judged(ends, facts | {("prod", HEAD): cluster("wrong")}, check_text(LINK)).results
    assert result.outcome is Outcome.UNKNOWN


@pytest.mark.parametrize(("end", "outcome"), [("target", Outcome.PASS), ("source", Outcome.UNKNOWN)])
def test_what_one_end_of_a_link_tells_is_judged_also_while_the_other_end_is_dark(end: str, outcome: Outcome) -> None:
    ends = inventory(Mirror("prod", "dr"), prod=PINNED, dr=target("dr"))
    facts: Facts = {(name, "fake_row"): fact("fake_row", GOOD) for name in ("prod", "dr")}
    body = f"""
    over: link
    facts: {{row: {{probe: fake_row, at: {end}}}}}
    expect: {{all: row, that: size(row.name) > 0}}
"""
    [result, *_] = judged(ends, facts | {("prod", HEAD): cluster(None, "it is dark")}, check_text(body)).results
    assert result.outcome is outcome


# --- heads


def test_the_head_says_what_the_cluster_says_of_itself() -> None:
    prod = target("prod", {"kafka": {}, "fake": {}}, objectives=["latency"])
    run = judged(inventory(prod=prod), {("prod", HEAD): cluster("abc")}, check_text(EACH))
    [head] = run.heads
    assert (head.cluster_id, head.kafka_version, head.mode, head.brokers, head.answering) == (
        "abc",
        "4.1",
        "kraft",
        3,
        2,
    )
    assert (head.ranking, head.collected_at) == (["latency"], NOW)


ASKING_BROKERS = """
    facts: {brokers: {probe: kafka_broker}}
    expect: {each: brokers, that: brokers.answers}
"""


def test_the_head_names_the_brokers_that_do_not_answer_where_the_run_asked_which() -> None:
    rows = [{"broker": 1, "answers": True}, {"broker": 2, "answers": False}, {"broker": 3, "answers": None}]
    ends = inventory(prod=target("prod", {"kafka": {}}))
    facts = {("prod", HEAD): cluster("abc"), ("prod", "kafka_broker"): fact("kafka_broker", rows)}
    assert judged(ends, facts, check_text(ASKING_BROKERS)).heads[0].silent == [2]
    assert judged(ends, {("prod", HEAD): cluster("abc")}, check_text(EACH)).heads[0].silent is None


def test_without_kafka_the_head_still_has_its_ranking_and_notes() -> None:
    waiver = Waiver("small/any", "alice", "the move to new disks", "2026-11-01")
    prod = target("prod", objectives=["latency"], waivers=[waiver])
    [head] = judged(inventory(prod=prod), {("prod", "fake_row"): fact("fake_row", BAD)}, check_text(EACH)).heads
    assert (head.brokers, head.ranking) == (None, ["latency"])
    assert head.notes == ["the waiver of alice for small/any expired on 2026-11-01"]


def test_a_waiver_for_a_check_that_is_not_there_is_shown() -> None:
    waivers = [Waiver(check, "alice", "the move to new disks", "2026-12-01") for check in ("small/nay", "other/any")]
    [head] = judged(inventory(prod=target("prod", waivers=waivers)), {}, check_text(EACH)).heads
    assert head.notes == ["the waiver of alice for small/nay names no check of that runbook: did you mean small/any?"]


def test_a_waived_failure_keeps_its_outcome_and_says_who_waived_it() -> None:
    waiver = Waiver("small/any", "alice", "the move to new disks", "2026-12-01")
    ends = inventory(prod=target("prod", waivers=[waiver]))
    [result] = judged(ends, {("prod", "fake_row"): fact("fake_row", BAD)}, check_text(EACH)).results
    assert (result.outcome, result.waived, result.rows[0].waived) == (Outcome.FAIL, True, True)


# --- links and fleets


def test_a_link_is_judged_over_both_ends() -> None:
    ends = inventory(Mirror("prod", "dr"), prod=target("prod"), dr=target("dr"))
    facts: Facts = {("prod", "fake_row"): fact("fake_row", GOOD), ("dr", "fake_row"): fact("fake_row", GOOD)}
    [result, _] = judged(ends, facts, check_text(LINK)).results
    assert (result.subject_kind, result.subject, result.environment) == ("link", "prod→dr", "dr")
    assert result.outcome is Outcome.PASS
    for end in ("prod", "dr"):
        [result, _] = judged(
            ends, facts | {(end, "fake_row"): fact("fake_row", GOOD, ["hidden"])}, check_text(LINK)
        ).results
        assert (result.outcome, result.reason) == (Outcome.UNKNOWN, "hidden")


def test_a_fleet_is_judged_over_all_environments_and_what_one_lacks_is_lacking() -> None:
    ends = inventory(a=target("a"), b=target("b"))
    facts: Facts = {("a", "fake_row"): fact("fake_row", GOOD), ("b", "fake_row"): fact("fake_row", BAD)}
    run = judged(ends, facts, check_text(FLEET_SAME), heads=(FLEET,))
    [result] = run.results
    assert (result.subject, result.environment, result.outcome) == (FLEET, FLEET, Outcome.FAIL)
    assert [row.key for row in result.rows] == [{"environment": name, "name": "a"} for name in "ab"]
    [result] = judged(ends, {("a", "fake_row"): fact("fake_row", GOOD)}, check_text(FLEET_SAME)).results
    assert result.outcome is Outcome.UNKNOWN
    assert result.reason.startswith("b: ")


def test_a_fleet_can_be_looked_at_twice() -> None:
    body = (
        "over: fleet\nfacts: {row: {probe: fake_row, looks: 1s}}\nexpect: {window: row, that: after.size > before.size}"
    )
    look = {"before": fact("fake_row", [{"name": "a", "size": 1}]), "": fact("fake_row", [{"name": "a", "size": 2}])}
    ends = inventory(a=target("a"), b=target("b"))
    [result] = judged(ends, {("a", "fake_row"): look, ("b", "fake_row"): look}, check_text(body)).results
    assert (result.outcome, result.judged) == (Outcome.PASS, 2)


def test_the_labels_of_one_environment_do_not_stand_for_the_fleet() -> None:
    body = "over: fleet\n" + ROWS + 'expect: {each: row, that: \'env.labels["tier"] == "prod"\'}'
    ends = inventory(a=target("a", labels={"tier": "prod"}), b=target("b"))
    facts: Facts = {(name, "fake_row"): fact("fake_row", GOOD) for name in "ab"}
    [result] = judged(ends, facts, check_text(body)).results
    assert result.outcome is Outcome.UNKNOWN


def test_a_view_that_several_checks_use_over_many_environments_is_never_mixed_up() -> None:
    views = "views: {double: {view: fake_double, of: {row: row}}}\n"
    bodies = [ROWS + views + f"expect: {{each: double, that: double.twice == {2 * i}}}" for i in range(20)]
    blocks = [check_text(f"over: fleet\n{body}", f"c{i}") for i, body in enumerate(bodies)]
    for i in range(20):
        facts: Facts = {("a", "fake_row"): fact("fake_row", [{"name": "a", "size": i}])}
        run = judged(inventory(a=target("a")), facts, *blocks)
        assert [r.check for r in run.results if r.outcome is Outcome.PASS] == [f"small/c{i}"]
