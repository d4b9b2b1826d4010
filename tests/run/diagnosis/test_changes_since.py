"""What changed since a kept look, told beside the causes."""

from typing import Any

from msgspec import structs

from runbook.changes.observations import Inquiry, Observation
from runbook.evidence.bundle import FORMAT, Bundle, Kept
from runbook.model.ask import FactQuestion
from runbook.model.diagnosis import ChangesSince, Diagnosis
from runbook.model.fact import Fact, Gap
from runbook.model.recovery import WITHHELD
from runbook.model.run import Run
from runbook.parse.inventory import Environment
from runbook.plugins.catalog import catalog
from runbook.run.diagnosis.changes_since import MOST, ExplainedObservation, tell_changes

NOW = "2026-11-24T07:00:00.000Z"


def rows(probe: str, count: int, **columns: list[Any]) -> Fact:
    """Rows of a probe; what is not told is not known."""
    declared = {column.name: [None] * count for column in catalog("probes").load(probe).PROBE.columns}
    return Fact(probe, declared | columns)


def voters(leader: int) -> Fact:
    """Two voters, of which one leads, or neither."""
    return rows("kafka_quorum", 2, node=[1, 2], leader=[leader == 1, leader == 2])


def settings(**values: int) -> Fact:
    return rows("kafka_feature", len(values), feature=[*values], finalized=[*values.values()])


def brokers(silence: str) -> Fact:
    return rows("kafka_broker", 1, broker=[2], silence=[silence])


def kept(*facts: Fact) -> Bundle:
    """A look of Monday."""
    asked = [Kept(FactQuestion("prod", "kafka", fact.source), {"": fact}) for fact in facts]
    return Bundle(
        FORMAT, "0", "r1", "2026-11-23T06:00:00.000Z", {"prod": Environment()}, {}, [], asked, ["prod"], typed_gaps=True
    )


def look(*facts: Fact) -> Observation:
    return Observation("prod", NOW, {Inquiry(fact.source): fact for fact in facts})


def a_run(*diagnoses: Diagnosis) -> Run:
    return Run("r2", "0", "manual", complete=True, started_at=NOW, deadline_ms=1, diagnoses=[*diagnoses])


def changes_of(run: Run) -> ChangesSince:
    [diagnosis] = run.diagnoses
    assert diagnosis.changes is not None
    return diagnosis.changes


def test_what_the_causes_changed_is_counted_and_the_rest_is_told() -> None:
    run = a_run(Diagnosis(environment="prod", undecided=["ha/x"]))
    as_it_is, without = look(voters(2), settings(x=2)), look(voters(1), settings(x=2))
    tell_changes(run, kept(voters(1), settings(x=1)), ExplainedObservation(as_it_is, without))
    assert (changes_of(run).since, changes_of(run).run) == ("2026-11-23T06:00:00.000Z", "r1")
    assert [(sentence.label, "kafka_feature" in sentence.says) for sentence in changes_of(run).sentences] == [
        ("changed", True)
    ]
    assert (changes_of(run).more, changes_of(run).by_causes) == (0, 2)
    assert run.diagnoses[0].undecided == ["ha/x"]  # what was said stays


def test_without_a_cause_everything_is_told_and_what_is_too_much_is_counted() -> None:
    run = a_run()
    now = look(settings(x=2, y=3), voters(1), brokers("refused"))
    tell_changes(run, kept(settings(x=1, y=1), voters(0), brokers("")), ExplainedObservation(now, now))
    assert [sentence.says.partition(":")[0] for sentence in changes_of(run).sentences] == [
        "broker 2",
        "controller 1",
        "feature x",
    ]
    assert (MOST, changes_of(run).more, changes_of(run).by_causes) == (3, 1, 0)  # feature y is of the same sort


def test_what_the_cause_keeps_from_being_seen_has_not_changed() -> None:
    run = a_run()
    without = look(brokers(WITHHELD))
    tell_changes(run, kept(brokers("")), ExplainedObservation(look(brokers("refused")), without))
    assert (changes_of(run).sentences, changes_of(run).more, changes_of(run).by_causes) == ([], 0, 1)


