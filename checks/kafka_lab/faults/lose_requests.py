"""Loses three of ten requests to the brokers by chance, without an answer or with the connection (with proxies)."""

from collections.abc import Mapping

from kafka_lab import proxies
from kafka_lab.state import LabState
from kafka_lab.waiting import wait_until

_SHARE = 0.3
_SEED = 1
_TIMES = 20  # requests at each proxy: that all of three times as many come through has a chance of 5 in 10,000,000,000
_PATIENCE = 2.0  # seconds; it takes milliseconds


def inject(lab: LabState) -> None:
    """Lose them, and wait until some are lost."""
    proxies.lose(lab, _SHARE, seed=_SEED)
    wait_until(lambda: all(evident(lab).values()), "requests to be lost", within=30)


def heal(lab: LabState) -> None:
    """Let everything through."""
    proxies.mend(lab)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether some requests have no answer, and others have."""
    came = [proxies.answered(lab, broker.number, _TIMES, within=_PATIENCE) for broker in lab.brokers]
    return {f"of {_TIMES} requests at each proxy some are answered, not all": 0 < sum(came) < _TIMES * len(came)}
