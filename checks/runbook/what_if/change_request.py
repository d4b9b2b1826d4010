"""Read which change is asked about: a plan of reassignment, a setting of topics, brokers that are taken out."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from runbook.model.errors import UsageError, did_you_mean

_LARGEST: Final = 64 << 20
"""Bytes of a plan; one of 200,000 partitions has 20 MB. Our judgement."""
_SHAPE: Final = '{"partitions": [{"topic": "orders", "partition": 0, "replicas": [1, 2]}]}'
_KNOWN_SETTINGS: Final = ("min.insync.replicas",)

TopicPartitionKey = tuple[str, int]


class _Planned(Struct):
    """A partition of a plan, as kafka-reassign-partitions.sh writes and reads it."""

    topic: str
    partition: int
    replicas: list[int]


class _PlanFile(Struct):
    """A plan; other keys, such as version and log_dirs, change nothing of what is foretold."""

    partitions: list[_Planned]


class ChangeRequest(Struct, frozen=True):
    """A change that is asked about, all of it together.

    Attributes:
        plan: partition -> the brokers that are to hold it, in order of preference.
        minimums: pattern of topics' names -> min.insync.replicas that they are to get.
        removed: brokers that are to be taken out for good.
        throttle: bytes a second that each broker may send, and may take, for copies; None: not given.
    """

    plan: Mapping[TopicPartitionKey, list[int]]
    minimums: Mapping[str, int]
    removed: Sequence[int]
    throttle: int | None


def read_change(
    plan: Path | None, set_topic: Sequence[str], remove_broker: Sequence[int], throttle: int | None
) -> ChangeRequest | None:
    """Read a change; None where none is asked about.

    Raises:
        UsageError: the plan is none, or a setting is not written so or nothing can be foretold of it.
    """
    if throttle is not None and plan is None:
        raise UsageError("--throttle is of copies that a plan makes: give --reassign FILE too")
    if plan is None and not set_topic and not remove_broker:
        return None
    return ChangeRequest(_plan(plan) if plan else {}, dict(map(_minimum, set_topic)), list(remove_broker), throttle)


def _plan(file: Path) -> dict[TopicPartitionKey, list[int]]:
    try:
        with file.open("rb") as opened:
            text = opened.read(_LARGEST + 1)
    except OSError as error:
        raise UsageError(f"--reassign {file}: {error.strerror or error}") from error
    if len(text) > _LARGEST:
        raise UsageError(f"--reassign {file}: it has more than {_LARGEST >> 20} MiB, and is no plan")
    try:
        read = msgspec.json.decode(text, type=_PlanFile)
    except msgspec.ValidationError as error:
        raise UsageError(f"--reassign {file}: {error}; a plan is written as {_SHAPE}") from error
    except msgspec.DecodeError as error:
        raise UsageError(f"--reassign {file}: {_why_no_json(text, error)}") from error
    if not read.partitions:
        raise UsageError(f"--reassign {file}: it names no partitions")
    plan: dict[TopicPartitionKey, list[int]] = {}
    for planned in read.partitions:
        key = (planned.topic, planned.partition)
        if key in plan:
            raise UsageError(f"--reassign {file}: it names {planned.topic}-{planned.partition} twice")
        plan[key] = planned.replicas
    return plan


def _why_no_json(text: bytes, error: msgspec.DecodeError) -> str:
    if b"Proposed partition reassignment configuration" in text:
        return "this is all that --generate printed; the plan is its fifth line: sed -n 5p proposed.txt > plan.json"
    return f"it is no JSON: {error}"


def _minimum(written: str) -> tuple[str, int]:
    topics, colon, setting = written.partition(":")
    name, equals, value = setting.partition("=")
    if not (topics and colon and name and equals and value):
        raise UsageError(f"--set-topic {written}: write TOPIC:KEY=VALUE, as in 'payments-*:min.insync.replicas=2'")
    if name not in _KNOWN_SETTINGS:
        raise UsageError(f"--set-topic {written}: {did_you_mean(name, [*_KNOWN_SETTINGS])}")
    if not value.isdecimal() or int(value) < 1:
        raise UsageError(f"--set-topic {written}: {name} is a number of replicas, 1 or more")
    return topics, int(value)
