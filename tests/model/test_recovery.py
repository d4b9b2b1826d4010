from runbook.model.fact import Fact, Gap
from runbook.model.recovery import WITHHELD, changed, clouded, reveal, withhold


def seen(*gaps: Gap) -> Fact:
    return Fact("p", {"broker": [1, 2], "value": [10, 20]}, list(gaps), collected_at="2026-11-24T00:00:00Z", took_ms=3)


def test_what_the_cause_keeps_from_being_seen_is_marked_and_other_gaps_stay() -> None:
    made = withhold(seen(Gap("silent", {"broker": 2}), Gap("denied")), "broker", [2])
    assert [gap.reason for gap in made.gaps] == [f"{WITHHELD}: silent", "denied"]


def test_a_fact_that_the_cause_does_not_touch_is_the_same_object() -> None:
    fact = seen(Gap("silent", {"broker": 1}))
    assert withhold(fact, "broker", [2]) is fact


def test_gaps_about_others_stay_when_one_is_revealed() -> None:
    gaps = [Gap("silent", {"broker": 1}), Gap("silent", {"broker": 2})]
    assert reveal(seen(*gaps), "broker", [2]) == gaps[:1]


def test_columns_that_change_leave_the_rest() -> None:
    made = changed(seen(), {"value": [10, None]}, [])
    assert made.columns == {"broker": [1, 2], "value": [10, None]}
    assert (made.source, made.collected_at, made.took_ms) == ("p", "2026-11-24T00:00:00Z", 3)


def test_what_nobody_knows_keeps_its_keys_alone() -> None:
    made = clouded(seen(), ["broker"], "not known")
    assert made.columns == {"broker": [1, 2], "value": [None, None]}
    assert [gap.reason for gap in made.gaps] == ["not known"]


def test_a_fact_that_does_not_apply_does_not_apply_without_the_cause_either() -> None:
    fact = Fact("p", {"broker": []}, inapplicable="ZooKeeper mode")
    assert clouded(fact, ["broker"], "not known") is fact
