from typing import Any


def test_each_listener_of_each_broker_is_a_row(healthy: Any):
    rows = list(healthy.observe("kafka_listener").rows())
    assert sorted((row["broker"], row["listener"]) for row in rows) == [
        (broker, name) for broker in (1, 2, 3) for name in ("CONTROLLER", "PLAINTEXT")
    ]
    for row in rows:
        assert (row["protocol"], row["mechanisms"], row["client_certificate"]) == ("PLAINTEXT", [], "")
        assert row["for_controllers"] == (row["listener"] == "CONTROLLER") != row["between_brokers"]
        assert row["bound_host"] == row["host"] == "127.0.0.1"


def test_a_broker_that_does_not_answer_is_a_gap(broker_stopped: Any):
    fact = broker_stopped.observe("kafka_listener")
    assert set(fact.columns["broker"]) == {1, 2}
    assert [gap.keys for gap in fact.gaps] == [{"broker": 3}]
