"""Cuts the link between primary and standby while the primary is written to; both sites go on (with dr)."""

import math
from collections.abc import Mapping

from kafka_lab import link, mirrors
from kafka_lab.content import write_some
from kafka_lab.state import LabState

SEEN_IN = "dr"

_TOPIC = "payments"
_PATIENCE = 2.0  # seconds; it takes milliseconds


def inject(lab: LabState) -> None:
    """Cut it, wait until heartbeats arrive no more, and write what does not come through."""
    mirrors.standby_of(lab)
    link.cut(lab)
    mirrors.wait_for_silence(lab)
    write_some(lab, _TOPIC)


def heal(lab: LabState) -> None:
    """Mend it, and wait until MirrorMaker has caught up."""
    link.mend(lab)
    mirrors.restore(lab)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether nobody answers over the link, and the primary has newer records than the standby."""
    return {
        "the primary does not answer over the link": link.answers_after(lab, within=_PATIENCE) == math.inf,
        f"the newest records of {_TOPIC} are not at the standby": mirrors.behind(lab, _TOPIC) > 0,
    }
