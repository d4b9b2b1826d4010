from typing import Any

import pytest

from runbook.model.errors import Misconfigured


def test_a_log_dir_tells_its_room_and_its_replicas(healthy: Any):
    fact = healthy.observe("kafka_log_dir")
    assert fact.complete
    assert fact.columns["broker"] == [1, 2, 3]
    assert set(fact.columns["error"]) == {""}
    assert all(
        total > usable > 0
        for total, usable in zip(fact.columns["total_bytes"], fact.columns["usable_bytes"], strict=False)
    )
    assert all(count > 0 for count in fact.columns["replicas"])


def test_of_a_directory_that_failed_no_number_is_known(healthy: Any):
    healthy.python.failed_dirs = {2}
    row = healthy.row("kafka_log_dir", broker=2)
    assert "KAFKA_STORAGE_ERROR" in row["error"]
    assert [row[name] for name in ("total_bytes", "usable_bytes", "replica_bytes", "replicas")] == [None] * 4
    other = healthy.row("kafka_log_dir", broker=1)
    assert other["replica_bytes"] > 0 < other["replicas"]


def test_a_silent_broker_is_a_gap(broker_stopped: Any):
    fact = broker_stopped.observe("kafka_log_dir")
    assert fact.columns["broker"] == [1, 2]
    assert [gap.keys for gap in fact.gaps] == [{"broker": 3}]


def test_a_refusal_names_the_right(healthy: Any):
    healthy.python.refused["DescribeLogDirs"] = 31
    fact = healthy.observe("kafka_log_dir")
    assert len(fact) == 0
    assert len(fact.gaps) == 3


def test_without_kafka_python_nothing_is_known(healthy: Any):
    healthy.without_kafka_python("ssl.curves.list has no equal")
    with pytest.raises(Misconfigured, match=r"ssl\.curves\.list"):
        healthy.observe("kafka_log_dir")
