"""Kills the only member of a group: nobody reads, and nobody says so (groups)."""

import time
from collections.abc import Mapping
from typing import Final

from kafka_lab.admin import kafka_python
from kafka_lab.parts import groups
from kafka_lab.state import LabState
from kafka_lab.waiting import wait_until

SEEN_IN = "consumers"
_SHOWS: Final = 35.0
_FEW: Final = 30
_WITHIN: Final = 180.0


def inject(lab: LabState) -> None:
    """Kill it, and wait until its session has ended."""
    groups.require(lab)
    groups.end(lab, "archive")
    lab.parts["groups"]["killed at"] = time.time()
    wait_until(lambda: _state(lab) == "Empty", "the group to be empty", within=_WITHIN)


def heal(lab: LabState) -> None:
    """Start it again, and wait until it has caught up."""
    groups.end(lab, "archive")
    lab.parts["groups"].pop("killed at", None)
    groups.reader(lab, pause=0)
    wait_until(lambda: max(groups.lags(lab).values()) < _FEW, "the reader to catch up", within=_WITHIN)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether the group is empty and has been for a while."""
    since = lab.parts.get("groups", {}).get("killed at")
    return {
        "the group has no members": _state(lab) == "Empty",
        f"its member was killed {_SHOWS:.0f} s ago": since is not None and time.time() > since + _SHOWS,
    }


def _state(lab: LabState) -> str:
    with kafka_python(lab) as admin:
        described = admin.describe_groups([groups.ARCHIVE])[groups.ARCHIVE]
    return str(described["group_state"])
