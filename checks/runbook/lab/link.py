"""The link over which the standby site of a lab reaches the primary's brokers: it can be cut, slowed down and mended.

Each of the primary's brokers has a listener LINK whose advertised port is the link's, not its own: so that clients of
the other site stay on the link for whatever they learn from the cluster.
"""

import json
import math
import socket
import struct
import sys
import time
from pathlib import Path
from typing import Any, Final

import msgspec

from runbook.lab import processes
from runbook.lab.errors import LabError
from runbook.lab.places import write_whole
from runbook.lab.ports import free_ports
from runbook.lab.processes import Process
from runbook.lab.state import Broker, LabState
from runbook.lab.waiting import wait_until

PART: Final = "dr"
LISTENER: Final = "LINK"
_PROGRAM = Path(__file__).with_name("forwarder.py")  # run as a file: it needs nothing of this package
_WITHIN = 30.0
_WHICH_VERSIONS = struct.pack(">ihhih", 10, 18, 0, 1, -1)
"""Kafka's request ApiVersions v0, which any broker answers to anybody: its length, key, version, number, no client."""


def planned(lab: LabState) -> dict[str, Any]:
    """Plan the link: for each of the lab's brokers the port of its listener, and the link's."""
    ports = free_ports(2 * len(lab.brokers))
    pairs = {str(broker.number): [ports.pop(), ports.pop()] for broker in lab.brokers}
    return {"ports": pairs, "process": None}


def listener(lab: LabState, broker: Broker) -> dict[str, Any]:
    """The settings that give a broker of the primary its listener for the link."""
    shown, own = _state(lab)["ports"][str(broker.number)]
    plain = f"PLAINTEXT://{broker.address}"
    return {
        "listeners": f"{plain},{LISTENER}://127.0.0.1:{own},CONTROLLER://127.0.0.1:{broker.controller_port}",
        "advertised.listeners": f"{plain},{LISTENER}://127.0.0.1:{shown}",
        "listener.security.protocol.map": f"PLAINTEXT:PLAINTEXT,{LISTENER}:PLAINTEXT,CONTROLLER:PLAINTEXT",
    }


def bootstrap(lab: LabState) -> str:
    """The value of `bootstrap.servers` with which the other site reaches the primary."""
    return ",".join(f"127.0.0.1:{shown}" for shown, _ in _state(lab)["ports"].values())


def start(lab: LabState) -> None:
    """Start it, unless it runs; returns when it takes connections.

    Raises:
        LabError: It does not.
    """
    state = _state(lab)
    if processes.condition(_process(state)) == "stopped":
        pairs = [f"{shown}:{own}" for shown, own in state["ports"].values()]
        if not _file(lab).exists():
            _say(lab)
        command = [sys.executable, "-I", str(_PROGRAM), str(_file(lab)), *pairs]
        process = processes.start(command, output=Path(lab.folder, "logs", "link.out"), folder=Path(lab.folder))
        state["process"] = msgspec.to_builtins(process)
        lab.save()
    wait_until(lambda: _answers(state), f"the link of lab {lab.name} to take connections", within=_WITHIN)


def stop(state: dict[str, Any]) -> None:
    """End it."""
    processes.terminate(_process(state), patience=0)


def cut(lab: LabState) -> None:
    """Let nothing through any more: connections stay open, and silent."""
    _say(lab, passable=False)


def slow(lab: LabState, delay: float) -> None:
    """Let everything through, each piece `delay` seconds late, either way."""
    _say(lab, delay=delay)


def mend(lab: LabState) -> None:
    """Let everything through at once, as before."""
    _say(lab)


def answers_after(lab: LabState, *, within: float) -> float:
    """The seconds until a broker answers a request over the link; infinite where it doesn't, within these seconds."""
    shown = next(iter(_state(lab)["ports"].values()))[0]
    began = time.monotonic()
    try:
        with socket.create_connection(("127.0.0.1", shown), timeout=within) as asked:
            asked.sendall(_WHICH_VERSIONS)
            answered = bool(asked.recv(1))
    except OSError:
        return math.inf
    return time.monotonic() - began if answered else math.inf


def _say(lab: LabState, *, passable: bool = True, delay: float = 0.0) -> None:
    write_whole(_file(lab), json.dumps({"open": passable, "delay": delay}))


def _file(lab: LabState) -> Path:
    return Path(lab.folder, "config", "link.json")


def _state(lab: LabState) -> dict[str, Any]:
    state: dict[str, Any] | None = lab.parts.get(PART)
    if not state:
        raise LabError(f"Lab {lab.name} has no standby: start one with runbook lab up --with {PART}")
    link: dict[str, Any] = state["link"]
    return link


def _process(state: dict[str, Any]) -> Process | None:
    return msgspec.convert(state["process"], Process | None)


def _answers(state: dict[str, Any]) -> bool:
    for shown, _ in state["ports"].values():
        with socket.socket() as tried:
            tried.settimeout(1)
            if tried.connect_ex(("127.0.0.1", shown)) != 0:
                return False
    return True
