"""Has an instance of a group join and crash without end: the others wait for it, and read nothing (groups)."""

import time
from collections.abc import Mapping
from typing import Final

from kafka_lab.admin import kafka_python
from kafka_lab.group_clients import CRASHING_SESSION
from kafka_lab.parts import groups
from kafka_lab.state import LabState
from kafka_lab.waiting import wait_until

SEEN_IN = "consumers"
_SHOWS: Final = 30.0
"""Seconds after a crash from which on the group has stood for longer than the lab calls late."""
_WITHIN: Final = 180.0


def inject(lab: LabState) -> None:
    """Start it, and wait until it has crashed for the first time."""
    groups.require(lab)
    groups.client(lab, "crashing", "crash", groups.ARCHIVE)
    wait_until(lambda: _crashed(lab) is not None, "the instance to crash", within=_WITHIN)


def heal(lab: LabState) -> None:
    """End it for good, take what it left out of the group instead of waiting for it, and wait for the reader."""
    groups.end(lab, "crashing")
    wait_until(lambda: _alone(lab), "the reader to be alone in its group", within=_WITHIN)
    groups.anew(lab)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether the group waits for a member that crashed, and has done so for a while."""
    last = _crashed(lab) if "crashing" in lab.parts.get("groups", {}).get("processes", {}) else None
    since = None if last is None else time.time() - last
    return {
        "the group prepares a rebalance": groups.described(lab)["group_state"] == "PreparingRebalance",
        f"its member crashed {_SHOWS:.0f} s ago": since is not None and _SHOWS < since < CRASHING_SESSION,
    }


def _crashed(lab: LabState) -> float | None:
    """When the instance crashed last, in seconds since 1970, as it says itself."""
    lines = [line.split() for line in groups.said(lab, "crashing") if line.startswith("crashed ")]
    return float(lines[-1][1]) if lines else None


def _alone(lab: LabState) -> bool:
    """Whether the reader has all that there is; what crashed is taken out of the group, as its session is long."""
    from kafka.admin import MemberToRemove

    group = groups.described(lab)
    left = [member["member_id"] for member in group["members"] if member["client_id"].endswith("-crashing")]
    if left:
        with kafka_python(lab) as admin:
            admin.remove_group_members(groups.ARCHIVE, [MemberToRemove(member_id=member) for member in left])
    return not left and group["group_state"] == "Stable"
