"""What explains failures: checks judged again over facts without a cause."""

from typing import Any

import pytest

from runbook.judge.cause import compile_cause, compile_effect
from runbook.model.block import Cause, Effect
from runbook.model.diagnosis import Diagnosis
from runbook.model.fact import Fact, Gap
from runbook.model.old_gaps import from_sentence
from runbook.run.diagnosis.explanation import MOST, JudgedEnvironment, diagnose
from support.cause_blocks import CAUSE, EFFECT, block
from support.small_runbooks import EACH, NOW, check_text, fact, inventory, runner_of, small_runbook, stored, target

pytestmark = pytest.mark.usefixtures("fakes")

SMALL = check_text(EACH, "small")
NODES = "facts: {node: {probe: fake_node}}\nexpect: {all: node, that: size(node.broker) >= 2}"
ONE_NODE = check_text(NODES.replace("2", "1"), "nodes")


def row(name: str, size: int | None = 1, **cells: Any) -> dict[str, Any]:
    return {"name": name, "size": size, "broker": 1, "ok": True} | cells


def diagnosed(
    rows: Fact,
    *blocks: str,
    more: dict[str, Fact] | None = None,
    checks: tuple[str, ...] = (SMALL,),
    connections: dict[str, Any] | None = None,
) -> Diagnosis:
    """What is said of an environment with these facts, by these causes and effects."""
    ends = inventory(prod=target("prod", {"fake": {}} | (connections or {})))
    runner = runner_of(ends, *checks)
    facts = {("prod", "fake_row"): rows} | {("prod", probe): fact for probe, fact in (more or {}).items()}
    for _ in runner.kept(stored(facts)):
        pass
    placed = list(small_runbook(*blocks).placed())
    here = JudgedEnvironment(ends.targets["prod"], runner.collected, runner.judged(), NOW)
    causes = [compile_cause(block) for block in placed if isinstance(block.block, Cause)]
    return diagnose(
        here, causes, [compile_effect(block) for block in placed if isinstance(block.block, Effect)]
    ).diagnosis


def too_large() -> str:
    return block("cause", CAUSE)


def test_a_check_that_passes_without_the_cause_is_explained() -> None:
    [cause] = diagnosed(fact("fake_row", [row("a", 11)]), too_large()).causes
    assert (cause.explains, cause.certain, cause.keys) == (["small/small"], True, {"name": ["a"]})


def test_the_first_action_asks_the_servers_of_its_environment() -> None:
    asks = block("cause", CAUSE.replace("shrink {row.name}", "`kafka-topics.sh --bootstrap-server HOST:PORT --list`"))
    reached = {"kafka": {"bootstrap.servers": "kafka-1.example:9092"}}
    [cause] = diagnosed(fact("fake_row", [row("a", 11)]), asks, connections=reached).causes
    assert cause.first == "`kafka-topics.sh --bootstrap-server kafka-1.example:9092 --list`"
    [cause] = diagnosed(fact("fake_row", [row("a", 11)]), asks).causes
    assert cause.first == "`kafka-topics.sh --bootstrap-server HOST:PORT --list`"


def test_a_check_that_fails_still_is_not_and_its_rows_that_remain_are_counted() -> None:
    only_a = too_large().replace("that: row.size > 10", "that: 'row.size > 10 && row.name == \"a\"'")
    said = diagnosed(fact("fake_row", [row("a", 11), row("b", 12)]), only_a)
    [cause] = said.causes
    assert (cause.explains, said.unexplained, said.left_over) == ([], ["small/small"], {"small/small": 1})


def test_what_only_all_causes_together_explain_is_explained_by_none_alone() -> None:
    said = diagnosed(fact("fake_row", [row("a", 11), row("b", 12)]), too_large())
    assert [(cause.explains, cause.helps) for cause in said.causes] == [([], ["small/small"])] * 2
    assert said.unexplained == []


def test_a_cause_without_which_no_row_less_offends_does_not_help() -> None:
    beside = too_large().replace("id: too-large", "id: not-ok").replace("that: row.size > 10", "that: '!row.ok'")
    said = diagnosed(fact("fake_row", [row("a", 11), row("b", 12), row("c", ok=False)]), too_large(), beside)
    by_name = {cause.keys["name"][0]: cause.helps for cause in said.causes}
    assert by_name == {"a": ["small/small"], "b": ["small/small"], "c": []}


