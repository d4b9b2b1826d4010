"""Delays everything on the link between primary and standby by eight seconds, either way (with dr)."""

import math
from collections.abc import Mapping

from kafka_lab import link, mirrors
from kafka_lab.content import write_some
from kafka_lab.state import LabState

SEEN_IN = "dr"

_TOPIC = "payments"
_DELAY = 8.0  # seconds: a request and its answer take 16, of the 30 after which clients give up


def inject(lab: LabState) -> None:
    """Slow it down, wait until heartbeats come late, and write what does too."""
    mirrors.standby_of(lab)
    link.slow(lab, _DELAY)
    mirrors.wait_for_silence(lab)
    write_some(lab, _TOPIC)


def heal(lab: LabState) -> None:
    """Let it be as fast as before, and wait until MirrorMaker has caught up."""
    link.mend(lab)
    mirrors.restore(lab)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether an answer over the link takes as long as its delay, there and back."""
    took = link.answers_after(lab, within=4 * _DELAY)
    return {f"the primary answers over the link after {2 * _DELAY:.0f} s": 2 * _DELAY <= took < math.inf}
