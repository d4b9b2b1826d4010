"""Labs whose brokers clients reach through proxies, where the lab's own part `proxies` does not go: TLS, ZooKeeper."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

import kafka_lab as labs
from kafka_lab import LabState, security, ways
from kafka_lab.parts import security as security_part
from kafka_lab.parts import zookeeper as zookeeper_part
from kafka_lab.state import LabBroker

_NAME: Final = "proxies"


class Proxied(Struct):
    """A lab with its proxies."""

    lab: LabState
    state: ways.State

    def say(self, orders: dict[int, dict[str, Any]]) -> None:
        """Say how the ways to brokers are, by their numbers, in the words of forwarder.py; the others are well."""
        ways.say(self.lab, _NAME, {self.state["ports"][str(number)][0]: order for number, order in orders.items()})

    def behind(self, number: int) -> int:
        """The port of a broker's listener to which its proxy leads."""
        return int(self.state["ports"][str(number)][1])


Settings = Callable[[LabState, LabBroker], dict[str, Any]]


@contextmanager
def _patched(part: Any, state: ways.State, settings: Settings) -> Iterator[None]:
    """Have a part of the lab advertise the proxies, and lead tools to them."""
    prepare, connections, own = part.prepare, part.connections, part.broker_settings

    def prepared(lab: LabState, progress: Any) -> dict[str, Any]:
        state.update(ways.planned(lab))
        made: dict[str, Any] = prepare(lab, progress)
        return made

    def led(lab: LabState, made: Any) -> dict[str, Any]:
        found: dict[str, Any] = connections(lab, made)
        return found | {"kafka": found.get("kafka", {}) | {"bootstrap.servers": ways.bootstrap(state)}}

    part.prepare, part.connections, part.broker_settings = prepared, led, settings
    try:
        yield
    finally:
        part.prepare, part.connections, part.broker_settings = prepare, connections, own


@contextmanager
def _running(name: str, folder: Path, part: Any, state: ways.State, settings: Settings) -> Iterator[Proxied]:
    with _patched(part, state, settings):
        try:
            lab = labs.up(name, home=folder, progress=lambda _: None, with_parts=[part.__name__.rpartition(".")[2]])
            ways.start(lab, state, _NAME)
            yield Proxied(lab, state)
        finally:
            if state.get("process"):
                ways.stop(state)
            labs.down(name, home=folder)


@contextmanager
def tls(folder: Path) -> Iterator[Proxied]:
    """Three brokers whose clients log in by SCRAM over TLS, with the least rights."""
    state: ways.State = {}
    own = security_part.broker_settings

    def settings(lab: LabState, broker: LabBroker) -> dict[str, Any]:
        made = own(lab, broker)
        address = security.address(lab, broker, "CLIENTS")
        shown = state["ports"][str(broker.number)][0]
        state["ports"][str(broker.number)] = [shown, int(address.rpartition(":")[2])]
        led = made["advertised.listeners"].replace(f"CLIENTS://{address}", f"CLIENTS://{security.HOST}:{shown}")
        return made | {"advertised.listeners": led}

    with _running("tls", folder, security_part, state, settings) as made:
        yield made


@contextmanager
def zookeeper(folder: Path) -> Iterator[Proxied]:
    """Three brokers in ZooKeeper mode, in plain text."""
    state: ways.State = {}
    own = zookeeper_part.broker_settings

    def settings(lab: LabState, broker: LabBroker) -> dict[str, Any]:
        shown, behind = state["ports"][str(broker.number)]
        plain = f"PLAINTEXT://{broker.address}"
        return own(lab, broker) | {
            "listeners": f"{plain},PROXIED://127.0.0.1:{behind}",
            "advertised.listeners": f"{plain},PROXIED://127.0.0.1:{shown}",
            "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,PROXIED:PLAINTEXT",
            "inter.broker.listener.name": "PLAINTEXT",
        }

    with _running("zookeeper", folder, zookeeper_part, state, settings) as made:
        yield made


@contextmanager
def kraft(folder: Path) -> Iterator[Proxied]:
    """Three brokers of KRaft, in plain text."""
    try:
        lab = labs.up("kraft", home=folder, progress=lambda _: None, with_parts=["proxies"])
        yield Proxied(lab, lab.parts[_NAME])
    finally:
        labs.down("kraft", home=folder)


SHAPES: Final = {"kraft": kraft, "tls": tls, "zookeeper": zookeeper}
