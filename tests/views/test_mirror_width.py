from typing import Any

from runbook.model.fact import Fact, Gap
from runbook.views import mirror_width
from support.mirror_facts import fact_of, seen

FLOW = {"connector": "eu-us", "kind": "source", "source": "eu", "tasks_max": 1}
TOPICS = fact_of(
    "kafka_topic",
    [{"name": "orders", "partitions": 3}, {"name": "clicks", "partitions": 6}, {"name": "heartbeats", "partitions": 1}],
)
TAKEN = [
    {"topic": "orders", "flows": ["eu-us"]},
    {"topic": "clicks", "flows": []},
    {"topic": "heartbeats", "flows": ["eu-us"]},
]


def width(*taken: dict[str, Any], gaps: list[Gap] | None = None, **flow: Any) -> list[tuple[Any, ...]]:
    columns = {name: [row[name] for row in taken or TAKEN] for name in ("topic", "flows")}
    choice = Fact("mirror_choice", columns, gaps=gaps or [])
    rows = seen(mirror_width, connector=fact_of("mirror_connector", [FLOW | flow]), choice=choice, topic=TOPICS)
    return [(row["source"], row["tasks_max"], row["partitions"]) for row in rows]


def test_what_a_flow_takes_is_counted_but_for_heartbeats() -> None:
    assert width() == [("eu", 1, 3)]
    assert width(connector="other") == [("eu", 1, 0)]


def test_what_is_not_known_of_one_topic_leaves_the_sum_unknown() -> None:
    assert width({"topic": "orders", "flows": None}) == [("eu", 1, None)]
    assert width({"topic": "gone", "flows": ["eu-us"]}) == [("eu", 1, None)]
    assert width(*TAKEN, gaps=[Gap("a filter is not understood")]) == [("eu", 1, None)]


def test_a_connector_of_another_kind_copies_no_records() -> None:
    assert width(kind="checkpoint") == []
