"""A reader of several partitions that hands records on in the order of their timestamps, as consumers.md has it."""

import heapq
import time
from typing import Final

from confluent_kafka import OFFSET_END, Consumer, TopicPartition
from msgspec import Struct

from kafka_lab import LabState
from support.numbered_records import PARTITIONS, TOPIC

HOLDS_BACK: Final = 2000
"""Milliseconds that a record is held back: more than clocks and deliveries of one machine differ."""


class InOrder(Struct):
    """What was handed on.

    Attributes:
        stamps: timestamps of what was handed on, in that order.
        arrived: timestamps in the order of their arrival.
        late: how many came after something newer had been handed on.
    """

    stamps: list[int] = []
    arrived: list[int] = []
    late: int = 0


def reads_in_order(lab: LabState, seconds: float) -> InOrder:
    """Read what is being written to the numbered records for a while."""
    told, held = InOrder(), list[int]()
    consumer = Consumer({"bootstrap.servers": lab.bootstrap, "group.id": "in-order", "enable.auto.commit": False})
    consumer.assign([TopicPartition(TOPIC, number, OFFSET_END) for number in range(PARTITIONS)])
    ends = time.monotonic() + seconds
    try:
        while time.monotonic() < ends:
            message = consumer.poll(0.2)
            if message is not None and message.error() is None:
                _takes(told, held, message.timestamp()[1])
    finally:
        consumer.close()
    return told


def _takes(told: InOrder, held: list[int], stamp: int) -> None:
    told.arrived.append(stamp)
    told.late += bool(told.stamps and stamp < told.stamps[-1])
    heapq.heappush(held, stamp)
    while held[0] < max(told.arrived[-PARTITIONS:]) - HOLDS_BACK:
        told.stamps.append(heapq.heappop(held))
