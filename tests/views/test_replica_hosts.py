from typing import Any

from runbook.model.fact import Fact, tabulate
from runbook.views.replica_hosts import VIEW, compute


def placed(replicas: list[int] | None, host_of: dict[int | None, str]) -> dict[str, Any]:
    partition = Fact("kafka_partition", {"topic": ["orders"], "partition": [0], "replicas": [replicas]})
    process = Fact("host_process", {"host": list(host_of.values()), "broker": list(host_of)})
    return next(tabulate("replica_hosts", VIEW.columns, compute(partition=partition, process=process)).rows())


def test_replicas_on_brokers_of_one_host_share_it():
    row = placed([1, 2], {1: "a", 2: "a", 3: "b"})
    assert (row["hosts"], row["host_count"], row["unplaced"]) == (["a"], 1, [])


def test_a_broker_that_no_host_was_seen_to_run_is_named():
    row = placed([1, 9], {1: "a", None: "b"})
    assert (row["hosts"], row["host_count"], row["unplaced"]) == (["a"], None, [9])


def test_unknown_replicas_leave_a_row_of_unknowns():
    assert placed(None, {1: "a"})["hosts"] is None
