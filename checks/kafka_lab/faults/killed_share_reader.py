"""Kills the only member of a share group: records wait, and nobody acknowledges them (groups)."""

import time
from collections.abc import Mapping
from typing import Final

from kafka_lab.parts import groups
from kafka_lab.state import LabState
from kafka_lab.waiting import wait_until

SEEN_IN = "consumers"
_SHOWS: Final = 35.0
_READS: Final = 5
"""Records that the member prints before it counts as one that reads."""
_WITHIN: Final = 180.0


def inject(lab: LabState) -> None:
    """Kill it, and wait until its session has ended, after 45 s."""
    groups.require(lab)
    groups.end(lab, "shared")
    lab.parts["groups"]["share reader killed at"] = time.time()
    wait_until(lambda: groups.state_of(lab, groups.SHARED) == "Empty", "the share group to be empty", within=_WITHIN)


def heal(lab: LabState) -> None:
    """Start it again, and wait until it reads."""
    groups.end(lab, "shared")
    lab.parts["groups"].pop("share reader killed at", None)
    groups.share_reader(lab)
    wait_until(lambda: len(groups.said(lab, "shared")) >= _READS, "the share group to read", within=_WITHIN)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether the group is empty and has been for a while."""
    since = lab.parts.get("groups", {}).get("share reader killed at")
    return {
        "the share group has no members": groups.state_of(lab, groups.SHARED) == "Empty",
        f"its member was killed {_SHOWS:.0f} s ago": since is not None and time.time() > since + _SHOWS,
    }
