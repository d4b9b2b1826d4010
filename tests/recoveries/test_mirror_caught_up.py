from typing import Any

from runbook.model.fact import Fact
from runbook.model.recovery import Situation
from runbook.recoveries.mirror_caught_up import RECOVERY
from support.kafka_facts import fact

AT = "2026-11-24T10:00:00.000Z"
EARLIER = "2026-11-24T09:00:00.000Z"


def flow(**cells: Any) -> dict[str, Any]:
    values = {"file": "", "source": "dc1", "policy": "default", "separator": ".", "tasks": 2, "tasks_running": 0}
    return values | {"state": "PAUSED", "tasks_failed": 1} | cells


FLOWS = fact(
    "mirror_connector",
    [
        flow(connector="copies", kind="source"),
        flow(connector="translates", kind="checkpoint"),
        flow(connector="as-is", kind="source", policy="identity"),
    ],
)
PLACES = (("dc1.orders", 0), ("dc1.orders", 1), ("dc1.heartbeats", 0), ("orders", 0))
OFFSETS = fact(
    "kafka_partition_offset",
    [{"topic": topic, "partition": number, "newest": EARLIER, "end": 3, "records": 3} for topic, number in PLACES],
)


def at(fact: Fact, moment: str) -> Fact:
    return Fact(fact.source, fact.columns, fact.gaps, collected_at=moment)


def source(newest: str) -> dict[str, Fact]:
    rows = [{"topic": "orders", "partition": 0, "newest": newest}]
    return {"kafka_partition_offset": fact("kafka_partition_offset", rows)}


def made(seen: Fact, *connectors: str, elsewhere: tuple[dict[str, Fact], ...] = ()) -> Fact:
    given = Situation({"mirror_connector": FLOWS}, {"connectors": connectors}, elsewhere)
    return RECOVERY.sets[seen.source](seen, given)


def test_connectors_that_run_say_so_and_others_stay_as_they_are() -> None:
    runs = made(FLOWS, "copies")
    assert runs.columns["state"] == ["RUNNING", "PAUSED", "PAUSED"]
    assert (runs.columns["tasks_running"], runs.columns["tasks_failed"]) == ([2, 0, 0], [0, 1, 1])


def test_into_how_many_tasks_the_work_of_one_that_was_stopped_is_divided_is_not_known() -> None:
    runs = made(fact("mirror_connector", [flow(connector="copies", kind="source", tasks=0)]), "copies")
    assert (runs.columns["tasks"], runs.columns["tasks_running"]) == ([None], [None])


def test_the_newest_record_of_a_mirror_is_that_of_its_topic_and_a_heartbeat_has_just_come() -> None:
    caught_up = made(at(OFFSETS, AT), "copies", elsewhere=(source("2026-11-24T09:59:00.000Z"),))
    assert caught_up.columns["newest"] == ["2026-11-24T09:59:00.000Z", None, AT, EARLIER]
    assert caught_up.columns["end"] == [None, None, None, 3]


def test_where_two_environments_have_such_a_topic_or_none_has_its_newest_is_not_known() -> None:
    twice = made(at(OFFSETS, AT), "copies", elsewhere=(source(AT), source(EARLIER)))
    assert twice.columns["newest"][0] is None
    assert made(at(OFFSETS, AT), "copies").columns["newest"][0] is None


def test_a_look_without_a_moment_tells_no_newest_heartbeat() -> None:
    assert made(OFFSETS, "copies").columns["newest"][2] is None


def test_what_does_not_copy_and_what_keeps_names_brings_no_mirror_up_to_date() -> None:
    assert made(at(OFFSETS, AT), "translates", "as-is").columns == OFFSETS.columns


def test_positions_in_mirrors_are_not_known_then() -> None:
    groups = fact("kafka_group_offset", [{"topic": topic, "lag": 5} for topic in ("dc1.orders", "orders")])
    assert made(groups, "translates").columns["lag"] == [None, 5]
    assert made(groups, "as-is").columns["lag"] == [5, 5]


def test_what_flows_was_never_seen() -> None:
    assert made(fact("mirror_partition", [{"topic": "t", "latency_ms": 5.0}]), "copies").columns["latency_ms"] == [None]
