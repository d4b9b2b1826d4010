"""Makes broker 2 slow to whoever comes by its proxy: each piece takes 0.7 s, either way (with proxies)."""

from collections.abc import Mapping

from kafka_lab import proxies
from kafka_lab.state import LabState
from kafka_lab.waiting import wait_until

_NUMBER = 2
_DELAY = 0.7  # seconds


def inject(lab: LabState) -> None:
    """Slow it down, and wait until it is slow."""
    proxies.say(lab, {_NUMBER: {"delay": _DELAY}})
    wait_until(lambda: all(evident(lab).values()), "the broker to be slow", within=30)


def heal(lab: LabState) -> None:
    """Let everything through at once."""
    proxies.mend(lab)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether an answer takes as long as both ways."""
    took = proxies.answers_after(lab, _NUMBER, within=20 * _DELAY)
    return {f"broker {_NUMBER} answers after {2 * _DELAY:g} s or more": 2 * _DELAY <= took < 20 * _DELAY}
