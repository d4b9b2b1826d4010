"""Makes a reader's work on each record take so long that it reads slower than is written (groups)."""

import time
from collections.abc import Mapping
from typing import Final

from kafka_lab.group_clients import STAMP_RATE
from kafka_lab.parts import groups
from kafka_lab.state import LabState
from kafka_lab.waiting import wait_until

SEEN_IN = "consumers"
_PAUSE: Final = 0.2
"""Seconds: five records a second of the twenty that are written."""
_SHOWS: Final = 45.0
_WITHIN: Final = 180.0


def inject(lab: LabState) -> None:
    """Start the reader anew with more work to do."""
    groups.require(lab)
    groups.end(lab, "archive")
    groups.reader(lab, pause=_PAUSE)
    lab.parts["groups"]["slow since"] = time.time()


def heal(lab: LabState) -> None:
    """Start it anew without, and wait until it has caught up."""
    groups.end(lab, "archive")
    lab.parts["groups"].pop("slow since", None)
    groups.reader(lab, pause=0)
    wait_until(lambda: max(groups.lags(lab).values()) < _FEW, "the reader to catch up", within=_WITHIN)


_FEW: Final = 30


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether the group is behind by more than in its good days, in every partition, and has been slow for a while."""
    since = lab.parts.get("groups", {}).get("slow since")
    return {
        "the group is far behind in every partition": min(groups.lags(lab).values()) > 20 * STAMP_RATE,
        f"it has been slow for {_SHOWS:.0f} s": since is not None and time.time() > since + _SHOWS,
    }
