"""What two sites say of themselves: whether everything comes through from one to the other, and what does not."""

import time
from collections.abc import Mapping

from kafka_lab import LabState, connect, mirrors
from kafka_lab.admin import newest_records
from kafka_lab.content import GROUP, WRITTEN_PLAINLY

PROMISED = 10.0
"""Seconds that the link promises in scenes of faults: so few that a fault breaks the promise at once."""
AGAIN = 3
"""Records of a partition that a group may have to read again there."""
_PARTITIONS = 6  # of the topic that the lab's group reads

LINK = {
    "promises": [{"rpo": f"{PROMISED:.0f}s", "rto": "15m"}],
    "params": {
        "dr/heartbeats-arrive": {"seconds": int(PROMISED)},
        "dr/groups-would-not-read-much-again": {"records": AGAIN},
    },
}


def comes_through(lab: LabState) -> Mapping[str, bool]:
    """Every connector runs, and the standby has the primary's records, heartbeats and positions of now."""
    there = mirrors.standby_of(lab)
    claims = {f"{name} runs": set(connect.states(there, name)) == {"RUNNING"} for name in mirrors.connectors(lab)}
    claims["heartbeats come"] = mirrors.silence(lab) < PROMISED / 2
    for topic in WRITTEN_PLAINLY:
        claims[f"the newest records of {topic} are at the standby"] = mirrors.behind(lab, topic) <= 0
    claims[f"{GROUP} would read nothing again"] = mirrors.to_read_again(lab) <= 0
    return claims


def heartbeats_are_overdue(lab: LabState) -> Mapping[str, bool]:
    """The newest heartbeat at the standby is older than promised."""
    return {"the newest heartbeat at the standby is older than promised": mirrors.silence(lab) > PROMISED}


def copies_are_overdue(lab: LabState) -> Mapping[str, bool]:
    """A partition lacks more than promised, and what it lacks is older: of a young record none is missed yet."""
    written = time.time() - max(newest_records(lab, "payments").values())
    lacks = mirrors.behind(lab, "payments") > PROMISED
    return {"the standby lacks records of payments that are older than promised": lacks and written > PROMISED}


def positions_are_old(lab: LabState) -> Mapping[str, bool]:
    """The group would read so much again that it is too much of one partition at least."""
    claim = f"{GROUP} would read more than {AGAIN} records of a partition again"
    return {claim: mirrors.to_read_again(lab) > AGAIN * _PARTITIONS}
