from typing import Any

from runbook.model.fact import Fact
from runbook.model.recovery import Recovery, Situation
from runbook.recoveries import group_reads_on, transaction_ends

_ROW: dict[str, Any] = {
    "group": "billing",
    "topic": "orders",
    "committed": 10,
    "committed_before": 10,
    "stable": 50,
    "end": 50,
    "lag": 40,
    "behind_least": 600.0,
    "behind_most": None,
    "untimed": "timestamps run backwards",
    "open_least": 0.0,
}


def after(recovery: Recovery, *rows: dict[str, Any], **given: list[str]) -> list[dict[str, Any]]:
    told = [_ROW | row for row in rows]
    fact = Fact("kafka_group_lag", {name: [row[name] for row in told] for name in _ROW})
    return list(recovery.sets["kafka_group_lag"](fact, Situation({"kafka_group_lag": fact}, given)).rows())


def test_a_group_that_reads_on_has_read_to_the_end_and_others_are_as_they_were() -> None:
    mine, other = after(group_reads_on.RECOVERY, {}, {"group": "shop"}, groups=["billing"])
    assert (mine["committed"], mine["lag"], mine["behind_least"], mine["behind_most"], mine["untimed"]) == (
        50,
        0,
        0,
        0,
        "",
    )
    assert mine["committed_before"] == 10
    assert other == _ROW | {"group": "shop"}


def test_an_end_that_is_not_known_stays_so() -> None:
    [row] = after(group_reads_on.RECOVERY, {"end": None}, groups=["billing"])
    assert row["committed"] is None


def test_who_was_held_by_a_transaction_that_ends_has_read_on() -> None:
    held = {"committed": 30, "stable": 30, "lag": 20, "open_least": 900.0}
    [row] = after(transaction_ends.RECOVERY, held, topics=["orders"])
    assert (row["stable"], row["open_least"], row["committed"], row["lag"]) == (50, 0.0, 50, 0)


def test_who_stands_before_the_transaction_stands_there_still() -> None:
    [row] = after(transaction_ends.RECOVERY, {"stable": 30, "open_least": 900.0}, topics=["orders"])
    assert (row["stable"], row["open_least"], row["committed"], row["lag"]) == (50, 0.0, 10, 40)


def test_other_topics_and_places_that_are_not_known_stay_as_they_are() -> None:
    open_there = {"committed": 30, "stable": 30, "open_least": 900.0}
    assert after(transaction_ends.RECOVERY, open_there, topics=["clicks"]) == [_ROW | open_there]
    assert after(transaction_ends.RECOVERY, {"stable": None}, topics=["orders"]) == [_ROW | {"stable": None}]
