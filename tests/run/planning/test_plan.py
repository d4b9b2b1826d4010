from typing import Any

import pytest

from runbook.judge.compiled import Compiled, compile_check
from runbook.model.block import OBJECTIVES, SEVERITIES
from runbook.model.errors import Invalid
from runbook.model.link import Mirror
from runbook.parse.inventory import Inventory, Target
from runbook.parse.runbook import Runbook
from runbook.run.planning.plan import HEAD, Judgement, Selection, asks_of, judged_columns, plan
from support.small_runbooks import ROWS, check_text, compiled, inventory, small_runbook, target

pytestmark = pytest.mark.usefixtures("fakes")

EACH = ROWS + "expect: {each: row, that: row.ok}"
LINK = """
    over: link
    facts: {src: {probe: fake_row, at: source}, dst: {probe: fake_row, at: target}}
    expect: {each: src, that: src.ok}
"""
FLEET = EACH + "\nover: fleet"


def laid_out(
    *blocks: str, inventory_of: Inventory, chosen: list[str] | None = None, **selection: Any
) -> list[Judgement]:
    book = small_runbook(*blocks)
    checks: tuple[Runbook, list[Compiled]] = (book, [compile_check(placed) for placed in book.checks()])
    targets = [inventory_of.targets[name] for name in chosen or inventory_of.targets]
    return plan([checks], inventory_of, targets, Selection(**selection))


def only_judgement(body: str, environment: Target, **fields: str) -> Judgement:
    [judgement] = laid_out(check_text(body, **fields), inventory_of=inventory(prod=environment))
    return judgement


# --- which checks


@pytest.mark.parametrize(
    ("only", "expected"),
    [
        ((), ["small/a", "small/a-b", "small/b"]),
        (("b",), ["small/b"]),
        (("a-b", "small/a"), ["small/a", "small/a-b"]),
        (("mall/a",), []),
        (("",), []),
    ],
)
def test_checks_are_selected_by_their_name_or_the_end_of_it(only: tuple[str, ...], expected: list[str]) -> None:
    blocks = [check_text(EACH, name) for name in ("a", "a-b", "b")]
    planned = laid_out(*blocks, inventory_of=inventory(prod=target("prod")), only=only)
    assert [judgement.compiled.placed.name for judgement in planned] == expected


def test_checks_are_selected_from_a_severity_upwards() -> None:
    blocks = [check_text(EACH, name, severity=name) for name in SEVERITIES]
    for i, least in enumerate(SEVERITIES):
        planned = laid_out(*blocks, inventory_of=inventory(prod=target("prod")), severity=least)
        assert [judgement.compiled.check.severity for judgement in planned] == list(SEVERITIES[i:])


def test_checks_are_selected_by_objective_and_those_without_any_serve_all() -> None:
    blocks = [check_text(EACH, name, objectives=f"[{name}]") for name in OBJECTIVES] + [check_text(EACH, "any")]
    planned = laid_out(*blocks, inventory_of=inventory(prod=target("prod")), objectives=("latency", "durability"))
    assert [judgement.compiled.check.id for judgement in planned] == ["durability", "latency", "any"]


def test_only_a_selection_of_nothing_in_particular_is_everything() -> None:
    assert Selection().everything
    assert not any(
        s.everything for s in (Selection(("a",)), Selection(severity="low"), Selection(objectives=("latency",)))
    )


# --- of what


def test_a_check_is_judged_for_each_environment() -> None:
    planned = laid_out(check_text(EACH), inventory_of=inventory(prod=target("prod"), test=target("test")))
    assert [(j.subject_kind, j.subject, j.environment) for j in planned] == [
        ("environment", "prod", "prod"),
        ("environment", "test", "test"),
    ]


def test_a_link_is_judged_at_its_target_with_facts_from_both_ends() -> None:
    ends = inventory(Mirror("prod", "dr"), prod=target("prod"), dr=target("dr"), other=target("other"))
    for chosen in (["prod"], ["dr"], ["prod", "dr"]):
        [judgement, *others] = laid_out(check_text(LINK), inventory_of=ends, chosen=chosen)
        assert [judgement.not_applicable_reason for judgement in others] == [
            "links are judged where they lead to: prod→dr"
        ] * ("prod" in chosen)
        assert (judgement.subject_kind, judgement.subject, judgement.environment) == ("link", "prod→dr", "dr")
        assert {name: [ask.environment for ask in asks] for name, asks in judgement.asks.items()} == {
            "src": ["prod"],
            "dst": ["dr"],
        }


