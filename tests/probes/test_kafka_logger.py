"""Some of the loggers that three brokers told (Kafka 4.3.0, DescribeConfigs of broker loggers)."""

from typing import Any


def test_each_logger_has_its_level(healthy: Any):
    fact = healthy.observe("kafka_logger")
    assert fact.complete
    assert {(row["broker"], row["level"]) for row in fact.rows() if row["logger"] == "root"} == {
        (1, "INFO"),
        (2, "INFO"),
        (3, "INFO"),
    }
    assert set(fact.columns["level"]) <= {"OFF", "FATAL", "ERROR", "WARN", "INFO", "DEBUG", "TRACE", "ALL"}


def test_each_broker_is_asked_itself(healthy: Any):
    healthy.observe("kafka_logger")
    assert healthy.python.asked.count("DescribeConfigs") == 3


def test_a_broker_that_is_lost_is_a_gap(healthy: Any):
    healthy.python.lost = {"DescribeConfigs"}
    fact = healthy.observe("kafka_logger")
    assert (len(fact), len(fact.gaps)) == (0, 3)


def test_a_refusal_names_the_right(healthy: Any):
    healthy.python.refused["DescribeConfigs"] = 31
    fact = healthy.observe("kafka_logger")
    assert len(fact) == 0
    assert all("DescribeConfigs on the cluster" in gap.reason for gap in fact.gaps)