def test_what_all_causes_together_leave_unknown_may_be_explained_by_each_that_heals_a_row() -> None:
    beside = too_large().replace("id: too-large", "id: not-ok").replace("that: row.size > 10", "that: '!row.ok'")
    rows = fact("fake_row", [row("a", 11), row("b", 12), row("c", ok=False)], gaps=[Gap("d did not answer")])
    said = diagnosed(rows, too_large(), beside)
    by_name = {cause.keys["name"][0]: cause.may_explain for cause in said.causes}
    assert by_name == {"a": ["small/small"], "b": ["small/small"], "c": []}
    assert (said.unexplained, [cause.explains or cause.helps for cause in said.causes]) == ([], [[], [], []])


def test_a_check_of_which_it_is_not_known_may_be_explained() -> None:
    checks = (check_text(EACH.replace("row.size <= 10", "row.size <= 10 && row.ratio < 2.0"), "small"),)
    said = diagnosed(fact("fake_row", [row("a", 11)]), too_large(), checks=checks)
    [cause] = said.causes
    assert (cause.explains, cause.may_explain, said.unexplained) == ([], ["small/small"], [])


def test_a_check_over_facts_that_a_recovery_does_not_know_may_be_explained() -> None:
    checks = (SMALL, check_text(NODES, "nodes"))
    nodes = fact("fake_node", [{"broker": 1}])
    cause = too_large()
    said = diagnosed(fact("fake_row", [row("a", 11)]), cause, more={"fake_node": nodes}, checks=checks)
    assert said.causes[0].explains == ["small/small"]
    assert said.unexplained == ["small/nodes"]  # its recovery leaves nodes alone: the cause has nothing to do with it


def test_an_unknown_check_that_lacks_only_what_the_cause_hides_is_unknown_because_of_it() -> None:
    checks = (SMALL, ONE_NODE)
    hidden = fact("fake_node", [{"broker": 1}], gaps=[Gap("a did not answer", {"topic": "a"})])
    [cause] = diagnosed(fact("fake_row", [row("a", 11)]), too_large(), more={"fake_node": hidden}, checks=checks).causes
    assert cause.withholds == ["small/nodes"]


@pytest.mark.parametrize(("gap", "hidden"), [({"topic": "a"}, ["small/logs"]), ({"topic": "b"}, []), ({}, [])])
def test_so_is_one_over_facts_of_which_it_is_not_known_what_they_would_be_without_it(
    gap: dict[str, str | int], hidden: list[str]
) -> None:
    logs = check_text("facts: {log: {probe: fake_log}}\nexpect: {each: log, that: log.size <= 10}", "logs")
    seen = fact("fake_log", [{"broker": 1, "path": "/a", "size": 1}], gaps=[Gap("it did not answer", gap)])
    rows = fact("fake_row", [row("a", 11)])
    [cause] = diagnosed(rows, too_large(), more={"fake_log": seen}, checks=(SMALL, logs)).causes
    assert cause.withholds == hidden


def test_an_unknown_check_that_lacks_something_else_is_not() -> None:
    checks = (SMALL, ONE_NODE)
    gaps = [Gap("a did not answer", {"topic": "a"}), Gap("denied")]
    hidden = fact("fake_node", [{"broker": 1}], gaps=gaps)
    [cause] = diagnosed(fact("fake_row", [row("a", 11)]), too_large(), more={"fake_node": hidden}, checks=checks).causes
    assert cause.withholds == []


def test_a_cause_that_can_not_be_decided_is_possible_where_it_would_explain_something() -> None:
    doubtful = too_large().replace("row.size > 10", "row.size > 10 && row.ok")
    said = diagnosed(fact("fake_row", [row("a", 11, ok=None)]), doubtful)
    assert [(cause.certain, cause.explains) for cause in said.causes] == [(False, ["small/small"])]
    assert said.undecided == ["small/too-large"]
    assert said.named == []
    assert said.unexplained == ["small/small"]


def test_a_cause_that_can_not_be_decided_and_explains_nothing_is_not_told() -> None:
    doubtful = too_large().replace("that: row.size > 10", "that: row.ok")
    said = diagnosed(fact("fake_row", [row("a", 11, ok=False), row("b", 1, ok=None)]), doubtful)
    assert (said.causes, said.undecided) == ([], ["small/too-large"])


def test_a_cause_stands_beneath_another_without_which_it_would_not_hold() -> None:
    every = too_large().replace("id: too-large", "id: any-is-large").replace(", by: [name]", "")
    said = diagnosed(fact("fake_row", [row("a", 11), row("b", 12)]), too_large(), every)
    assert [cause.cause for cause in said.named] == ["small/any-is-large"]
    assert {cause.beneath for cause in said.causes if cause.beneath} == {said.named[0].says}


