"""Ends a reader, and has a job set its group back at each of its starts, which come one after the other (groups)."""

import time
from collections.abc import Mapping
from typing import Final

from kafka_lab.admin import BEGINNING
from kafka_lab.parts import groups
from kafka_lab.state import LabState
from kafka_lab.waiting import wait_until

SEEN_IN = "consumers"
_ROOM: Final = 100
"""Records that lie before the group in each partition: as long as it is looked at, it has somewhere to go back to."""
_MOVED: Final = 10
_WITHIN: Final = 120.0


def inject(lab: LabState) -> None:
    """Wait until enough was read, end the reader, and start the job once its session is over."""
    groups.require(lab)
    wait_until(lambda: _far_enough(lab, 2 * _ROOM), "enough to be read", within=_WITHIN)
    groups.end(lab, "archive")
    wait_until(lambda: groups.described(lab)["group_state"] == "Empty", "the group to be empty", within=_WITHIN)
    lab.parts["groups"]["stood at"] = {str(number): offset for number, offset in groups.places(lab).items()}
    groups.client(lab, "again", "rerun", groups.ARCHIVE)


def heal(lab: LabState) -> None:
    """End the job, and start the reader again: it reads anew what it was set back by."""
    groups.end(lab, "again")
    lab.parts["groups"].pop("stood at", None)
    groups.anew(lab)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether the group has gone back in every partition, and goes on doing so."""
    before = lab.parts.get("groups", {}).get("stood at")
    if before is None:
        return {"the group has gone back in every partition": False, "it goes on doing so": False}
    there = groups.places(lab)
    time.sleep(1.5)
    then = groups.places(lab)
    return {
        "the group has gone back in every partition": all(
            offset <= before[str(number)] - _MOVED for number, offset in there.items()
        ),
        "it goes on doing so": all(then[number] < offset for number, offset in there.items()),
    }


def _far_enough(lab: LabState, room: int) -> bool:
    begins, there = groups.bounds(lab, BEGINNING), groups.places(lab)
    return all(there.get(number, 0) > begin + room for number, begin in begins.items())
