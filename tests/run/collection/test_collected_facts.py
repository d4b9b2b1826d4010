from collections.abc import Callable

import pytest
from msgspec.structs import replace

from runbook.model.ask import FactQuestion
from runbook.model.fact import Fact, Gap
from runbook.model.link import Mirror
from runbook.run.collection.collected_facts import CollectedFacts
from support.small_runbooks import BAD, GOOD, LINK, check_text, fact, inventory, runner_of, stored, target

pytestmark = pytest.mark.usefixtures("fakes")


def test_views_of_facts_that_did_not_change_are_not_computed_again() -> None:
    linked = inventory(Mirror("prod", "dr"), prod=target("prod"), dr=target("dr"))
    runner = runner_of(linked, check_text(LINK, "small"))
    for _ in runner.kept(stored({(name, "fake_row"): fact("fake_row", GOOD) for name in ("prod", "dr")})):
        pass
    [judgement] = [judgement for judgement, _ in runner.judged() if not judgement.not_applicable_reason]
    seen = runner.collected
    first = seen.of(judgement)
    assert set(first) == {"src", "dst", "double"}
    assert CollectedFacts({**seen.facts}, seen).of(judgement)["double"] is first["double"]

    def without(change: Callable[[Fact], Fact]) -> Fact:
        changed = {ask: {look: change(one) for look, one in looks.items()} for ask, looks in seen.facts.items()}
        return CollectedFacts(changed, seen).of(judgement)["double"]

    assert without(replace) is first["double"]  # other facts of the very columns and gaps
    copied = without(lambda one: replace(one, columns={name: [*cells] for name, cells in one.columns.items()}))
    assert copied == first["double"]
    assert copied is not first["double"]
    lacking = without(lambda one: replace(one, gaps=[Gap("not seen")]))
    assert [gap.reason for gap in lacking.gaps] == ["not seen"]


def test_a_look_in_the_place_of_another_is_not_taken_for_it() -> None:
    asks = [FactQuestion(name, "fake", "fake_row") for name in ("prod", "dr")]
    early, late = fact("fake_row", GOOD), fact("fake_row", BAD)
    seen = CollectedFacts({ask: {"": replace(late), "before": replace(early)} for ask in asks})
    assert seen.named({"row": asks}, {}, {}, fleet=True)["row.before"].columns["size"] == [1, 1]
    without = CollectedFacts({ask: {"": looks[""], "before": looks[""]} for ask, looks in seen.facts.items()}, seen)
    assert without.named({"row": asks}, {}, {}, fleet=True)["row.before"].columns["size"] == [11, 11]


def test_what_nobody_knows_of_a_fact_is_one_object_for_all_causes() -> None:
    ask, collected = FactQuestion("prod", "fake", "fake_row"), fact("fake_row", GOOD)
    seen = CollectedFacts({ask: {"": collected}})
    first = seen.clouded(ask, collected, ["name"], "not known")
    assert first.columns["size"] == [None]
    assert seen.clouded(ask, collected, ["name"], "not known") is first
    assert seen.clouded(ask, collected, ["name"], "another reason") is not first
    assert seen.clouded(ask, replace(collected), ["name"], "not known") is not first, "one that may be gone tomorrow"
