from typing import Any


def test_brokers_come_with_rack_and_address(healthy: Any):
    fact = healthy.observe("kafka_broker")
    assert fact.complete
    assert fact.columns["broker"] == [1, 2, 3]
    assert fact.columns["rack"] == ["az-a", "az-b", "az-c"]
    assert fact.columns["answers"] == [True, True, True]
    assert fact.columns["fenced"] == [False, False, False]
    assert all(port > 0 for port in fact.columns["port"])


def test_a_dead_broker_is_a_full_row_that_does_not_answer(broker_stopped: Any):
    row = broker_stopped.row("kafka_broker", broker=3)
    assert row == {
        "broker": 3,
        "rack": "az-c",
        "host": "127.0.0.1",
        "port": row["port"],
        "fenced": True,
        "answers": False,
    }


def test_a_broker_that_only_replica_lists_name_is_shown_as_gone(healthy: Any):
    healthy.recording["topics"]["orders"][0][2] = [9, 2, 1]
    row = healthy.row("kafka_broker", broker=9)
    assert row == {"broker": 9, "rack": None, "host": "", "port": -1, "fenced": True, "answers": False}


def test_without_kafka_python_fenced_brokers_may_be_missing_and_that_is_said(healthy: Any):
    healthy.without_kafka_python("ssl.curves.list has no equal")
    fact = healthy.observe("kafka_broker")
    assert [gap.reason for gap in fact.gaps] == ["fenced brokers may be missing: ssl.curves.list has no equal"]
