"""Advertises broker 3 under a name that does not resolve, as a typo in advertised.listeners does."""

from collections.abc import Mapping
from typing import Final

from kafka_lab.admin import metadata
from kafka_lab.brokers import start
from kafka_lab.configuration import properties_file, write_configuration
from kafka_lab.processes import terminate
from kafka_lab.recovery import wait_for_loss
from kafka_lab.state import LabState
from kafka_lab.waiting import wait_for_brokers, wait_until_all_see

_NUMBER: Final = 3
_NAME: Final = "broker-3.invalid"  # RFC 6761: no name ends so
_WITHIN: Final = 180.0


def inject(lab: LabState) -> None:
    """Restart it with that name, and wait until its brokers tell it."""
    _restart(lab, f"advertised.listeners=PLAINTEXT://{_NAME}:{lab.broker(_NUMBER).port}\n")
    wait_until_all_see(lab, lambda seen: _told(seen) == _NAME, "the name to be told", within=_WITHIN)


def heal(lab: LabState) -> None:
    """Restart it with its address."""
    _restart(lab, "")
    wait_until_all_see(lab, lambda seen: _told(seen) not in ("", _NAME), "its address to be told", within=_WITHIN)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether its cluster tells that name."""
    return {f"broker {_NUMBER} is advertised as {_NAME}": _told(metadata(lab, lab.bootstrap)) == _NAME}


def _restart(lab: LabState, more: str) -> None:
    broker = lab.broker(_NUMBER)
    terminate(broker.process, patience=8)
    wait_for_loss(lab, {_NUMBER})
    write_configuration(lab, broker)
    with properties_file(lab, broker).open("a", encoding="utf-8") as file:
        file.write(more)  # the last value of a name holds
    start(lab, broker)
    wait_for_brokers(lab)


def _told(seen: object) -> str:
    """The host that brokers tell of it; "" where they do not list it."""
    found = seen.brokers.get(_NUMBER)  # type: ignore[attr-defined]  # confluent_kafka's ClusterMetadata
    return found.host if found else ""