def test_a_check_of_links_has_a_result_where_there_is_none() -> None:
    [judgement] = laid_out(check_text(LINK), inventory_of=inventory(prod=target("prod")))
    assert judgement.not_applicable_reason == "the inventory names no mirror from or to prod"
    assert asks_of([judgement], {}) == []


def test_of_a_link_that_a_run_is_about_and_nobody_declares_nothing_is_found_out() -> None:
    sites = {"prod": target("prod"), "dr": target("dr")}
    back = inventory(Mirror("dr", "prod"), **sites)
    for ends, chosen in ((inventory(**sites), "dr"), (back, "dr")):
        planned = laid_out(check_text(LINK), inventory_of=ends, chosen=[chosen], link=("prod", "dr"))
        assert [judgement.undeclared for judgement in planned if not judgement.asks] == [True]
    declared = inventory(Mirror("prod", "dr"), **sites)
    planned = laid_out(check_text(LINK), inventory_of=declared, chosen=["prod"], link=("prod", "dr"))
    assert [judgement.undeclared for judgement in planned] == [False, False]


def test_a_fleet_is_judged_once_with_facts_of_all_environments() -> None:
    planned = laid_out(check_text(FLEET), inventory_of=inventory(prod=target("prod"), test=target("test")))
    [judgement] = planned
    assert (judgement.subject_kind, judgement.environment) == ("fleet", "fleet")
    assert [ask.environment for ask in judgement.asks["row"]] == ["prod", "test"]


def test_a_fleet_leaves_out_environments_with_other_labels() -> None:
    both = inventory(test=target("test", labels={"tier": "test"}), prod=target("prod", labels={"tier": "prod"}))
    [judgement] = laid_out(check_text(FLEET, labels="{tier: [prod]}"), inventory_of=both)
    assert ([t.name for t in judgement.targets], judgement.not_applicable_reason) == (["prod"], "")
    [judgement] = laid_out(check_text(FLEET, labels="{tier: [dev]}"), inventory_of=both)
    assert judgement.not_applicable_reason == "meant for tier dev; here tier is test"


# --- whether it applies


@pytest.mark.parametrize(
    ("labels", "barred"),
    [
        ({"tier": "prod"}, ""),
        ({"tier": "dev"}, "meant for tier prod or stage; here tier is dev"),
        ({}, "meant for tier prod or stage; here tier is not set"),
    ],
)
def test_labels_decide_before_anything_is_asked(labels: dict[str, str], barred: str) -> None:
    judgement = only_judgement(EACH, target("prod", labels=labels), labels="{tier: [prod, stage]}")
    assert judgement.not_applicable_reason == barred
    assert bool(asks_of([judgement], {})) is not bool(barred)


@pytest.mark.parametrize(
    ("labels", "barred"),
    [
        ({"tier": "sandbox"}, "not meant for tier sandbox"),
        ({"tier": "prod"}, ""),
        ({}, ""),
    ],
)
def test_a_label_that_is_ruled_out_bars_environments_that_have_it_and_no_others(
    labels: dict[str, str], barred: str
) -> None:
    assert (
        only_judgement(EACH, target("prod", labels=labels), labels='{tier: ["!sandbox"]}').not_applicable_reason
        == barred
    )


def test_a_label_may_be_asked_for_and_another_value_of_it_ruled_out() -> None:
    both = '{tier: [prod, "!sandbox"]}'
    assert (
        only_judgement(EACH, target("here", labels={"tier": "dev"}), labels=both).not_applicable_reason
        == "meant for tier prod; here tier is dev"
    )
    assert (
        only_judgement(EACH, target("here", labels={"tier": "sandbox"}), labels=both).not_applicable_reason
        == "not meant for tier sandbox"
    )
    assert only_judgement(EACH, target("here", labels={"tier": "prod"}), labels=both).not_applicable_reason == ""


def test_objectives_in_conflict_decide_before_anything_is_asked_where_no_row_has_a_topic() -> None:
    body = "facts: {node: {probe: fake_node}}\nexpect: {each: node, that: node.limit > 0}"
    fields = {"objectives": "[availability]", "against": "[durability]"}
    durable = target("prod", objectives=["durability", "availability"])
    assert only_judgement(body, durable, **fields).not_applicable_reason == (
        "holds where availability ranks higher; in force here: durability > availability"
    )
    assert only_judgement(body, target("prod", objectives=["availability"]), **fields).not_applicable_reason == ""
    assert only_judgement(EACH, durable, **fields).not_applicable_reason == ""  # each topic may be ranked by itself
    whole = ROWS + "expect: {all: row, that: size(row.name) > 0}"
    assert only_judgement(whole, durable, **fields).not_applicable_reason


