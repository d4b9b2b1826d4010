"""Gives Connect a sink that stops at errors, and its topic refunds a record that is no JSON (with connect)."""

from runbook.lab import connect
from runbook.lab.content import create_topics, delete_topics, write_records
from runbook.lab.state import LabState

SEEN_IN = "error-handling"

_TOPIC = "refunds"
_CONNECTOR = "refunds-archive"


def inject(lab: LabState) -> None:
    """Write the records and wait until the task has failed at the bad one; more come after it."""
    connect.workers_of(lab)
    create_topics(lab, {_TOPIC: (1, 3, {"min.insync.replicas": "2"})})
    # Offsets are committed every few seconds only, and a task that fails commits what it had put.
    connect.put_connector(lab, _CONNECTOR, connect.sink(_TOPIC, connect.folder(lab) / "refunds.txt"))
    write_records(lab, _TOPIC, ['{"refund": 1}', '{"refund": 2}', "refund 3, by hand", '{"refund": 4}'])
    connect.wait_for_state(lab, _CONNECTOR, "FAILED")


def heal(lab: LabState) -> None:
    """Remove the connector and its topic."""
    connect.delete_connector(lab, _CONNECTOR)
    delete_topics(lab, [_TOPIC])
