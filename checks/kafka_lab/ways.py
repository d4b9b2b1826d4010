"""Ways to a lab's brokers that can go wrong while the brokers are well: each leads from a port of its own to a broker.

Each broker gets one more listener, whose advertised port is the way's and not its own: so that clients stay on the ways
for whatever they learn from the cluster.
"""

import json
import math
import re
import socket
import struct
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from kafka_lab import processes
from kafka_lab.errors import LabError
from kafka_lab.places import write_whole
from kafka_lab.ports import free_ports
from kafka_lab.processes import Process
from kafka_lab.state import LabBroker, LabState
from kafka_lab.waiting import wait_until
from runbook.safety.child_process import python_file

API_VERSIONS: Final = 18
METADATA: Final = 3
"""Numbers of requests in Kafka's protocol."""

State = dict[str, Any]
"""What a lab keeps of its ways: `ports`, by broker the way's and its listener's, and the `process` that serves them."""

_PROGRAM = Path(__file__).with_name("forwarder.py")  # run as a file: it needs nothing of this package
_WITHIN = 30.0
_PATIENCE = 10.0
_DESCRIBE_CONFIGS: Final = 32
_BROKER: Final = 4  # the kind of resource
_ANOTHER: Final = re.compile(rb"expected (\d+)")  # in the words of Kafka's refusal


def planned(lab: LabState) -> State:
    """Plan them: for each of the lab's brokers the port of its listener, and the way's."""
    ports = free_ports(2 * len(lab.brokers))
    pairs = {str(broker.number): [ports.pop(), ports.pop()] for broker in lab.brokers}
    return {"ports": pairs, "process": None}


def listener(state: State, broker: LabBroker, name: str) -> dict[str, Any]:
    """The settings that give a broker its listener of this name."""
    shown, own = state["ports"][str(broker.number)]
    plain = f"PLAINTEXT://{broker.address}"
    return {
        "listeners": f"{plain},{name}://127.0.0.1:{own},CONTROLLER://127.0.0.1:{broker.controller_port}",
        "advertised.listeners": f"{plain},{name}://127.0.0.1:{shown}",
        "listener.security.protocol.map": f"PLAINTEXT:PLAINTEXT,{name}:PLAINTEXT,CONTROLLER:PLAINTEXT",
    }


def bootstrap(state: State) -> str:
    """The value of `bootstrap.servers` with which clients come on the ways."""
    return ",".join(f"127.0.0.1:{shown}" for shown, _ in state["ports"].values())


def start(lab: LabState, state: State, name: str) -> None:
    """Start what serves them, unless it runs; returns when they take connections.

    Args:
        lab: the lab.
        state: what it keeps of them.
        name: of their file, and of what the program prints.

    Raises:
        LabError: It does not.
    """
    if processes.condition(_process(state)) == "stopped":
        pairs = [f"{shown}:{own}" for shown, own in state["ports"].values()]
        if not _file(lab, name).exists():
            say(lab, name, {})
        command = python_file(_PROGRAM, str(_file(lab, name)), *pairs)
        process = processes.start(command, output=Path(lab.folder, "logs", f"{name}.out"), folder=Path(lab.folder))
        state["process"] = msgspec.to_builtins(process)
        lab.save()
    wait_until(lambda: _answers(state), f"the {name} of lab {lab.name} to take connections", within=_WITHIN)


def stop(state: State) -> None:
    """End what serves them."""
    processes.terminate(_process(state), patience=0)


def say(lab: LabState, name: str, orders: Mapping[int, Mapping[str, Any]]) -> None:
    """Say how the ways are, by their ports, in the words of forwarder.py; those not named are well."""
    _file(lab, name).parent.mkdir(parents=True, exist_ok=True)
    write_whole(_file(lab, name), json.dumps(orders))


def answers_after(port: int, *, within: float, key: int = API_VERSIONS) -> float:
    """The seconds until a request is answered at a port; infinite where it isn't, within these seconds.

    Args:
        port: of a way, or of a listener.
        within: seconds to wait.
        key: of the request, ApiVersions or Metadata.
    """
    began = time.monotonic()
    try:
        # Of Metadata version 1, which names no topic; of ApiVersions version 0, which any broker answers to anybody.
        _asked(port, key, 1 if key == METADATA else 0, struct.pack(">i", 0) if key == METADATA else b"", within)
    except OSError:
        return math.inf
    return time.monotonic() - began


def who_answers(port: int, number: int) -> int:
    """The number of the broker that answers at a port when the broker of this number is asked for its own settings.

    Raises:
        LabError: Nobody answers.
    """
    name = str(number).encode()
    # One resource; -1 is all of its settings, and the last byte says that their synonyms are not wanted.
    body = struct.pack(f">ibh{len(name)}sib", 1, _BROKER, len(name), name, -1, 0)
    try:
        answer = _asked(port, _DESCRIBE_CONFIGS, 1, body, _PATIENCE)
    except OSError as error:
        raise LabError(f"Nobody answers at 127.0.0.1:{port}: {error}") from error
    refused = _ANOTHER.search(answer)
    return int(refused[1]) if refused else number


def _asked(port: int, key: int, version: int, body: bytes, within: float) -> bytes:
    """The first part of an answer, up to 64 KiB."""
    request = struct.pack(">hhih", key, version, 1, -1) + body  # the number of the request, and no client's name
    with socket.create_connection(("127.0.0.1", port), timeout=within) as connection:
        connection.sendall(struct.pack(">i", len(request)) + request)
        if answer := connection.recv(1 << 16):
            return answer
    raise ConnectionError("it closed the connection")


def _file(lab: LabState, name: str) -> Path:
    return Path(lab.folder, "config", f"{name}.json")


def _process(state: State) -> Process | None:
    return msgspec.convert(state["process"], Process | None)


def _answers(state: State) -> bool:
    for shown, _ in state["ports"].values():
        with socket.socket() as tried:
            tried.settimeout(1)
            if tried.connect_ex(("127.0.0.1", shown)) != 0:
                return False
    return True
