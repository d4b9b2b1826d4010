from typing import Any

from runbook.answers.kafka.errors import LostOnTheWay
from runbook.probes.kafka_broker import PROBE


def test_brokers_come_with_rack_and_address(healthy: Any):
    fact = healthy.observe("kafka_broker")
    assert fact.complete
    assert fact.columns["broker"] == [1, 2, 3]
    assert fact.columns["rack"] == ["az-a", "az-b", "az-c"]
    assert fact.columns["answers"] == [True, True, True]
    assert fact.columns["fenced"] == [False, False, False]
    assert fact.columns["silence"] == ["", "", ""]
    assert fact.columns["failure"] == ["", "", ""]
    assert fact.columns["waited_ms"] == [14, 14, 14]
    assert fact.columns["greeting_ms"] == [12, 12, 12]
    assert all(port > 0 for port in fact.columns["port"])


def test_a_dead_broker_is_a_full_row_that_does_not_answer(broker_stopped: Any):
    row = broker_stopped.row("kafka_broker", broker=3)
    assert row == {
        "broker": 3,
        "rack": "az-c",
        "host": "127.0.0.1",
        "port": row["port"],
        "fenced": True,
        "unregistered": False,
        "registered": True,
        "answers": False,
        "silence": f"broker 3 (127.0.0.1:{row['port']}) can't be reached: connection refused",
        "failure": "refused",
        "waited_ms": 6000,
        "greeting_ms": None,
        "in_service": False,
    }


def test_a_broker_that_only_replica_lists_name_is_shown_as_gone(healthy: Any):
    healthy.recording["topics"]["orders"][0][2] = [9, 2, 1]
    row = healthy.row("kafka_broker", broker=9)
    gone = {"failure": "not registered", "waited_ms": None}
    gone |= {"fenced": True, "unregistered": True, "answers": False, "greeting_ms": None, "in_service": False}
    gone |= {"registered": False}
    gone |= {"silence": "broker 9 holds replicas, yet is not registered in the cluster"}
    assert row == {"broker": 9, "rack": None, "host": "", "port": -1, **gone}


def test_in_zookeeper_mode_who_is_not_registered_may_be_down_only(healthy: Any):
    healthy.recording["topics"]["orders"][0][2] = [9, 2, 1]
    healthy.recording["requests"].remove(55)
    row = healthy.row("kafka_broker", broker=9)
    assert (row["unregistered"], row["registered"]) == (False, None)


def test_kraft_of_kafka_3_lists_no_broker_that_is_fenced_so_that_it_may_be_down_only(healthy: Any):
    """DescribeCluster names fenced brokers from Kafka 4.0 on (KIP-1073)."""
    healthy.recording["topics"]["orders"][0][2] = [9, 2, 1]
    healthy.recording["release"] = [3, 9]
    row = healthy.row("kafka_broker", broker=9)
    assert (row["fenced"], row["unregistered"], row["registered"]) == (True, False, None)


def test_without_kafka_python_fenced_brokers_may_be_missing_and_that_is_said(healthy: Any):
    healthy.without_kafka_python("ssl.curves.list has no equal")
    fact = healthy.observe("kafka_broker")
    assert [gap.reason for gap in fact.gaps] == ["fenced brokers may be missing: ssl.curves.list has no equal"]


def test_whether_a_silent_broker_serves_is_unknown_as_long_as_an_active_controller_keeps_it(healthy: Any):
    healthy.python.silent.add(3)
    assert healthy.observe("kafka_broker").columns["in_service"] == [True, True, None]
    assert "DescribeQuorum" in healthy.python.asked


def test_nobody_asks_for_the_controller_where_every_broker_answers_or_is_fenced(healthy: Any, broker_stopped: Any):
    assert healthy.observe("kafka_broker").columns["in_service"] == [True, True, True]
    assert broker_stopped.observe("kafka_broker").columns["in_service"] == [True, True, False]
    assert "DescribeQuorum" not in healthy.python.asked + broker_stopped.python.asked


def test_a_silent_broker_that_no_controller_keeps_does_not_serve(healthy: Any):
    healthy.python.silent.add(3)
    healthy.python.refused["DescribeQuorum"] = 7  # REQUEST_TIMED_OUT: no controller answered the broker
    assert healthy.observe("kafka_broker").columns["in_service"] == [True, True, False]


def test_whether_it_serves_is_unknown_where_the_question_for_the_controller_is_lost_too(healthy: Any):
    healthy.python.silent.add(3)
    healthy.python.lost.add("DescribeQuorum")
    assert healthy.observe("kafka_broker").columns["in_service"] == [True, True, None]


def test_in_zookeeper_mode_whether_a_silent_broker_serves_is_unknown_as_long_as_it_is_listed(healthy: Any):
    healthy.python.silent.add(3)
    healthy.recording["requests"].remove(55)  # DescribeQuorum, which only brokers of KRaft know
    assert healthy.observe("kafka_broker").columns["in_service"] == [True, True, None]


def test_whether_a_broker_answers_is_unknown_where_requests_to_others_are_lost_on_the_way(healthy: Any):
    healthy.python.silent.add(2)
    healthy.python.silences = LostOnTheWay
    row = healthy.row("kafka_broker", broker=2)
    assert (row["answers"], row["in_service"], row["greeting_ms"]) == (None, None, None)
    assert {column.name for column in PROBE.columns if column.why == "silence"} == {
        "answers",
        "in_service",
        "greeting_ms",
        "waited_ms",
    }
    assert row["silence"].startswith("broker 2 ")
