"""Pauses MirrorMaker's source connector while the primary is written to: the standby falls behind (with dr)."""

from collections.abc import Mapping

from kafka_lab import connect, mirrors
from kafka_lab.content import write_some
from kafka_lab.state import LabState

SEEN_IN = "dr"

_TOPIC = "payments"


def inject(lab: LabState) -> None:
    """Pause it, and write what it does not copy."""
    connect.pause(mirrors.standby_of(lab), mirrors.SOURCE)
    write_some(lab, _TOPIC)


def heal(lab: LabState) -> None:
    """Let it go on, and wait until it has caught up."""
    mirrors.restore(lab)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether the connector's tasks are paused, and the primary has newer records than the standby."""
    return {
        f"the tasks of {mirrors.SOURCE} are paused": set(connect.states(mirrors.standby_of(lab), mirrors.SOURCE))
        == {"PAUSED"},
        f"the newest records of {_TOPIC} are not at the standby": mirrors.behind(lab, _TOPIC) > 0,
    }
