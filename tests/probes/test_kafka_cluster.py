from typing import Any

from runbook.answers.kafka.errors import LostOnTheWay
from runbook.probes.kafka_cluster import level_name


def test_a_healthy_cluster_answers_in_full(healthy: Any):
    [row] = healthy.observe("kafka_cluster").rows()
    assert row["cluster_id"]
    assert row["mode"] == "kraft"
    assert row["kafka_version"] == "4.3"
    assert row["metadata_version"].startswith("4.3-")
    assert row["elr_enabled"] is True
    assert (row["brokers"], row["answering"]) == (3, 3)
    assert row["controller"] in {1, 2, 3}


def test_a_dead_broker_is_registered_and_does_not_answer(broker_stopped: Any):
    [row] = broker_stopped.observe("kafka_cluster").rows()
    assert (row["brokers"], row["answering"]) == (3, 2)


def test_a_controller_that_may_not_be_asked_for_is_unknown_and_not_none(healthy: Any):
    healthy.python.refused["DescribeQuorum"] = 31
    [row] = healthy.observe("kafka_cluster").rows()
    assert row["controller"] is None


def test_what_only_kafka_python_can_ask_is_unknown_without_it(broker_stopped: Any):
    broker_stopped.without_kafka_python("ssl.curves.list has no equal")
    [row] = broker_stopped.observe("kafka_cluster").rows()
    assert row["kafka_version"] is None
    assert row["controller"] is None
    assert row["mode"] == "kraft"


def test_levels_of_metadata_version_have_the_names_kafka_gives_them():
    assert level_name(7) == "3.3-IV3"
    assert level_name(21) == "3.9-IV0"
    assert level_name(27) == "4.1-IV1"
    assert level_name(30) == "4.3-IV0"
    assert level_name(999) == "level 999"


def test_how_many_answer_is_unknown_where_requests_are_lost_on_the_way(healthy: Any):
    healthy.python.silent.add(2)
    healthy.python.silences = LostOnTheWay
    assert healthy.observe("kafka_cluster").columns["answering"] == [None]
