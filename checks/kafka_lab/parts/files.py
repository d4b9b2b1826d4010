"""Files that the inventory lists: the GC log of each broker, where its JVM writes it."""

from typing import Any, Final

from kafka_lab.parts import Progress
from kafka_lab.state import LabState

HELP: Final = "the brokers' GC logs, read as files"


def lacking() -> str:
    """Nothing: every lab's brokers log their collections."""
    return ""


def start(lab: LabState, progress: Progress) -> dict[str, Any]:
    """Start nothing; the files are there."""
    del lab, progress
    return {}


def stop(lab: LabState, state: dict[str, Any]) -> None:
    """Stop nothing."""
    del lab, state


def connections(lab: LabState, state: dict[str, Any]) -> dict[str, Any]:
    """Return the inventory's entry: a GC log for each broker."""
    del state
    return {"files": {"gc_logs": [{"broker": b.number, "path": str(lab.gc_log_of(b))} for b in lab.brokers]}}
