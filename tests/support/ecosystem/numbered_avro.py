"""Numbered records in Avro with the id of their schema, and applications that know what they need of one."""

import json
import struct
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final

from confluent_kafka import KafkaError, Message, TopicPartition

from kafka_lab import LabState, registry
from support.numbered_records import PARTITIONS, TOPIC, Ledger, Reader, Writer

_NUMBER: Final = {"name": "number", "type": "long", "doc": "The number of the record.", "default": 0}
_NOTE: Final = {"name": "note", "type": "string", "doc": "What somebody wrote on it."}
_AS_TEXT: Final = {"name": "number", "type": "string", "doc": "The number of the record.", "default": ""}
_HEAD: Final = struct.Struct(">bI")


def schema(*fields: dict[str, Any]) -> str:
    """A schema with these fields."""
    return json.dumps({"type": "record", "name": "Numbered", "namespace": "shop", "doc": "A record.", "fields": fields})


WITH_NOTE: Final = schema(_NUMBER, _NOTE)
WITHOUT_NOTE: Final = schema(_NUMBER)
"""It reads what was written with a note, and not the other way: BACKWARD."""
TEXT: Final = schema(_AS_TEXT)
"""A bad one: nobody who expects a number reads it."""


def encoded(number: int, text: str, schema_id: int) -> bytes:
    """A record as the registry's serializers write it."""
    body = b"".join(
        _long(number) if field["type"] == "long" else _string(str(number) if field["name"] == "number" else "by hand")
        for field in json.loads(text)["fields"]
    )
    return _HEAD.pack(0, schema_id) + body


class AvroWriter(Writer):
    """An application that writes with a schema to one topic or to several."""

    def __init__(self, ledger: Ledger, lab: LabState, text: str, schema_id: int, topics: Sequence[str]) -> None:
        """Write there."""
        super().__init__(ledger, lab)
        self._encoded: Callable[[int], bytes] = lambda number: encoded(number, text, schema_id)
        self._topics = topics

    def _write(self) -> None:
        while not self._stop.wait(0.01):
            number = self._ledger.next
            self._ledger.next += 1
            for topic in self._topics:
                self._producer.produce(
                    topic,
                    self._encoded(number),
                    key=str(number).encode(),
                    partition=number % PARTITIONS,
                    on_delivery=self._delivered,
                )
            self._producer.poll(0)

    def _delivered(self, error: KafkaError | None, record: Message) -> None:
        key = record.key()
        if error is None and key is not None:
            self._ledger.acknowledges(int(key), self._lab, record)


class AvroReader(Reader):
    """An application that stands still at a record that it can't read; it reads what has all fields that it needs."""

    def __init__(self, ledger: Ledger, lab: LabState, needs: Sequence[tuple[str, str]], topic: str = TOPIC) -> None:
        """Read a topic.

        Args:
            ledger: notes what was worked on.
            lab: where.
            needs: fields and types of which it takes a record that has all of one line.
            topic: its name.
        """
        self._needs = needs
        self._fields = cache(lambda number: _fields(lab, number))
        super().__init__(ledger, lab, f"^{topic}$".replace(".", "[.]"))

    def _read(self) -> None:
        while not self._stop.is_set():
            came = [record for record in self._consumer.consume(200, 0.2) if record.error() is None]
            done: dict[tuple[str, int], int] = {}
            held: dict[tuple[str, int], int] = {}
            for record in came:
                place, offset = (str(record.topic()), int(record.partition() or 0)), int(record.offset() or 0)
                if place in held:
                    continue
                number = self._number(record.value() or b"")
                if number is None:
                    held[place] = offset
                    continue
                self._ledger.worked_on[number] += 1
                done[place] = offset + 1
            for place, offset in held.items():
                self._consumer.seek(TopicPartition(*place, offset))
            if done:
                self._commits([TopicPartition(*place, offset) for place, offset in done.items()])
        self._ends()

    def _number(self, value: bytes) -> int | None:
        """The number in a record; None where it can't be read."""
        fields = self._fields(_HEAD.unpack_from(value)[1])
        if not any(needed in fields for needed in self._needs) or not self._all_there(fields):
            return None
        at = _HEAD.size
        for name, kind in fields:
            size, at = _read_long(value, at)
            if name == "number" and kind == "long":
                return size
            text, at = value[at : at + size], at + size
            if name == "number":
                return int(text)
        return None

    def _all_there(self, fields: Sequence[tuple[str, str]]) -> bool:
        return ("note", "string") not in self._needs or ("note", "string") in fields


OLD: Final = (("number", "long"), ("note", "string"))
NEW: Final = (("number", "long"),)
BOTH: Final = (("number", "long"), ("number", "string"))
"""What readers need: those of the schema with a note, those without, and those that were given a bad one too."""


def _fields(lab: LabState, number: int) -> tuple[tuple[str, str], ...]:
    answer = registry.request("GET", registry.required(lab), f"/schemas/ids/{number}")
    return tuple((field["name"], field["type"]) for field in json.loads(answer["schema"])["fields"])


def _long(number: int) -> bytes:
    left, made = number << 1, bytearray()
    while left > 0x7F:
        made.append(left & 0x7F | 0x80)
        left >>= 7
    return bytes([*made, left])


def _string(text: str) -> bytes:
    return _long(len(text)) + text.encode("ascii")


def _read_long(value: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        byte = value[at]
        number |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if not byte & 0x80:
            return number >> 1, at
