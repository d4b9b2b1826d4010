"""The link over which the standby site of a lab reaches the primary's brokers: it can be cut, slowed and mended."""

from typing import Any, Final

from kafka_lab import ways
from kafka_lab.errors import LabError
from kafka_lab.state import LabBroker, LabState

PART: Final = "dr"
LISTENER: Final = "LINK"
_NAME: Final = "link"


def planned(lab: LabState) -> dict[str, Any]:
    """Plan the link: a way to each of the primary's brokers."""
    return ways.planned(lab)


def listener(lab: LabState, broker: LabBroker) -> dict[str, Any]:
    """The settings that give a broker of the primary its listener for the link."""
    return ways.listener(_state(lab), broker, LISTENER)


def bootstrap(lab: LabState) -> str:
    """The value of `bootstrap.servers` with which the other site reaches the primary."""
    return ways.bootstrap(_state(lab))


def start(lab: LabState) -> None:
    """Start it, unless it runs; returns when it takes connections.

    Raises:
        LabError: It does not.
    """
    ways.start(lab, _state(lab), _NAME)


def stop(state: dict[str, Any]) -> None:
    """End it."""
    ways.stop(state)


def cut(lab: LabState) -> None:
    """Let nothing through any more: connections stay open, and silent."""
    _say(lab, open=False)


def slow(lab: LabState, delay: float) -> None:
    """Let everything through, each piece `delay` seconds late, either way."""
    _say(lab, delay=delay)


def mend(lab: LabState) -> None:
    """Let everything through at once, as before."""
    _say(lab)


def answers_after(lab: LabState, *, within: float) -> float:
    """The seconds until a broker answers a request over the link; infinite where it doesn't, within these seconds."""
    return ways.answers_after(next(iter(_state(lab)["ports"].values()))[0], within=within)


def _say(lab: LabState, **orders: Any) -> None:
    ways.say(lab, _NAME, {shown: orders for shown, _ in _state(lab)["ports"].values()})


def _state(lab: LabState) -> dict[str, Any]:
    state: dict[str, Any] | None = lab.parts.get(PART)
    if not state:
        raise LabError(f"Lab {lab.name} has no standby: {lab.anew_with(PART)}")
    link: dict[str, Any] = state["link"]
    return link