def test_a_cause_of_which_nobody_knows_whether_it_would_hold_without_another_stands_beside_it() -> None:
    logs = """
        id: log-is-large
        title: A log is large
        facts: {log: {probe: fake_log}}
        holds: {each: log, that: log.size > 10, by: [size]}
        says: "log {log.path} has {log.size} bytes"
        first: "shrink {log.path}"
        undone: {recovery: fake_shrink, with: {names: log.path, size: 1}}
        sources: [made for tests]
    """
    small_log = check_text("facts: {log: {probe: fake_log}}\nexpect: {each: log, that: log.size <= 10}", "logs")
    more = {"fake_log": fact("fake_log", [{"broker": 1, "path": "/a", "size": 99}])}
    large = fact("fake_row", [row("a", 11)])
    said = diagnosed(large, too_large(), block("cause", logs), more=more, checks=(SMALL, small_log))
    assert {cause.cause for cause in said.named} == {"small/too-large", "small/log-is-large"}


def test_a_cause_whose_facts_nobody_fetched_is_not_looked_at() -> None:
    nodes = too_large().replace(
        "facts: {row: {probe: fake_row}}", "facts: {row: {probe: fake_row}, node: {probe: fake_node}}"
    )
    said = diagnosed(fact("fake_row", [row("a", 11)]), nodes)
    assert (said.causes, said.undecided, said.unexplained) == ([], [], ["small/small"])


def test_effects_are_told_where_a_cause_holds_and_nowhere_else() -> None:
    effect = block("effect", EFFECT)
    assert [sentence.says for sentence in diagnosed(fact("fake_row", [row("a", 11)]), too_large(), effect).effects] == [
        "a is large"
    ]
    nothing = too_large().replace("row.size > 10", "row.size > 99")
    assert diagnosed(fact("fake_row", [row("a", 11)]), nothing, effect).effects == []


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        ("a (127.0.0.1:1) had not answered when the 10 s were over", True),
        ("it needs Describe on the cluster", True),
        ("no bootstrap server answers", False),  # the cause says so
    ],
)
def test_where_an_effect_could_not_be_found_out_it_says_so(reason: str, *, told: bool) -> None:
    effect = block("effect", EFFECT.replace("fake_row", "fake_log").replace("row.name", "row.path"))
    more = {"fake_log": fact("fake_log", [], [from_sentence(reason)])}
    log_check = check_text("facts: {log: {probe: fake_log}}\nexpect: {each: log, that: log.size <= 10}", "logs")
    said = diagnosed(fact("fake_row", [row("a", 11)]), too_large(), effect, more=more, checks=(SMALL, log_check))
    assert [(one.label, one.says) for one in said.effects] == ([("now", f"not known: {reason}")] if told else [])


def test_of_very_many_findings_some_are_looked_at_and_the_rest_is_counted() -> None:
    said = diagnosed(fact("fake_row", [row(str(number), 11) for number in range(MOST + 2)]), too_large())
    assert len(said.causes) == MOST
    assert said.notes == ["2 more findings of causes are not looked at"]
    assert said.unexplained == ["small/small"]


def test_outcomes_stay_as_they_are() -> None:
    ends = inventory(prod=target("prod"))
    runner = runner_of(ends, SMALL)
    for _ in runner.kept(stored({("prod", "fake_row"): fact("fake_row", [row("a", 11)])})):
        pass
    before = [(result.check, result.outcome, result.failed) for result in runner.run.results]
    here = JudgedEnvironment(ends.targets["prod"], runner.collected, runner.judged(), NOW)
    [placed] = small_runbook(too_large()).placed()
    diagnose(here, [compile_cause(placed)], [])
    assert [(result.check, result.outcome, result.failed) for result in runner.run.results] == before


def test_a_parameter_that_a_check_under_verify_has_too_is_the_one_in_force_there() -> None:
    params = "params: {most: {type: int, default: 10, help: bytes, source: made for tests}}\n"
    checks = (check_text(params + EACH.replace("<= 10", "<= params.most"), "small"),)
    cause = CAUSE.replace("row.size > 10", "row.size > params.most")
    cause += "    params: {most: {type: int, default: 99, help: bytes, source: made for tests}}\n"
    rows = fact("fake_row", [row("a", 11)])
    assert diagnosed(rows, block("cause", cause), checks=checks).causes == []
    assert len(diagnosed(rows, block("cause", cause + "    verify: [small]\n"), checks=checks).causes) == 1


@pytest.mark.parametrize(("condition", "withheld"), [("node.broker >= 1", ["small/nodes"]), ("node.limit > 1", [])])
def test_where_the_cause_hides_whether_a_check_applies_it_must_hide_all_else_that_it_lacks(
    condition: str, withheld: list[str]
) -> None:
    text = f"facts: {{node: {{probe: fake_node}}}}\nexpect: {{each: node, that: {condition}}}"
    text += "\napplies: {each: node, that: node.broker > 0, otherwise: there is none}"
    nodes = fact("fake_node", [{"broker": 1}], gaps=[Gap("a did not answer", {"topic": "a"})])
    checks = (SMALL, check_text(text, "nodes"))
    [cause] = diagnosed(fact("fake_row", [row("a", 11)]), too_large(), more={"fake_node": nodes}, checks=checks).causes
    assert cause.withholds == withheld


