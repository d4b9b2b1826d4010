"""The proxies before a lab's brokers, as faults use them."""

from collections.abc import Mapping
from typing import Any, Final

from runbook.lab import ways
from runbook.lab.errors import LabError
from runbook.lab.state import LabState

PART: Final = "proxies"
LISTENER: Final = "PROXIED"


def say(lab: LabState, told: Mapping[int, Mapping[str, Any]]) -> None:
    """Say how the proxies are, by the brokers' numbers, in the words of forwarder.py; those not named are well.

    Raises:
        LabError: The lab has none.
    """
    ways.say(lab, PART, {_ports(lab, number)[0]: dict(one) for number, one in told.items()})


def mend(lab: LabState) -> None:
    """Let everything through as it is."""
    say(lab, {})


def behind(lab: LabState, number: int) -> int:
    """The port of a broker's listener to which its proxy leads."""
    return _ports(lab, number)[1]


def answers_after(lab: LabState, number: int, *, within: float, key: int = ways.API_VERSIONS) -> float:
    """The seconds until a request is answered at a broker's proxy: see ways.answers_after."""
    return ways.answers_after(_ports(lab, number)[0], within=within, key=key)


def who_answers(lab: LabState, number: int) -> int:
    """The number of the broker that answers when a broker is asked, at its proxy, for its own settings."""
    return ways.who_answers(_ports(lab, number)[0], number)


def _ports(lab: LabState, number: int) -> tuple[int, int]:
    state = lab.parts.get(PART)
    if not state:
        raise LabError(f"Lab {lab.name} has no proxies: start one with runbook lab up --with {PART}")
    shown, own = state["ports"][str(number)]
    return shown, own
