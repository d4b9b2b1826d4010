"""A proxy before each broker, by which tools and clients reach it: what goes wrong there leaves the cluster well."""

from typing import Any, Final

from kafka_lab import proxies, ways
from kafka_lab.parts import Progress
from kafka_lab.state import LabBroker, LabState

HELP: Final = "a proxy before each broker, so that what is between us and it can fail alone"
NOT_WITH: Final = ("dr", "security", "hosts", "zookeeper")  # they have listeners of their own, or another place


def prepare(lab: LabState, progress: Progress) -> dict[str, Any]:
    """Choose the ports."""
    del progress
    return ways.planned(lab)


def broker_settings(lab: LabState, broker: LabBroker) -> dict[str, Any]:
    """The listener that its proxy leads to."""
    return ways.listener(lab.parts[proxies.PART], broker, proxies.LISTENER)


def start(lab: LabState, progress: Progress) -> dict[str, Any]:
    """Start the proxies.

    Raises:
        LabError: They take no connections.
    """
    progress("Starting a proxy before each broker")
    ways.start(lab, lab.parts[proxies.PART], proxies.PART)
    return lab.parts[proxies.PART]


def stop(lab: LabState, state: dict[str, Any]) -> None:
    """End them."""
    del lab
    ways.stop(state)


def bring_back(lab: LabState, state: dict[str, Any]) -> None:
    """Start them again where they were lost.

    Raises:
        LabError: They take no connections.
    """
    ways.start(lab, state, proxies.PART)


def connections(lab: LabState, state: dict[str, Any]) -> dict[str, Any]:
    """The cluster, by way of the proxies."""
    del lab
    return {"kafka": {"bootstrap.servers": ways.bootstrap(state)}}
