"""Leaves one in-sync replica of each partition of topic payments while all brokers live: acks=all writers are refused.

The followers lose their copies and get them back at a byte a second, as in a reassignment with a forgotten throttle.
The copies are made larger than one fetch first, because a throttle holds only from the second fetch on.
"""

from collections.abc import Mapping
from typing import Any

from kafka_lab.admin import change_settings, partitions, topic_setting
from kafka_lab.content import write_ballast
from kafka_lab.replicas import note_replicas, reassign, restore_replicas
from kafka_lab.state import LabState
from kafka_lab.waiting import wait_until_all_see

_NAME = "shrink-isr"
_TOPIC = "payments"
_RATE = "follower.replication.throttled.rate"
_REPLICAS = "follower.replication.throttled.replicas"
_FETCH = 1_048_576  # replica.fetch.max.bytes, Kafka's default: what a follower gets of a partition in one fetch


def inject(lab: LabState) -> None:
    """Take the followers' copies away, then let them be made again very slowly."""
    before = note_replicas(lab, _NAME, [_TOPIC])
    leaders = {(_TOPIC, number): [partition.leader] for number, partition in partitions(lab)[_TOPIC].items()}
    write_ballast(lab, _TOPIC, [number for _, number in before], 2 * _FETCH)
    reassign(lab, leaders)
    wait_until_all_see(lab, lambda seen: _most_replicas(seen) == 1, "the followers' copies to go", within=10)
    change_settings(lab, "topic", {_TOPIC: {_REPLICAS: "*"}})
    change_settings(lab, "broker", {str(broker.number): {_RATE: "1"} for broker in lab.brokers})
    restore_replicas(lab, _NAME)


def heal(lab: LabState) -> None:
    """Take the throttle off: the followers catch up."""
    restore_replicas(lab, _NAME)
    change_settings(lab, "broker", {str(broker.number): {_RATE: None} for broker in lab.brokers})
    change_settings(lab, "topic", {_TOPIC: {_REPLICAS: None}})


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether each partition has three replicas of which one is in sync, by the word of its brokers."""
    there = partitions(lab)[_TOPIC].values()
    return {
        f"each partition of {_TOPIC} has one replica in sync": all(len(partition.isrs) == 1 for partition in there),
        f"the copies of {_TOPIC} are throttled": topic_setting(lab, _TOPIC, _REPLICAS) == "*",
    }


def _most_replicas(seen: Any) -> int:
    return max(len(partition.replicas) for partition in seen.topics[_TOPIC].partitions.values())
