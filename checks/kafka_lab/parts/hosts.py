"""A Linux host for each broker of the lab, reached over SSH, with the broker running in it."""

import os
import resource
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import msgspec

from kafka_lab import hosts
from kafka_lab.errors import LabError
from kafka_lab.hosts import Machine
from kafka_lab.hosts.machine import make_key
from kafka_lab.hosts.plan import USERS
from kafka_lab.ports import free_ports
from kafka_lab.processes import Process
from kafka_lab.state import LabBroker, LabState

HELP: Final = "a Linux host for each broker, reached over SSH, with its own processes, files and kernel settings"

_NAME = "hosts"
_WANTED_FILES = 100_000  # what the runbook asks for; a machine that allows less gives what it allows


def lacking() -> str:
    """Say why it can't run on this machine; "" if it can."""
    return hosts.lacking()


def prepare(lab: LabState, progress: Callable[[str], None]) -> dict[str, Any]:
    """Start a host for each broker, in which it will run."""
    folder = _folder(lab)
    folder.mkdir(exist_ok=True)
    folder.chmod(0o755)
    progress(f"Starting {len(lab.brokers)} hosts")
    plans = [
        hosts.plan(broker.number, port, folder, [Path(lab.folder)])
        for broker, port in zip(lab.brokers, free_ports(len(lab.brokers)), strict=True)
    ]
    for plan in plans:
        plan.readable = [lab.jars]
    machines = hosts.start(plans, make_key(folder / "key"))
    (folder / "known_hosts").write_text(
        "".join(f"{machine.known_hosts_line}\n" for machine in machines), encoding="utf-8"
    )
    (folder / "ssh_config").touch()
    return {"machines": msgspec.to_builtins(machines)}


def launch(lab: LabState, broker: LabBroker, command: list[str], output: Path) -> Process:
    """Start a broker in its host, as the host's user kafka."""
    # What other parts have written for brokers may hold passwords, and is for its owner alone.
    for folder in (lab.data_of(broker), lab.log_of(broker).parent, Path(lab.folder, "config")):
        folder.mkdir(parents=True, exist_ok=True)
        _hand_over(folder)
    allowed = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    files = _WANTED_FILES if allowed == resource.RLIM_INFINITY else min(_WANTED_FILES, allowed)
    machine = machines_of(lab.parts[_NAME])[broker.number - 1]
    return hosts.start_inside(machine, command, files=files, output=output, folder=Path(lab.folder))


def jvm_options(lab: LabState, broker: LabBroker) -> list[str]:
    """Say on the command line where the broker logs to, as Kafka's own scripts do."""
    return [f"-Dkafka.logs.dir={lab.log_of(broker).parent}"]


def start(lab: LabState, progress: Callable[[str], None]) -> dict[str, Any]:
    """Nothing is left to start: the hosts run since before the brokers."""
    del progress
    return lab.parts[_NAME]


def stop(lab: LabState, state: dict[str, Any]) -> None:
    """End the hosts and whatever still runs in them."""
    for machine in machines_of(state):
        hosts.stop(machine)
    shutil.rmtree(_folder(lab), ignore_errors=True)


def connections(lab: LabState, state: dict[str, Any]) -> dict[str, Any]:
    """How the inventory reaches them."""
    folder = _folder(lab)
    places = {
        machine.plan.name: {"address": machine.plan.address, "port": machine.plan.port, "broker": broker.number}
        for machine, broker in zip(machines_of(state), lab.brokers, strict=True)
    }
    return {
        "ssh": {
            "hosts": places,
            "user": "kafka",
            "identity": str(folder / "key"),
            "agent": False,
            "known_hosts": str(folder / "known_hosts"),
            "config": str(folder / "ssh_config"),
            "folders": [lab.folder],
        }
    }


def host_of(lab: LabState, number: int) -> Machine:
    """The host of a broker.

    Raises:
        LabError: The lab has no hosts.
    """
    state = lab.parts.get(_NAME)
    if not state:
        raise LabError(f"Lab {lab.name} has no hosts: {lab.anew_with(_NAME)}")
    return machines_of(state)[number - 1]


def machines_of(state: dict[str, Any]) -> list[Machine]:
    """The hosts that a state names, one for each broker in their order."""
    return msgspec.convert(state["machines"], list[Machine])


def _folder(lab: LabState) -> Path:
    return Path(lab.folder, "hosts")


def _hand_over(folder: Path) -> None:
    """Give a folder and all in it to the user under whom the brokers of hosts run."""
    user = USERS["kafka"]
    os.chown(folder, user, user)
    for path in folder.rglob("*"):
        os.chown(path, user, user, follow_symlinks=False)
