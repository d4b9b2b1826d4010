"""Writes records to deliveries that do not begin with the id of a schema, as a plain producer does. Needs registry."""

from collections.abc import Mapping

from kafka_lab import deliveries, registry
from kafka_lab.content import empty_topic, values_of, write_records
from kafka_lab.state import LabState

SEEN_IN = "schema-governance"

_RECORDS = 12


def inject(lab: LabState) -> None:
    """Write them."""
    registry.required(lab)
    write_records(lab, deliveries.TOPIC, [f'{{"id": "delivery {number}, by hand"}}' for number in range(_RECORDS)])


def heal(lab: LabState) -> None:
    """Empty the topic, and write it as it was."""
    if registry.PART in lab.parts:
        empty_topic(lab, deliveries.TOPIC)
        deliveries.write(lab)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether records that begin otherwise are among those that one can read there."""
    raw = [value for value in values_of(lab, deliveries.TOPIC) if not value.startswith(b"\0")]
    return {f"{_RECORDS} records of {deliveries.TOPIC} begin with no id": len(raw) == _RECORDS}
