"""Writes a topic with a key that nearly all of its records have: one partition gets nearly everything (groups)."""

from collections.abc import Iterable, Mapping
from typing import Final

from kafka_lab.admin import END, kafka_python, offsets, partitions, settings
from kafka_lab.content import create_topics, delete_topics
from kafka_lab.errors import LabError
from kafka_lab.parts import groups
from kafka_lab.state import LabState

SEEN_IN = "topics"
TOPIC: Final = "tolls"
_PARTITIONS: Final = 6
_VALUE: Final = bytes(20_000)
_SKEWED: Final = 500
"""Records of the one key: ten megabytes."""
_OTHERS: Final = 60
_EVENLY: Final = 1800
"""Records of as many keys: six megabytes for each partition."""
_TIMES: Final = 3
_WITHIN: Final = 180.0


def inject(lab: LabState) -> None:
    """Make the topic, and write it: most records are of one key, the others of a key each."""
    groups.require(lab)
    delete_topics(lab, [TOPIC])
    create_topics(lab, {TOPIC: (_PARTITIONS, 3, {"min.insync.replicas": "2"})})
    _write(lab, ["the capital"] * _SKEWED + [f"village {number}" for number in range(_OTHERS)])


def heal(lab: LabState) -> None:
    """Write on with a key that is another for each: what is there stays, and weighs less and less."""
    if TOPIC in partitions(lab):
        _write(lab, [f"the capital, street {number}" for number in range(_EVENLY)])


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether the fullest partition has several times what a partition has in the mean."""
    ends = _ends(lab)
    return {
        f"one partition has {_TIMES} times the mean": bool(ends) and max(ends) * len(ends) > _TIMES * sum(ends),
    }


def _ends(lab: LabState) -> list[int]:
    numbers = partitions(lab).get(TOPIC, {})
    with kafka_python(lab) as admin:
        return [answer.offset for answer in offsets(admin, TOPIC, numbers, END).values()]


def _write(lab: LabState, keys: Iterable[str]) -> None:
    from confluent_kafka import Producer

    producer = Producer(settings(lab) | {"acks": "all", "linger.ms": 5})
    for key in keys:
        producer.produce(TOPIC, key=key, value=_VALUE)
    if producer.flush(_WITHIN):
        raise LabError(f"Topic {TOPIC} of lab {lab.name} could not be written")
