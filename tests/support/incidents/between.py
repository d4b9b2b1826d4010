"""What is wrong between us and brokers that are well: their proxies are told so."""

import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from kafka_lab import LabState, proxies, ways
from support.incidents.incident import Asked, Incident

_LOG_DIRS, _CONFIGS = 35, 32  # numbers of Kafka's requests
_ALL = (1, 2, 3)
_SLOW = ("broker-is-slow", "all-brokers-are-slow")
_CUT_OFF = ("broker-is-out-of-our-reach",)
_PATIENCE = "how long a request is waited for is a share of --deadline: less than these take"
_CHANCE = "what is lost by chance leaves unknown whether a broker answers"


def by_proxies(words: Mapping[int, Mapping[str, Any]]) -> Any:
    """An incident of proxies, in the words of forwarder.py."""

    def play(lab: LabState) -> AbstractContextManager[Asked]:
        return _so_long_as(lab, words)

    return play


@contextmanager
def _so_long_as(lab: LabState, words: Mapping[int, Mapping[str, Any]]) -> Iterator[Asked]:
    proxies.say(lab, words)
    time.sleep(3 * proxies.SEEN_AFTER)
    try:
        yield Asked()
    finally:
        proxies.mend(lab)


@contextmanager
def _misdirected(lab: LabState) -> Iterator[Asked]:
    with _so_long_as(lab, {3: {"target": proxies.behind(lab, 1)}}) as asked:
        yield asked


def _lossy(delay: float, share: float) -> dict[int, dict[str, Any]]:
    return {2: {"delay": delay, "lose": {"share": share, "closing": 0.5, "seed": "incident"}}}


def _each_slow(delay: float) -> dict[int, dict[str, Any]]:
    return {number: {"delay": delay} for number in _ALL}


INCIDENTS = [
    Incident(
        "log-dirs-hang",
        "unknown",
        by_proxies({2: {"hang": [_LOG_DIRS]}}),
        r"log-directories-work.*broker 2\b.*did not answer",
    ),
    Incident("configs-hang", "unknown", by_proxies({2: {"hang": [_CONFIGS]}}), r"broker 2\b.*did not answer"),
    Incident(
        "slow-2s-loss-5", "silent", by_proxies(_lossy(1.0, 0.05)), r"broker 2\b", (*_SLOW, *_CUT_OFF), why=_CHANCE
    ),
    Incident(
        "slow-1s-loss-15", "silent", by_proxies(_lossy(0.5, 0.15)), r"broker 2\b", (*_SLOW, *_CUT_OFF), why=_CHANCE
    ),
    Incident("all-slow-1s", "silent", by_proxies(_each_slow(0.5)), r"all .*brokers .* ms", _SLOW, why=_PATIENCE),
    Incident(
        "all-slow-3s",
        "silent",
        by_proxies(_each_slow(1.5)),
        r"all .*brokers .* ms",
        _SLOW,
        more=("--deadline", "60s"),
        why=_PATIENCE,
    ),
    Incident("half-open", "later", by_proxies({2: {"open": False}}), r"broker 2\b.*can't be reached", _CUT_OFF),
    Incident("reset", "later", by_proxies({2: {"reset": True}}), r"broker 2\b.*can't be reached", _CUT_OFF),
    Incident(
        "closes-each-connection",
        "later",
        by_proxies({2: {"lose": {"share": 1.0, "closing": 1.0, "seed": "all"}}}),
        r"broker 2\b.*can't be reached",
        _CUT_OFF,
    ),
    Incident(
        "mute-metadata",
        "wrong",
        by_proxies({1: {"hang": [ways.METADATA]}}),
        r"broker 1\b",
        _CUT_OFF,
        ("every-broker-answers",),
    ),
    Incident(
        "advertises-another",
        "wrong",
        _misdirected,
        r"broker 3\b.*leads elsewhere",
        ("broker-address-leads-elsewhere",),
        ("every-broker-answers",),
    ),
    Incident(
        "two-of-three-cut-off",
        "wrong",
        by_proxies({2: {"open": False}, 3: {"open": False}}),
        r"from here broker [23]\b.*can't be reached",
        _CUT_OFF,
    ),
]
