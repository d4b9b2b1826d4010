"""Pauses MirrorMaker's checkpoint connector while a group reads on: the standby knows an old position (with dr)."""

from collections.abc import Mapping

from kafka_lab import connect, mirrors
from kafka_lab.content import GROUP, GROUP_READS, read_some, write_some
from kafka_lab.state import LabState

SEEN_IN = "dr"


def inject(lab: LabState) -> None:
    """Pause it, and have the group read what is new."""
    connect.pause(mirrors.standby_of(lab), mirrors.CHECKPOINT)
    write_some(lab, GROUP_READS)
    read_some(lab, GROUP_READS, group=GROUP)


def heal(lab: LabState) -> None:
    """Let it go on, and wait until the standby knows where the group is."""
    mirrors.restore(lab)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether the connector's task is paused, and the group has more to read at the standby than at the primary."""
    there = mirrors.standby_of(lab)
    return {
        f"the tasks of {mirrors.CHECKPOINT} are paused": set(connect.states(there, mirrors.CHECKPOINT)) == {"PAUSED"},
        f"{GROUP} would read records again at the standby": mirrors.to_read_again(lab) > 0,
    }
