"""Causes over a link: which end is asked, which end is set right, and what a dark end hides."""

from collections.abc import Iterator

import pytest

from runbook.judge.cause import CompiledCause, compile_cause, compile_effect
from runbook.model.diagnosis import CauseFound
from runbook.model.errors import Invalid
from runbook.model.fact import Fact
from runbook.model.link import Mirror
from runbook.model.result import Outcome
from runbook.parse.inventory import Inventory
from runbook.run.diagnosis.explanation import JudgedEnvironment, diagnose
from runbook.run.judgement.cause_search import Subject
from runbook.run.planning.plan import HEAD
from support.cause_blocks import CAUSE, EFFECT, block
from support.small_runbooks import NOW, Facts, check_text, fact, inventory, runner_of, small_runbook, stored, target

pytestmark = pytest.mark.usefixtures("fakes")

OVER = (
    CAUSE.replace("title: A row is too large", "title: A row of the source is too large\n    over: link")
    .replace("{row: {probe: fake_row}}", "{row: {probe: fake_row, at: source}}")
    .replace('"row {row.name} has', '"row {row.name} of {link.source} (for {link.target}) has')
    .replace("size: 1}}", "size: 1}, at: source}")
)
SMALL_THERE = check_text(
    "over: link\nfacts: {row: {probe: fake_row, at: source}}\nexpect: {each: row, that: row.size <= 10}", "small"
)
LARGE, LITTLE = [{"name": "a", "size": 11}], [{"name": "a", "size": 1}]
LINKED = inventory(Mirror("prod", "dr"), prod=target("prod"), dr=target("dr"))


def cause(text: str = OVER) -> CompiledCause:
    [placed] = small_runbook(block("cause", text)).placed()
    return compile_cause(placed)


def here(ends: Inventory, facts: Facts, *checks: str) -> JudgedEnvironment:
    """What is known of dr, to which everything is mirrored."""
    runner = runner_of(ends, *checks, chosen=["dr"])
    for _ in runner.kept(stored(facts)):
        pass
    links = [Subject(ends.targets[mirror.to], ends.targets[mirror.from_], mirror) for mirror in ends.mirrors]
    sources = [ends.targets[mirror.from_] for mirror in ends.mirrors]
    return JudgedEnvironment(ends.targets["dr"], runner.collected, runner.judged(), NOW, sources, links)


def found(ends: Inventory, facts: Facts, text: str = OVER) -> list[CauseFound]:
    return diagnose(here(ends, facts, SMALL_THERE), [cause(text)], []).diagnosis.causes


def rows(source: Fact, there: Fact) -> Facts:
    return {("prod", "fake_row"): source, ("dr", "fake_row"): there}


def test_it_looks_at_the_end_that_it_names_and_calls_both_by_their_names() -> None:
    facts = rows(fact("fake_row", LARGE), fact("fake_row", LITTLE))
    [one] = found(LINKED, facts)
    assert (one.says, one.explains) == ("row a of prod (for dr) has 11 bytes in 1 rows", ["small/small"])
    assert found(LINKED, rows(fact("fake_row", LITTLE), fact("fake_row", LARGE))) == []


def test_it_sets_right_the_end_that_its_recovery_names_and_no_other() -> None:
    elsewhere = OVER.replace("at: source}\n", "at: target}\n")
    assert elsewhere != OVER
    [one] = found(LINKED, rows(fact("fake_row", LARGE), fact("fake_row", LARGE)), elsewhere)
    assert one.explains == []
    first = "{recovery: fake_shrink, with: {names: row.name, size: 1}, at: "
    both = OVER.replace(f"undone: {first}source}}", f"undone: [{first}target}}, {first}source}}]")
    assert both != OVER
    [one] = found(LINKED, rows(fact("fake_row", LARGE), fact("fake_row", LARGE)), both)
    assert one.explains == ["small/small"]


def test_it_is_looked_for_in_each_link_and_not_in_environments() -> None:
    two = inventory(
        Mirror("prod", "dr"), Mirror("spare", "dr"), prod=target("prod"), spare=target("spare"), dr=target("dr")
    )
    facts = rows(fact("fake_row", LARGE), fact("fake_row", LARGE)) | {("spare", "fake_row"): fact("fake_row", LITTLE)}
    assert [one.says for one in found(two, facts)] == ["row a of prod (for dr) has 11 bytes in 1 rows"]


