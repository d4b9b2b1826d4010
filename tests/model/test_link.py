import datetime as dt
import textwrap
from typing import Any

import pytest

from runbook.judge.compiled import compile_check
from runbook.model.errors import Invalid
from runbook.model.link import LINK, Mirror, Promise, paired
from runbook.model.result import Outcome, Result
from runbook.parse.inventory import Inventory, parse_inventory
from runbook.run.planning.plan import Judgement, Selection, plan
from support.small_runbooks import check_text, fact, inventory, judged, small_runbook, target

pytestmark = pytest.mark.usefixtures("fakes")

BODY = """
over: link
params: {most: {type: int, default: 1}}
facts: {dst: {probe: fake_row, at: target}}
"""


def test_a_link_says_what_it_is_meant_to_do() -> None:
    promises = [Promise(["pay*", "bill*"], "10s", "15m"), Promise([], "5m", "1h"), Promise(["logs"], None, None)]
    constants = Mirror("eu", "us", alias="europe", separator="-", promises=promises).constants()
    assert constants.keys() == LINK.keys()
    assert (constants["link.prefix"], constants["link.topics"], constants["link.rpo"], constants["link.rto"]) == (
        "europe-",
        ["*"],
        10,
        900,
    )
    assert constants["link.rpo_of"] == ["pay*=10", "bill*=10", "*=300"]
    assert constants["link.target_alias"] == "us"
    assert Mirror("eu", "us", target_alias="america").constants()["link.target_alias"] == "america"


def test_a_link_knows_whether_the_inventory_has_its_other_direction() -> None:
    there, back, other = Mirror("eu", "us"), Mirror("us", "eu"), Mirror("eu", "asia", back_declared=True)
    alone, elsewhere = paired([there, other])
    assert not alone.constants()["link.back_declared"]
    assert elsewhere.constants()["link.back_declared"]  # its own inventory says so
    assert all(mirror.constants()["link.back_declared"] for mirror in paired([there, back]))


@pytest.mark.parametrize(
    ("link", "prefix"), [(Mirror("eu", "us"), "eu."), (Mirror("eu", "us", alias="e", policy="identity"), "")]
)
def test_copies_are_named_by_the_policy(link: Mirror, prefix: str) -> None:
    assert link.constants()["link.prefix"] == prefix


def the_result(that: str, link: Mirror) -> Result:
    ends = inventory(link, prod=target("prod", {"fake": {}}), dr=target("dr", {"fake": {}}))
    row = fact("fake_row", [{"name": "a", "ok": True}])
    facts = {("prod", "fake_row"): row, ("dr", "fake_row"): row}
    results = judged(ends, facts, check_text(BODY + f"expect: {{each: dst, that: '{that}'}}")).results
    [result] = [result for result in results if result.subject_kind == "link"]
    return result


def test_expressions_read_what_is_declared() -> None:
    link = Mirror("prod", "dr", alias="p", promises=[Promise(rpo="1m")])
    assert the_result('link.prefix == "p." && link.rpo == 60', link).outcome == Outcome.PASS
    assert the_result("link.rpo < 60", link).outcome == Outcome.FAIL


def test_what_was_not_promised_can_not_be_judged() -> None:
    result = the_result("link.rpo <= 60", Mirror("prod", "dr"))
    assert (result.outcome, "link.rpo could not be found out" in result.reason) == (Outcome.UNKNOWN, True)


def mistakes(body: str) -> str:
    [placed] = small_runbook(check_text(body)).checks()
    with pytest.raises(Invalid) as caught:
        compile_check(placed)
    return str(caught.value)


def test_only_checks_of_links_may_read_it() -> None:
    assert 'unknown name "link.alias"' in mistakes(
        "facts: {a: {probe: fake_row}}\nexpect: {each: a, that: link.alias != ''}"
    )


def test_a_name_that_links_do_not_have_is_told_with_those_that_they_have() -> None:
    given = "over: link\nfacts: {src: {probe: kafka_topic, at: source}, dst: {probe: kafka_topic, at: target}}\n"
    given += "views: {pair: {view: mirrored_topic, of: {source: src, target: dst}, with: {prefix: link.prefxi}}}\n"
    assert "did you mean link.prefix?" in mistakes(given + "expect: {each: pair, that: pair.present}")


ENDS = """
environments:
  prod: {fake: {}}
  dr: {fake: {}, params: {small/*: {most: 2}}}
mirrors:
  - from: prod
    to: dr
"""


def read(more: str = "", book: str = "small") -> Inventory:
    text = textwrap.dedent(ENDS).replace("small/", f"{book}/") + textwrap.indent(more, "    ")
    return parse_inventory(text, "environments.yaml", dt.date(2026, 11, 22))


def the_judgement(ends: Inventory) -> Judgement:
    book = small_runbook(check_text(BODY + "expect: {each: dst, that: dst.ok}"))
    checks = [compile_check(placed) for placed in book.checks()]
    [judgement] = plan([(book, checks)], ends, [ends.targets["dr"]], Selection())
    return judgement


def name_of() -> str:
    return the_judgement(read()).compiled.placed.name


def test_parameters_of_a_link_come_before_those_of_its_target() -> None:
    book = name_of().partition("/")[0]
    for more, value in (
        ("", 2),
        (f"params: {{{book}/*: {{most: 3}}}}", 3),
        (f"params: {{{name_of()}: {{most: 4}}}}", 4),
    ):
        params: dict[str, Any] = the_judgement(read(more, book)).params
        assert params == {"most": value}


def test_a_parameter_of_a_link_that_no_check_has_is_told_with_its_place() -> None:
    name = name_of()
    with pytest.raises(Invalid) as caught:
        the_judgement(read(f"params: {{{name}: {{mots: 3}}}}"))
    assert f'{name} has no parameter "mots"' in str(caught.value)
    assert "environments.yaml:8:" in str(caught.value)
