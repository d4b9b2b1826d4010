"""Starts more members of a group than its topic has partitions: some of them have nothing to do (groups)."""

from collections.abc import Mapping
from typing import Final

from kafka_lab.parts import groups
from kafka_lab.state import LabState
from kafka_lab.waiting import wait_until

SEEN_IN = "consumers"
_MORE: Final = [f"more-{number}" for number in range(1, 6)]
"""With the one that is there they are six, and there are four partitions."""
_WITHIN: Final = 180.0


def inject(lab: LabState) -> None:
    """Start them, and wait until the group has shared out its partitions among all."""
    groups.require(lab)
    for name in _MORE:
        groups.reader(lab, pause=0, name=name)
    wait_until(lambda: all(evident(lab).values()), "all members to have joined", within=_WITHIN)


def heal(lab: LabState) -> None:
    """End them, and wait until the one that was there before has all partitions again."""
    for name in _MORE:
        groups.end(lab, name)
    wait_until(lambda: _members(lab) == 1, "the group to have one member", within=_WITHIN)
    groups.anew(lab)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether the group is stable with more members than there are partitions."""
    return {"the group is stable, with more members than partitions": _members(lab) > groups.PARTITIONS}


def _members(lab: LabState) -> int:
    """How many members the group has while it is stable; else 0."""
    group = groups.described(lab)
    return len(group["members"]) if group["group_state"] == "Stable" else 0
