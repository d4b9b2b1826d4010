"""Ends a reader and has its topic keep records for ten seconds only: what it did not read is deleted (groups)."""

import time
from collections.abc import Mapping
from typing import Final

from kafka_lab.admin import BEGINNING, change_settings
from kafka_lab.parts import groups
from kafka_lab.state import LabState
from kafka_lab.waiting import wait_until

SEEN_IN = "consumers"
_KEPT: Final = {"retention.ms": "10000", "segment.ms": "2000"}
_SHOWS: Final = 35.0
_FEW: Final = 30
_WITHIN: Final = 180.0


def inject(lab: LabState) -> None:
    """End the reader, shorten the retention, and wait until records went that it had not read."""
    groups.require(lab)
    groups.end(lab, "archive")
    change_settings(lab, "topic", {groups.TOPIC: _KEPT})
    lab.parts["groups"]["hasty since"] = time.time()
    wait_until(lambda: _deleted(lab), "records to be deleted unread", within=_WITHIN)


def heal(lab: LabState) -> None:
    """Take the settings back, start the reader again, and wait until it has caught up."""
    change_settings(lab, "topic", {groups.TOPIC: dict.fromkeys(_KEPT)})
    groups.end(lab, "archive")
    lab.parts["groups"].pop("hasty since", None)
    groups.reader(lab, pause=0)
    wait_until(lambda: max(groups.lags(lab).values()) < _FEW, "the reader to catch up", within=_WITHIN)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether every partition begins behind what the group has committed."""
    since = lab.parts.get("groups", {}).get("hasty since")
    return {
        "records were deleted unread in every partition": _deleted(lab),
        f"the reader was ended {_SHOWS:.0f} s ago": since is not None and time.time() > since + _SHOWS,
    }


def _deleted(lab: LabState) -> bool:
    begins, there = groups.bounds(lab, BEGINNING), groups.places(lab)
    return all(begins[number] > there.get(number, 0) for number in begins)
