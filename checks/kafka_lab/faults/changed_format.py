"""Has a writer change the form of its records, which an old reader can't take apart: it stands everywhere (groups)."""

import time
from collections.abc import Mapping
from typing import Final

from kafka_lab.admin import END
from kafka_lab.parts import groups
from kafka_lab.state import LabState
from kafka_lab.waiting import wait_until

SEEN_IN = "consumers"
_SHOWS: Final = 35.0
"""Seconds for which it stands before it is called evident: longer than the lab calls late."""
_WITHIN: Final = 180.0


def inject(lab: LabState) -> None:
    """Start a reader that knows the old form only, then a writer of the new one; wait until it fails everywhere."""
    groups.require(lab)
    groups.end(lab, "archive")
    groups.reader(lab, pause=0, knows="number")
    wait_until(lambda: max(groups.lags(lab).values()) < groups.FEW, "the old reader to read", within=_WITHIN)
    groups.end(lab, "writer")
    groups.writer(lab, form="json")
    wait_until(lambda: len(_failing(lab)) == groups.PARTITIONS, "the reader to fail everywhere", within=_WITHIN)
    lab.parts["groups"]["changed at"] = time.time()


def heal(lab: LabState) -> None:
    """Roll the writer back, and deploy a reader that knows both forms: what was written in between is read, too."""
    lab.parts["groups"].pop("changed at", None)
    groups.end(lab, "writer")
    groups.writer(lab)
    groups.anew(lab)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether the group stands in each partition at the record that its reader says it fails at."""
    failing, there, ends = _failing(lab), groups.places(lab), groups.bounds(lab, END)
    since = lab.parts.get("groups", {}).get("changed at")
    return {
        "the reader fails at a record of each partition, and its group stands there": len(failing) == groups.PARTITIONS
        and all(there.get(number) == offset < ends[number] - groups.FEW for number, offset in failing.items()),
        f"it has done so for {_SHOWS:.0f} s": since is not None and time.time() > since + _SHOWS,
    }


def _failing(lab: LabState) -> dict[int, int]:
    """The offset, by partition, of the record that the reader says it fails at."""
    lines = [line.split() for line in groups.said(lab, "archive")]
    return {int(line[0]): int(line[1]) for line in lines if len(line) == 2 and line[0].isdigit()}  # noqa: PLR2004 - both
