"""Lets broker 1 answer everything but Metadata, to whoever comes by its proxy; the cluster is well (with proxies)."""

import math
from collections.abc import Mapping

from kafka_lab import proxies, ways
from kafka_lab.state import LabState
from kafka_lab.waiting import wait_until

_NUMBER = 1
_PATIENCE = 2.0  # seconds; it takes milliseconds


def inject(lab: LabState) -> None:
    """Let the request hang, and wait until it does."""
    proxies.say(lab, {_NUMBER: {"hang": [ways.METADATA]}})
    wait_until(lambda: all(evident(lab).values()), "Metadata to hang", within=30)


def heal(lab: LabState) -> None:
    """Let it through."""
    proxies.mend(lab)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether that request alone has no answer."""
    greeted = proxies.answers_after(lab, _NUMBER, within=_PATIENCE)
    answered = proxies.answers_after(lab, _NUMBER, within=_PATIENCE, key=ways.METADATA)
    return {f"broker {_NUMBER} greets, and does not answer Metadata": greeted < math.inf and answered == math.inf}
