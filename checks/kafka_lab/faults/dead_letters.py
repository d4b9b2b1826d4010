"""Writes records that are no JSON to shipments: its sink puts them among the dead letters (with connect)."""

from collections.abc import Mapping

from kafka_lab import connect
from kafka_lab.admin import end_offsets
from kafka_lab.content import empty_topic, values_of, write_records
from kafka_lab.state import LabState
from kafka_lab.waiting import wait_until

SEEN_IN = "error-handling"

_BAD = 12
_WITHIN = 180.0


def inject(lab: LabState) -> None:
    """Write them and wait until they have arrived."""
    connect.workers_of(lab)
    before = end_offsets(lab, connect.DEAD_LETTERS)
    write_records(lab, connect.TOPIC, [f"shipment {number}, by hand" for number in range(_BAD)])
    what = "records to arrive among the dead letters"
    wait_until(lambda: end_offsets(lab, connect.DEAD_LETTERS) >= before + _BAD, what, within=_WITHIN)


def heal(lab: LabState) -> None:
    """Empty the queue, and let the sink forget its errors; other sinks that read from the beginning must not fail."""
    empty_topic(lab, connect.TOPIC)
    empty_topic(lab, connect.DEAD_LETTERS)
    connect.restart_connector(lab, connect.SINK)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether there are so many dead letters."""
    return {f"{connect.DEAD_LETTERS} holds {_BAD} letters": len(values_of(lab, connect.DEAD_LETTERS)) >= _BAD}
