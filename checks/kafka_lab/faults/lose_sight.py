"""Cuts brokers 2 and 3 off from us, and from nobody else: their proxies are silent (with proxies)."""

import math
from collections.abc import Mapping

from kafka_lab import proxies
from kafka_lab.admin import live_brokers
from kafka_lab.state import LabState
from kafka_lab.waiting import wait_until

_NUMBERS = (2, 3)
_PATIENCE = 2.0  # seconds; it takes milliseconds


def inject(lab: LabState) -> None:
    """Let nothing through, and wait until nothing comes."""
    proxies.say(lab, {number: {"open": False} for number in _NUMBERS})
    wait_until(lambda: all(evident(lab).values()), "the proxies to fall silent", within=30)


def heal(lab: LabState) -> None:
    """Let everything through."""
    proxies.mend(lab)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether their proxies are silent, while the cluster counts on them."""
    silent = all(proxies.answers_after(lab, number, within=_PATIENCE) == math.inf for number in _NUMBERS)
    return {"brokers 2 and 3 do not answer us, and are not fenced": silent and set(_NUMBERS) <= set(live_brokers(lab))}