def test_what_was_so_when_the_last_facts_were_kept_has_not_changed_whatever_it_would_be_without_a_cause() -> None:
    """As where the weekly round looked in the middle of the outage: that the broker is back would be told."""
    run = a_run()
    as_it_is, without = look(brokers("refused"), settings(x=2)), look(brokers(""), settings(x=2))
    tell_changes(run, kept(brokers("refused"), settings(x=1)), ExplainedObservation(as_it_is, without))
    assert [sentence.says.partition(":")[0] for sentence in changes_of(run).sentences] == ["feature x"]
    assert (changes_of(run).more, changes_of(run).by_causes) == (0, 0)


def test_nothing_changed_is_said_as_nothing() -> None:
    run = a_run()
    now = look(settings(x=1))
    tell_changes(run, kept(settings(x=1)), ExplainedObservation(now, structs.replace(now)))
    assert (changes_of(run).sentences, changes_of(run).more, changes_of(run).by_causes, changes_of(run).unread) == (
        [],
        0,
        0,
        "",
    )


def silent(probe: str) -> Fact:
    return Fact(probe, rows(probe, 0).columns, [Gap("connection refused")])


def test_where_nothing_is_seen_any_more_nothing_was_compared() -> None:
    run = a_run()
    now = look(silent("kafka_feature"), silent("kafka_broker"))
    tell_changes(run, kept(settings(x=1, y=1), brokers("")), ExplainedObservation(now, now))
    assert (changes_of(run).sentences, changes_of(run).by_causes, changes_of(run).seen_twice) == ([], 0, 0)
    assert (changes_of(run).unseen, changes_of(run).unseen_why) == (3, "now: connection refused")


def test_where_neither_look_saw_anything_the_reason_of_both_is_told() -> None:
    run = a_run()
    now = look(silent("kafka_broker"))
    tell_changes(
        run, kept(silent("kafka_broker"), voters(1)), ExplainedObservation(now, now)
    )  # nobody asked for voters now
    assert (changes_of(run).seen_twice, changes_of(run).unseen_why) == (0, "now and then: connection refused")


def test_what_is_partly_missing_is_counted_with_the_reason_that_hides_most() -> None:
    run = a_run()
    now = look(settings(x=1), silent("kafka_broker"), voters(1))
    tell_changes(run, kept(settings(x=1), brokers("")), ExplainedObservation(now, now))
    assert (changes_of(run).seen_twice, changes_of(run).unseen) == (1, 1)
    assert changes_of(run).unseen_why == "now: connection refused"  # that nobody asked for voters then hides nothing


def test_a_run_of_fewer_runbooks_says_nothing_of_what_it_did_not_ask() -> None:
    run = a_run()
    now = look(settings(x=1))
    tell_changes(run, kept(settings(x=1), voters(1)), ExplainedObservation(now, now))
    assert (changes_of(run).seen_twice, changes_of(run).unseen, changes_of(run).unseen_why) == (1, 0, "")


def test_where_nothing_was_asked_twice_it_is_said_that_nobody_asked() -> None:
    run = a_run()
    now = look(settings(x=1))
    tell_changes(run, kept(voters(1)), ExplainedObservation(now, now))
    assert changes_of(run).seen_twice == 0
    assert changes_of(run).unseen > 0
    assert "not asked" in changes_of(run).unseen_why


def test_what_was_none_and_can_not_be_seen_now_may_have_come() -> None:
    run = a_run()
    now = look(settings(x=1), silent("kafka_broker"))
    tell_changes(run, kept(settings(x=1), rows("kafka_broker", 0)), ExplainedObservation(now, now))
    assert (changes_of(run).seen_twice, changes_of(run).unseen, changes_of(run).unseen_why) == (
        1,
        0,
        "now: connection refused",
    )


def test_what_neither_look_could_see_is_nothing_that_one_of_them_lacks() -> None:
    run = a_run()
    now = look(settings(x=1), silent("kafka_broker"))
    tell_changes(run, kept(settings(x=1), silent("kafka_broker")), ExplainedObservation(now, now))
    assert (changes_of(run).seen_twice, changes_of(run).unseen_why) == (1, "")
