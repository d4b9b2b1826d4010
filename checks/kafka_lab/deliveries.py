"""The lab's topic whose records begin with the id of their schema, as the registry's own serializers write them."""

import json
import struct
from typing import Final

from kafka_lab import registry
from kafka_lab.content import create_topics, write_values
from kafka_lab.state import LabState

TOPIC: Final = "deliveries"

_SUBJECT = f"{TOPIC}-value"
_FIELDS = [{"name": "id", "type": "string", "doc": "The delivery's number.", "default": ""}]
_SCHEMA = json.dumps(
    {"type": "record", "name": "Delivery", "namespace": "shop", "doc": "Something was brought.", "fields": _FIELDS}
)
_RECORDS = 24


def create(lab: LabState) -> None:
    """Make the topic and its subject, and write some records.

    Raises:
        LabError: the cluster or the registry refused.
    """
    create_topics(lab, {TOPIC: (3, 3, {"min.insync.replicas": "2"})})
    write(lab)


def write(lab: LabState) -> None:
    """Write records in Avro, with the id of the schema that the registry gives for it.

    Raises:
        LabError: the cluster or the registry refused.
    """
    number = registry.register(lab, _SUBJECT, _SCHEMA)
    write_values(lab, TOPIC, [_record(number, f"delivery {count}") for count in range(_RECORDS)])


def _record(schema: int, text: str) -> bytes:
    """A record with one field of text: Confluent's wire format, then a length of Avro, which is twice as much here."""
    return struct.pack(">bIb", 0, schema, 2 * len(text)) + text.encode("ascii")
