from typing import Any

from msgspec.structs import asdict

from runbook.model.fact import Fact
from runbook.views.pause_margin import compute

LOG = ("broker", "host", "file", "longest", "full", "lost", "begins", "covers_seconds")


def logs(*rows: tuple[Any, ...]) -> Fact:
    return Fact("jvm_gc_log", {name: [row[i] for row in rows] for i, name in enumerate(LOG)})


def config(*rows: tuple[Any, ...]) -> Fact:
    names = ("broker", "session_timeout", "heartbeat_interval_ms")
    return Fact("kafka_broker_config", {name: [row[i] for row in rows] for i, name in enumerate(names)})


def margins(log: Fact, settings: Fact) -> dict[int, dict[str, Any]]:
    rows = [asdict(row) for row in compute(gc_log=log, config=settings).rows]
    return {row["broker"]: row for row in rows}


def row(broker: int, longest: float | None) -> tuple[Any, ...]:
    return (broker, "kafka-1", "/var/log/gc.log", longest, 0, 0.1, "2026-11-21T00:00:00+00:00", 3600.0)


def test_the_longest_pause_is_a_part_of_the_timeout_in_force():
    found = margins(logs(row(1, 4500.0), row(2, 9000.0)), config((1, 9000, 2000), (2, 18000, None)))
    assert (found[1]["used"], found[2]["used"]) == (0.5, 0.5)
    assert found[2]["heartbeat_interval_ms"] is None


def test_a_broker_without_a_log_has_a_row_that_knows_nothing():
    found = margins(logs(row(1, 10.0)), config((1, 9000, 2000), (2, 9000, 2000)))
    assert found[2]["session_timeout"] == 9000
    assert found[2]["longest"] is found[2]["used"] is found[2]["file"] is None


def test_what_is_not_known_on_one_side_is_not_known_of_both():
    found = margins(logs(row(1, None), row(2, 5.0)), config((1, 9000, 2000), (2, None, None)))
    assert found[1]["used"] is found[2]["used"] is None


def test_a_log_of_a_broker_that_told_no_settings_makes_no_row():
    assert margins(logs(row(7, 5.0)), config()) == {}


def test_what_controllers_that_run_apart_wait_may_be_said():
    apart = config((1, None, 2000), (2, 9000, 2000))
    found = {broker: row["used"] for broker, row in margins(logs(row(1, 4500.0), row(2, 4500.0)), apart).items()}
    assert found == {1: None, 2: 0.5}
    rows = [asdict(one) for one in compute(gc_log=logs(row(1, 4500.0)), config=apart, apart_ms=18000).rows]
    assert [one["session_timeout"] for one in rows] == [18000, 9000]
    assert rows[0]["used"] == 0.25
