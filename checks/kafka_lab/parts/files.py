"""Files that the inventory lists: the GC log of each broker, where its JVM writes it."""

from typing import Any, Final

from kafka_lab.state import LabState

HELP: Final = "the brokers' GC logs, read as files"


def connections(lab: LabState, state: dict[str, Any]) -> dict[str, Any]:
    """Return the inventory's entry: a GC log for each broker."""
    del state
    return {"files": {"gc_logs": [{"broker": b.number, "path": str(lab.gc_log_of(b))} for b in lab.brokers]}}
