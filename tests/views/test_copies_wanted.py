from typing import Any

from runbook.model.fact import Gap, tabulate
from runbook.views.copies_wanted import VIEW, compute
from support.kafka_facts import fact

COLUMNS = ("default_replication_factor", "offsets_replication_factor", "transaction_replication_factor")
GAP = Gap("broker 2 did not answer")


def wanted(
    *copies: tuple[int | None, int | None, int | None], brokers: int = 1, topics: tuple[str, ...] = (), **gaps: Gap
) -> list[dict[str, Any]]:
    config = fact("kafka_broker_config", [dict(zip(COLUMNS, copy, strict=True)) for copy in copies])
    there = fact("kafka_broker", [{"broker": node} for node in range(brokers)])
    named = fact("kafka_topic", [{"name": name} for name in topics])
    for fact_ in (config, there, named):
        fact_.gaps += [gap for probe, gap in gaps.items() if probe == fact_.source]
    return list(tabulate("copies_wanted", VIEW.columns, compute(config=config, broker=there, topic=named)).rows())


def test_the_fewest_copies_that_any_broker_gives_and_the_brokers_that_there_are() -> None:
    rows = wanted((1, 3, 3), (2, 3, 1), brokers=2, topics=("__consumer_offsets",))
    assert [(row["setting"], row["copies"], row["brokers"], row["exists"]) for row in rows] == [
        ("default.replication.factor", 1, 2, False),
        ("offsets.topic.replication.factor", 3, 2, True),
        ("transaction.state.log.replication.factor", 1, 2, False),
    ]


def test_what_is_not_told_is_not_known() -> None:
    first, second, _ = wanted((None, 3, 3), kafka_topic=GAP)
    assert (first["copies"], second["copies"], second["exists"]) == (None, 3, None)
    assert [row["copies"] for row in wanted((1, 3, 3), kafka_broker_config=GAP)] == [None, None, None]
    assert {row["brokers"] for row in wanted((1, 3, 3), kafka_broker=GAP)} == {None}
    assert {row["copies"] for row in wanted()} == {None}
