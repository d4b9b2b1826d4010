"""Writes a record that a reader fails at again and again: its partition stands, the others go on (groups)."""

import time
from collections.abc import Mapping
from typing import Final

from kafka_lab.admin import END, kafka_python
from kafka_lab.group_clients import POISON
from kafka_lab.parts import groups
from kafka_lab.state import LabState
from kafka_lab.waiting import wait_until

SEEN_IN = "consumers"
_PARTITION: Final = 2
_SHOWS: Final = 35.0
"""Seconds for which it stands before it is called evident: longer than the lab calls late."""
_WITHIN: Final = 180.0


def inject(lab: LabState) -> None:
    """Write it, and wait until the reader fails at it."""
    from confluent_kafka import Producer

    from kafka_lab.admin import settings

    groups.require(lab)
    producer = Producer(settings(lab) | {"acks": "all"})
    producer.produce(groups.TOPIC, value=POISON, partition=_PARTITION)
    producer.flush(10)
    wait_until(lambda: _poison(lab) is not None, "the reader to fail", within=_WITHIN)
    lab.parts["groups"]["stuck since"] = time.time()


def heal(lab: LabState) -> None:
    """End the reader, move its group behind the record, and start it again."""
    poison = _poison(lab)
    groups.end(lab, "archive")
    if poison is not None:
        wait_until(lambda: _skipped(lab, poison), "the group to be empty", within=_WITHIN)
    lab.parts["groups"].pop("stuck since", None)
    groups.reader(lab, pause=0)
    wait_until(lambda: max(groups.lags(lab).values()) < _FEW, "the reader to catch up", within=_WITHIN)


_FEW: Final = 30


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether the group has stood at the record for a while, with more behind it."""
    poison = _poison(lab)
    since = lab.parts.get("groups", {}).get("stuck since")
    return {
        "the reader fails at a record, and its group stands there": poison is not None
        and groups.places(lab).get(_PARTITION) == poison
        and groups.bounds(lab, END)[_PARTITION] > poison + _FEW,
        f"it has done so for {_SHOWS:.0f} s": since is not None and time.time() > since + _SHOWS,
    }


def _poison(lab: LabState) -> int | None:
    """The offset of the record that the reader says it fails at."""
    lines = [line.split() for line in groups.said(lab, "archive") if line.startswith(f"{_PARTITION} ")]
    return int(lines[-1][1]) if lines else None


def _skipped(lab: LabState, poison: int) -> bool:
    from kafka import TopicPartition
    from kafka.structs import OffsetAndMetadata

    place = TopicPartition(groups.TOPIC, _PARTITION)
    with kafka_python(lab) as admin:
        admin.alter_group_offsets(groups.ARCHIVE, {place: OffsetAndMetadata(poison + 1, "", -1)})
    return groups.places(lab).get(_PARTITION) == poison + 1