def test_rows_are_judged_one_by_one_except_in_whole_columns() -> None:
    assert judged_columns(compiled(EACH))
    assert judged_columns(compiled(ROWS + "expect: {all: row, that: size(row.name) > 0}")) == ()


# --- parameters

PARAMS = EACH + "\nparams: {spare: {type: int, default: 1, min: 0, max: 5, help: replicas to spare}}"


def test_an_environment_may_set_a_parameter_visibly() -> None:
    judgement = only_judgement(PARAMS, target("prod", params={"small/any": {"spare": 2}}))
    assert (judgement.params, judgement.overridden) == ({"spare": 2}, ["spare"])
    judgement = only_judgement(PARAMS, target("prod"))
    assert (judgement.params, judgement.overridden) == ({"spare": 1}, [])


@pytest.mark.parametrize(
    ("params", "said"),
    [
        (
            {"small/any": {"spare": 6}},
            "spare of small/any: 6 is above the greatest allowed value, 5\n    replicas to spare",
        ),
        ({"small/any": {"spare": "2"}}, "spare of small/any: '2' is not of type int"),
        ({"small/any": {"spar": 2}}, 'small/any has no parameter "spar"\n    did you mean spare?'),
        ({"small/nay": {"spare": 2}}, 'no check "small/nay"\n    did you mean small/any?'),
        ({"small": {"any": {"spare": 2}}}, 'no check "small"\n    write small/any: and its parameters'),
        ({"small": {"spare": 2}}, 'no check "small"\n    write small/any:'),
        ({"small": {"spar": 2}}, 'no check "small"\n    write small/CHECK:'),
        ({"small/*": {"spar": 2}}, 'no check of small has a parameter "spar"\n    did you mean spare?'),
        ({"small/*": {"spare": 6}}, "spare of small/any: 6 is above the greatest allowed value, 5"),
    ],
)
def test_a_parameter_that_is_not_allowed_is_a_mistake_of_the_inventory(params: dict[str, Any], said: str) -> None:
    with pytest.raises(Invalid) as caught:
        only_judgement(PARAMS, target("prod", params=params))
    assert said in str(caught.value)


def test_a_parameter_is_set_for_all_checks_of_a_runbook_that_have_it() -> None:
    whole = {"small/*": {"spare": 2}}
    judgement = only_judgement(PARAMS, target("prod", params=whole))
    assert (judgement.params, judgement.overridden) == ({"spare": 2}, ["spare"])
    assert only_judgement(PARAMS, target("prod", params=whole | {"small/any": {"spare": 3}})).params == {"spare": 3}
    [with_it, without] = laid_out(
        check_text(PARAMS, "has"), check_text(EACH, "lacks"), inventory_of=inventory(prod=target("prod", params=whole))
    )
    assert (with_it.params, without.params, without.overridden) == ({"spare": 2}, {}, [])


def test_parameters_of_runbooks_that_are_not_run_are_left_alone() -> None:
    assert only_judgement(PARAMS, target("prod", params={"other/check": {"x": 1}})).params == {"spare": 1}


def test_a_parameter_of_the_check_reaches_the_probe() -> None:
    body = "facts: {row: {probe: fake_row, with: {least: params.spare}}}\n" + PARAMS.partition("\n")[2]
    judgement = only_judgement(body, target("prod", params={"small/any": {"spare": 3}}))
    assert judgement.asks["row"][0].parameters() == {"least": 3}


# --- questions


def test_a_question_that_several_checks_have_is_asked_once() -> None:
    planned = laid_out(*[check_text(EACH, name) for name in "abc"], inventory_of=inventory(prod=target("prod")))
    assert [(ask.environment, ask.probe) for ask in asks_of(planned, {})] == [("prod", "fake_row")]


def test_an_environment_with_kafka_is_asked_what_it_is() -> None:
    prod = target("prod", {"kafka": {}, "fake": {}})
    planned = laid_out(check_text(EACH), inventory_of=inventory(prod=prod))
    assert [ask.probe for ask in asks_of(planned, {"prod": prod})] == [HEAD, "fake_row"]


def test_a_check_that_asks_for_the_ends_of_a_link_is_barred_where_there_is_none() -> None:
    body = LINK.replace("{probe: fake_row, at: source}", "{probe: fake_row, at: source, with: {text: link.source}}")
    judgement = only_judgement(body, target("prod"))
    assert judgement.asks == {}
    assert judgement.not_applicable_reason
