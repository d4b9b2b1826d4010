"""Topics that come and go while a run looks make nothing else unknown."""

from collections.abc import Callable
from typing import Any

import pytest

from kafka_lab import LabState
from kafka_lab.admin import settings
from kafka_lab.content import create_topics, delete_topics
from kafka_lab.waiting import wait_until_all_see
from runbook.connections.kafka import Kafka, connect, topics
from runbook.connections.kafka.confluent_client import ConfluentClient
from runbook.model.probe import Deadline
from runbook.probes import kafka_partition, kafka_topic

pytestmark = pytest.mark.live
FLEETING = "fleeting"


@pytest.fixture
def going(healthy_lab: LabState, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Kafka]:
    """Connects, and has a topic go away between the list of topics and their settings."""
    create_topics(healthy_lab, {FLEETING: (3, 3, {})})
    wait_until_all_see(healthy_lab, lambda seen: FLEETING in seen.topics, "the topic everywhere", within=240)
    listed = topics.all_topics

    def then_gone(python: Any, confluent: ConfluentClient) -> Any:
        found = listed(python, confluent)
        delete_topics(healthy_lab, [FLEETING])
        return found

    monkeypatch.setattr(topics, "all_topics", then_gone)
    return lambda: connect(settings(healthy_lab), Deadline(30))


def test_a_topic_that_went_away_is_no_row_and_no_gap(going: Callable[[], Kafka]):
    kafka = going()
    try:
        assert FLEETING in kafka.topics()
        for probe, name in ((kafka_topic, "name"), (kafka_partition, "topic")):
            seen = probe.observe(kafka)
            assert FLEETING not in {getattr(row, name) for row in seen.rows}
            assert "orders" in {getattr(row, name) for row in seen.rows}
            assert list(seen.gaps) == []
    finally:
        kafka.close()


def test_a_topic_that_one_broker_only_does_not_know_is_a_row_all_the_same(
    going: Callable[[], Kafka], monkeypatch: pytest.MonkeyPatch
):
    from runbook.connections.kafka import topic_requests

    unknown_to = topic_requests.unknown_to
    monkeypatch.setattr(
        topic_requests,
        "unknown_to",
        lambda client, broker, names: set() if broker.id == 1 else unknown_to(client, broker, names),
    )
    kafka = going()
    try:
        assert FLEETING in {row.name for row in kafka_topic.observe(kafka).rows}
    finally:
        kafka.close()