def test_what_is_wrong_at_the_other_end_of_a_link_is_looked_for_too_and_it_is_said_where() -> None:
    ends = inventory(prod=target("prod"), spare=target("spare"))
    runner = runner_of(ends, SMALL)
    for _ in runner.kept(stored({(name, "fake_row"): fact("fake_row", [row("a", 11)]) for name in ends.targets})):
        pass
    judged = [judgement for judgement in runner.judged() if judgement[0].environment == "prod"]
    [placed] = small_runbook(too_large()).placed()
    here = JudgedEnvironment(ends.targets["prod"], runner.collected, judged, NOW, ends=[ends.targets["spare"]])
    causes = diagnose(here, [compile_cause(placed)], []).diagnosis.causes
    assert [(cause.says, cause.explains) for cause in causes] == [
        ("row a has 11 bytes in 1 rows", ["small/small"]),
        ("in spare: row a has 11 bytes in 1 rows", []),
    ]


LOG_IS_LARGE = """
    id: log-is-large
    title: A log is large
    facts: {log: {probe: fake_log}}
    holds: {each: log, that: log.size > 10, by: [size]}
    says: "log {log.path} has {log.size} bytes"
    first: "shrink {log.path}"
    verify: [logs]
    undone: {recovery: fake_shrink, with: {names: log.path, size: 1}}
    sources: [made for tests]
"""


def small(consequence: str) -> str:
    """The check of large rows, with this consequence."""
    assert "severity: high" in SMALL
    return SMALL.replace("severity: high", f"consequence: {consequence}")


@pytest.mark.parametrize(
    ("consequence", "first", "standing"),
    [
        ("degraded", "small/too-large", False),
        ("next-failure", "small/log-is-large", True),  # graver than the other, and it has been so for long
        ("site-loss", "small/log-is-large", True),
        ("outage", "small/too-large", False),
    ],
)
def test_acute_causes_stand_before_standing_conditions_whatever_their_severity(
    consequence: str, first: str, *, standing: bool
) -> None:
    more = {"fake_log": fact("fake_log", [{"broker": 1, "path": "/a", "size": 99}])}
    logs = check_text("facts: {log: {probe: fake_log}}\nexpect: {each: log, that: log.size <= 10}", "logs")
    checks = (small(consequence), logs.replace("severity: high", "severity: low"))
    blocks = (too_large(), block("cause", LOG_IS_LARGE))
    said = diagnosed(fact("fake_row", [row("a", 11)]), *blocks, more=more, checks=checks)
    assert said.causes[0].cause == first
    assert {cause.cause: cause.standing for cause in said.causes} == {
        "small/too-large": standing,
        "small/log-is-large": False,  # a severity without a reason may be of something acute
    }


@pytest.mark.parametrize(("consequence", "told"), [("latent", []), ("degraded", [False])])
def test_a_standing_condition_that_explains_no_failure_is_not_told(consequence: str, told: list[bool]) -> None:
    cause = (
        too_large().replace("that: row.size > 10", "that: row.size > 5").replace("avoid:", "verify: [small]\navoid:")
    )
    said = diagnosed(fact("fake_row", [row("a", 6)]), cause, checks=(small(consequence),))
    assert [found.standing for found in said.causes] == told


def test_a_cause_comes_before_those_whose_first_action_is_in_vain_while_it_holds() -> None:
    first = too_large().replace("id: too-large", "id: not-ok").replace("that: row.size > 10", "that: '!row.ok'")
    rows = fact("fake_row", [row("a", 11), row("b", ok=False)])
    assert [cause.cause for cause in diagnosed(rows, too_large(), first).causes] == ["small/too-large", "small/not-ok"]
    first = first.replace("sources:", "before: [too-large]\nsources:")
    assert [cause.cause for cause in diagnosed(rows, too_large(), first).causes] == ["small/not-ok", "small/too-large"]


def test_a_cause_that_hides_something_is_no_standing_condition() -> None:
    hidden = fact("fake_node", [{"broker": 1}], gaps=[Gap("a did not answer", {"topic": "a"})])
    checks = (small("latent"), ONE_NODE)
    [cause] = diagnosed(fact("fake_row", [row("a", 11)]), too_large(), more={"fake_node": hidden}, checks=checks).causes
    assert (cause.withholds, cause.standing) == (["small/nodes"], False)
