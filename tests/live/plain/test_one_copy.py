"""A topic of one copy under min.insync.replicas=2 gets more copies: what its writers meet, as ha.md says."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from kafka_lab import LabState
from kafka_lab.admin import change_settings, metadata
from kafka_lab.content import create_topics, delete_topics, write_ballast
from kafka_lab.replicas import reassign
from kafka_lab.waiting import wait_until

pytestmark = pytest.mark.live
TOPIC = "one-copy"
_BYTES = 60_000_000  # a second of copying, or more
_WITHIN = 120.0


@pytest.fixture
def topic(healthy_lab: LabState) -> Iterator[str]:
    """A topic of one copy that demands two, which Kafka caps by the copies there are."""
    create_topics(healthy_lab, {TOPIC: (1, 1, {"min.insync.replicas": "2"})})
    try:
        yield TOPIC
    finally:
        delete_topics(healthy_lab, [TOPIC])


@contextmanager
def writing(lab: LabState, topic: str) -> Iterator[dict[str, int]]:
    """A writer with acks=all that tries each record once, 20 a second; how often each answer came."""
    from confluent_kafka import Producer

    answers: dict[str, int] = {}
    producer = Producer({"bootstrap.servers": lab.bootstrap, "acks": "all", "retries": 0, "linger.ms": 0})
    ended = threading.Event()

    def answered(error: object, _: object) -> None:
        name = "taken" if error is None else error.name()  # type: ignore[attr-defined]  # a KafkaError
        answers[name] = answers.get(name, 0) + 1

    def write() -> None:
        while not ended.wait(0.05):
            producer.produce(topic, b"record", partition=0, on_delivery=answered)
            producer.poll(0)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        yield answers
    finally:
        ended.set()
        writer.join()
        producer.flush(30)


def in_sync(lab: LabState) -> int:
    """How many copies are in sync."""
    return len(metadata(lab, lab.bootstrap).topics[TOPIC].partitions[0].isrs)


@pytest.mark.parametrize("lowered", [False, True], ids=["as it is", "after the minimum is lowered"])
def test_writers_are_refused_while_copies_are_made_unless_the_minimum_fits_the_copies_there_are(
    healthy_lab: LabState, topic: str, *, lowered: bool
) -> None:
    write_ballast(healthy_lab, topic, [0], _BYTES)
    if lowered:
        change_settings(healthy_lab, "topic", {topic: {"min.insync.replicas": "1"}})
    with writing(healthy_lab, topic) as answers:
        time.sleep(1)
        assert {*answers} == {"taken"}
        leader = metadata(healthy_lab, healthy_lab.bootstrap).topics[topic].partitions[0].leader
        others = [broker.number for broker in healthy_lab.brokers if broker.number != leader]
        reassign(healthy_lab, {(topic, 0): [leader, *others]})
        wait_until(lambda: in_sync(healthy_lab) == 3, "all copies to be in sync", within=_WITHIN)
    refused = sum(count for answer, count in answers.items() if answer != "taken")
    assert (refused == 0) == lowered, answers
    if not lowered:
        assert {*answers} <= {"taken", "NOT_ENOUGH_REPLICAS", "NOT_ENOUGH_REPLICAS_AFTER_APPEND"}