def test_what_a_recovery_is_given_may_be_something_of_the_link() -> None:
    named = OVER.replace("names: row.name", "names: link.source")
    facts = rows(fact("fake_row", [{"name": "prod", "size": 11}]), fact("fake_row", LITTLE))
    [one] = found(LINKED, facts, named)
    assert one.explains == ["small/small"]


def _wrong() -> Iterator[tuple[str, str]]:
    yield OVER.replace(", at: source}}\n    holds", "}}\n    holds"), "at: source or target goes with over: link"
    yield OVER.replace("size: 1}, at: source}", "size: 1}}"), "each recovery of it needs it"
    yield CAUSE.replace("size: 1}}", "size: 1}, at: source}"), "fake_shrink and over: environment do not go together"
    yield OVER.replace("over: link", "over: environment"), '"row" and over: environment do not go together'
    yield CAUSE.replace("{row.name} has", "{link.source} has"), 'unknown name "link.source"'


@pytest.mark.parametrize(("text", "said"), [*_wrong()])
def test_mistakes_are_told_with_what_to_write(text: str, said: str) -> None:
    with pytest.raises(Invalid) as caught:
        cause(text)
    assert said in "\n".join(f"{problem.message} {problem.remedy}" for problem in caught.value.problems)


def test_an_effect_says_of_which_end_it_tells() -> None:
    facts = rows(fact("fake_row", LARGE), fact("fake_row", [{"name": "b", "size": 12}]))
    [placed] = small_runbook(block("effect", EFFECT)).placed()
    known = here(
        LINKED,
        facts,
        SMALL_THERE,
        check_text('facts: {row: {probe: fake_row}}\nexpect: {all: row, that: "1 == 1"}', "own"),
    )
    said = diagnose(known, [cause()], [compile_effect(placed)]).diagnosis
    assert [effect.says for effect in said.effects] == ["at dr: b is large"]


PINNED = inventory(
    Mirror("prod", "dr"), prod=target("prod", {"fake": {}, "kafka": {}}, cluster_id="right"), dr=target("dr")
)
DARK = "no bootstrap server answers: kafka-1:9092 can't be reached: connection refused"
REACHED = OVER.replace("{row: {probe: fake_row, at: source}}", "{row: {probe: fake_row, at: target}}").replace(
    "{recovery: fake_shrink, with: {names: row.name, size: 1}, at: source}",
    "{recovery: cluster_reachable, at: source}",
)


REFUSED = "kafka-1:9092 does not let us look: it lacks a right"


@pytest.mark.parametrize(
    ("head", "row", "hidden"), [(DARK, DARK, ["small/small"]), (REFUSED, REFUSED, []), (REFUSED, DARK, [])]
)
def test_a_dark_end_hides_its_checks_also_where_it_is_pinned_and_only_if_it_is_dark(
    head: str, row: str, hidden: list[str]
) -> None:
    facts = rows(fact("fake_row", gaps=[row]), fact("fake_row", LARGE)) | {("prod", HEAD): fact(HEAD, gaps=[head])}
    own = check_text(
        'over: link\nfacts: {row: {probe: fake_row, at: target}}\nexpect: {all: row, that: "1 == 1"}', "own"
    )
    known = here(PINNED, facts, SMALL_THERE, own)
    [result] = [result for _, result in known.judged if result.check == "small/small"]
    assert result.outcome is Outcome.UNKNOWN
    [one] = diagnose(known, [cause(REACHED)], []).diagnosis.causes
    assert one.withholds == hidden


def test_a_check_of_an_end_that_is_known_to_be_another_cluster_is_none_of_what_is_explained() -> None:
    answer = fact(HEAD, [{"cluster_id": "wrong", "brokers": 1}])
    facts = rows(fact("fake_row", LARGE), fact("fake_row", LITTLE)) | {("prod", HEAD): answer}
    assert here(PINNED, facts, SMALL_THERE).judged == []
