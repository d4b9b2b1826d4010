"""Leads the address of broker 3 to broker 1, as a wrong advertised.listeners or port rule does (with proxies)."""

from collections.abc import Mapping

from kafka_lab import proxies
from kafka_lab.state import LabState
from kafka_lab.waiting import wait_until

_NUMBER = 3
_ANOTHER = 1


def inject(lab: LabState) -> None:
    """Lead it there, and wait until the other one answers."""
    proxies.say(lab, {_NUMBER: {"target": proxies.behind(lab, _ANOTHER)}})
    wait_until(lambda: all(evident(lab).values()), "the address to lead elsewhere", within=30)


def heal(lab: LabState) -> None:
    """Lead it back."""
    proxies.mend(lab)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether who is asked there as the one broker refuses as the other."""
    who = proxies.who_answers(lab, _NUMBER)
    return {f"broker {_ANOTHER} answers at the address of broker {_NUMBER}": who == _ANOTHER}
