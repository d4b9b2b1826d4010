"""The proxies before a lab's brokers, as faults use them."""

import math
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from kafka_lab import ways
from kafka_lab.errors import LabError
from kafka_lab.state import LabState

PART: Final = "proxies"
LISTENER: Final = "PROXIED"
SEEN_AFTER: Final = 0.2
"""Seconds until the proxies have read what was said of them: as often as forwarder.py looks."""


def say(lab: LabState, orders: Mapping[int, Mapping[str, Any]]) -> None:
    """Say how the proxies are, by the brokers' numbers, in the words of forwarder.py; those not named are well.

    Raises:
        LabError: The lab has none.
    """
    ways.say(lab, PART, {_ports(lab, number)[0]: dict(order) for number, order in orders.items()})


def lose(lab: LabState, share: float, *, seed: int, closing: float = 0.5, numbers: Iterable[int] | None = None) -> None:
    """Have the proxies lose requests by chance.

    Args:
        lab: the lab.
        share: how many of the requests, from 0 to 1.
        seed: the same one loses the same requests again of the n-th connection to a broker.
        closing: how many of those that are lost end their connection; the others are never answered.
        numbers: the brokers whose requests are lost; all without.

    Raises:
        LabError: The lab has no proxies.
    """
    chosen = [broker.number for broker in lab.brokers] if numbers is None else numbers
    say(lab, {number: {"lose": {"share": share, "closing": closing, "seed": f"{seed} {number}"}} for number in chosen})


def mend(lab: LabState) -> None:
    """Let everything through as it is."""
    say(lab, {})


def behind(lab: LabState, number: int) -> int:
    """The port of a broker's listener to which its proxy leads."""
    return _ports(lab, number)[1]


def answers_after(lab: LabState, number: int, *, within: float, key: int = ways.API_VERSIONS) -> float:
    """The seconds until a request is answered at a broker's proxy: see ways.answers_after."""
    return ways.answers_after(_ports(lab, number)[0], within=within, key=key)


def answered(lab: LabState, number: int, times: int, *, within: float) -> int:
    """How many requests are answered of so many at a broker's proxy, put together and each on its own connection."""

    def ask(_: int) -> float:
        return answers_after(lab, number, within=within)

    with ThreadPoolExecutor(times) as pool:
        return sum(took < math.inf for took in pool.map(ask, range(times)))


def who_answers(lab: LabState, number: int) -> int:
    """The number of the broker that answers when a broker is asked, at its proxy, for its own settings."""
    return ways.who_answers(_ports(lab, number)[0], number)


def _ports(lab: LabState, number: int) -> tuple[int, int]:
    state = lab.parts.get(PART)
    if not state:
        raise LabError(f"Lab {lab.name} has no proxies: {lab.anew_with(PART)}")
    shown, own = state["ports"][str(number)]
    return shown, own
