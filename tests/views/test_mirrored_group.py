from typing import Any

from runbook.model.fact import Gap
from runbook.views import mirrored_group
from support.mirror_facts import HIDDEN, fact_of, seen

HERE = {
    "group": "billing",
    "topic": "orders",
    "partition": 0,
    "state": "stable",
    "committed": 900,
    "end": 910,
    "lag": 10,
}
THERE = HERE | {"topic": "eu.orders", "state": "empty", "committed": 870, "end": 905, "lag": 35}


def place(*there: dict[str, Any], gaps: tuple[Gap, ...] = ()) -> dict[str, Any]:
    source, target = fact_of("kafka_group_offset", [HERE]), fact_of("kafka_group_offset", there, gaps)
    [row] = seen(mirrored_group, source=source, target=target, prefix="eu.", groups=["bill*"])
    return row


def test_a_position_stands_beside_the_one_it_was_made_of() -> None:
    row = place(THERE)
    assert (row["present"], row["state"], row["source_committed"], row["committed"]) == (True, "empty", 900, 870)
    assert row["again"] == 25


def test_a_group_that_would_read_less_there_reads_nothing_again() -> None:
    assert place(THERE | {"lag": 3})["again"] == 0
    assert place(THERE | {"lag": None})["again"] is None


def test_a_position_in_another_topic_or_of_another_group_is_not_it() -> None:
    assert place(THERE | {"topic": "orders"}, THERE | {"group": "bills"}, THERE | {"partition": 1})["present"] is False


def test_a_position_that_may_only_be_hidden_is_not_known_to_be_missing() -> None:
    assert place(gaps=HIDDEN)["present"] is None


def test_groups_and_topics_that_are_not_meant_are_left_out() -> None:
    ends = {"source": fact_of("kafka_group_offset", [HERE]), "target": fact_of("kafka_group_offset", [THERE])}
    assert seen(mirrored_group, **ends, prefix="eu.") == []
    assert seen(mirrored_group, **ends, prefix="eu.", groups=["*"], exclude=["orders"]) == []
