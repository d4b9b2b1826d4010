"""`runbook env --report`: what helps to find a mistake of the tool, and nothing that is anybody's."""

import datetime as dt
from pathlib import Path
from typing import Any

from runbook import __version__
from runbook.model.fact import Fact, Gap
from runbook.parse.inventory import parse_inventory
from runbook.show.environment_report import report_of

PLANTED = ("acme-payments", "kafka-7.acme.example", "hunter2", "10.7.7.7", "s3cret-topic", "az-acme")
INVENTORY = """environments:
  acme-payments:
    kafka: {bootstrap.servers: "kafka-7.acme.example:9092", sasl.username: az-acme}
    absent: {kubernetes: hunter2 said so}
    labels: {tier: az-acme}
"""
CLUSTER = {
    "cluster_id": "s3cret-topic",
    "kafka_version": "4.3",
    "metadata_version": None,
    "mode": "kraft",
    "brokers": 3,
    "answering": 2,
    "controller": 1,
}


def fact(row: dict[str, Any], *gaps: Gap) -> Fact:
    return Fact("kafka_cluster", {name: [value] for name, value in row.items()}, list(gaps))


def reported(**cluster: Any) -> str:
    book = parse_inventory(INVENTORY, "environments.yaml", dt.date(2026, 11, 23))
    target = book.targets["acme-payments"]
    silent = Fact("kafka_topic", {"topic": ["s3cret-topic"]}, [Gap("10.7.7.7 refused hunter2", {"host": "10.7.7.7"})])
    return report_of([target], {"acme-payments": {"kafka_cluster": fact(CLUSTER | cluster), "kafka_topic": silent}})


def test_it_tells_versions_and_states() -> None:
    text = reported()
    assert f"runbook {__version__}, Python 3." in text
    assert "confluent-kafka 2." in text
    assert "environment 1: kafka_version 4.3, metadata_version ?, mode kraft, brokers 3, answering 2" in text
    assert "  - kafka: 1 probe sees all; not all: kafka_topic" in text
    assert "  - absent: kubernetes" in text


def test_it_tells_no_name_address_or_value() -> None:
    assert [planted for planted in PLANTED if planted in reported()] == []
    assert "acme" not in reported(kafka_version="4.3 of acme-payments (10.7.7.7)")


def test_offline_it_says_that_nothing_was_asked(command: Any, here: Path) -> None:
    (here / "environments.yaml").write_text(INVENTORY, "utf-8")
    ended = command("env", "--offline", "--report")
    assert ended.code == 0
    assert "  - kafka: not asked" in ended.out
    assert [planted for planted in PLANTED if planted in ended.out] == []
