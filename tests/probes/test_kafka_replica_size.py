from typing import Any

import pytest

from runbook.model.errors import Misconfigured


def test_every_replica_has_a_row_with_its_size_on_the_broker_that_holds_it(healthy: Any):
    fact = healthy.observe("kafka_replica_size")
    assert fact.complete
    rows = list(fact.rows())
    held = {(row["topic"], row["partition"], row["broker"]) for row in healthy.observe("kafka_replica").rows()}
    assert {(row["topic"], row["partition"], row["broker"]) for row in rows} == held
    assert all(row["size"] >= 0 for row in rows)
    assert sum(row["size"] for row in rows) > 0


def test_the_sizes_of_a_log_directory_are_together_what_it_tells_of_its_replicas(healthy: Any):
    sizes: dict[tuple[int, str], int] = {}
    for row in healthy.observe("kafka_replica_size").rows():
        place = row["broker"], row["path"]
        sizes[place] = sizes.get(place, 0) + row["size"]
    dirs = {(row["broker"], row["path"]): row["replica_bytes"] for row in healthy.observe("kafka_log_dir").rows()}
    assert sizes == dirs


def test_a_silent_broker_is_a_gap(broker_stopped: Any):
    fact = broker_stopped.observe("kafka_replica_size")
    assert set(fact.columns["broker"]) == {1, 2}
    assert [gap.keys for gap in fact.gaps] == [{"broker": 3}]


def test_a_refusal_is_a_gap_for_each_broker(healthy: Any):
    healthy.python.refused["DescribeLogDirs"] = 31
    fact = healthy.observe("kafka_replica_size")
    assert len(fact) == 0
    assert [gap.keys["broker"] for gap in fact.gaps] == [1, 2, 3]


def test_a_log_directory_that_failed_is_a_gap_and_the_others_tell(healthy: Any):
    healthy.python.failed_dirs = {2}
    fact = healthy.observe("kafka_replica_size")
    assert {1, 3} <= set(fact.columns["broker"])
    [gap] = fact.gaps
    assert gap.keys == {"broker": 2}
    assert "KAFKA_STORAGE_ERROR" in gap.reason


def test_without_kafka_python_nothing_is_known(healthy: Any):
    healthy.without_kafka_python("ssl.curves.list has no equal")
    with pytest.raises(Misconfigured, match=r"ssl\.curves\.list"):
        healthy.observe("kafka_replica_size")
