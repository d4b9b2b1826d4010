"""Gives Connect a sink that stops at errors, and its topic refunds a record that is no JSON (with connect)."""

from collections.abc import Mapping
from pathlib import Path

from kafka_lab import connect, connect_signs
from kafka_lab.admin import committed, partitions
from kafka_lab.content import create_topics, delete_topics, write_records
from kafka_lab.state import LabState
from kafka_lab.waiting import wait_until

SEEN_IN = "error-handling"

_TOPIC = "refunds"
_CONNECTOR = "refunds-archive"
_GOOD = ('{"refund": 1}', '{"refund": 2}')
_WITHIN = 180.0


def inject(lab: LabState) -> None:
    """Write good records, wait until they are committed, and write a bad one with more behind it."""
    connect.workers_of(lab)
    create_topics(lab, {_TOPIC: (1, 3, {"min.insync.replicas": "2"})})
    connect.put_connector(lab, _CONNECTOR, connect.sink(_TOPIC, _archive(lab)))
    write_records(lab, _TOPIC, _GOOD)
    # Connect commits every few seconds; a sink that fails before it ever did leaves a group without an offset.
    what = f"{_CONNECTOR} to commit"
    wait_until(lambda: committed(lab, f"connect-{_CONNECTOR}", _TOPIC) >= len(_GOOD), what, within=_WITHIN)
    write_records(lab, _TOPIC, ["refund 3, by hand", '{"refund": 4}'])
    connect.wait_for_state(lab, _CONNECTOR, "FAILED")


def heal(lab: LabState) -> None:
    """Remove the connector, its topic, what its group committed, and what it wrote."""
    connect.delete_connector(lab, _CONNECTOR)
    _archive(lab).unlink(missing_ok=True)
    delete_topics(lab, [_TOPIC])  # and with it the commits of its group


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether the task has failed at what it can't parse, with no more committed than what stands before it."""
    there = _TOPIC in partitions(lab)
    return {
        f"the task of {_CONNECTOR} has failed": connect_signs.states(lab, _CONNECTOR) == ["FAILED"],
        f"{_CONNECTOR} can't parse a record": "JsonParseException" in connect_signs.traces(lab, _CONNECTOR),
        "the good records are committed, and no more": there
        and committed(lab, f"connect-{_CONNECTOR}", _TOPIC) == len(_GOOD),
    }


def _archive(lab: LabState) -> Path:
    return connect.folder(lab) / "refunds.txt"
