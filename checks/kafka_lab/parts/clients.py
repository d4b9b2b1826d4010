"""A Java producer and a Java consumer, which show what they measure: an application's view of the cluster."""

from pathlib import Path
from typing import Any, Final

import msgspec

from kafka_lab import processes
from kafka_lab.configuration import logging_file
from kafka_lab.jars import TOOLS, fetch_jars, kafka_jars
from kafka_lab.parts import Progress, jmx
from kafka_lab.ports import free_ports
from kafka_lab.processes import Process
from kafka_lab.state import LabState
from runbook.folders import cache_folder
from runbook.java import find_java

HELP: Final = "a Java producer and a Java consumer of the topic clicks, each with the agents of jmx"
NEEDS: Final = ("jmx",)

_TOPIC = "clicks"
# Ten records of 200 bytes a second, for as long as the lab lives; a second of linger makes batches of them.
_PRODUCER = ["org.apache.kafka.tools.ProducerPerformance", "--topic", _TOPIC, "--num-records", "1000000000"]
_PRODUCER += ["--record-size", "200", "--throughput", "10"]
_PRODUCER += ["--command-property", "linger.ms=1000", "compression.type=zstd", "client.id=clicking"]
_CONSUMER = ["org.apache.kafka.tools.VerifiableConsumer", "--topic", _TOPIC, "--group-id", "counting"]
_CLIENTS: Final = {"producer": _PRODUCER, "consumer": _CONSUMER}


def prepare(lab: LabState, progress: Progress) -> dict[str, Any]:
    """Fetch Kafka's tools.

    Raises:
        LabError: they could not be fetched.
    """
    del lab
    tools = fetch_jars(TOOLS, cache_folder(), progress)
    jars = kafka_jars(cache_folder(), progress)  # the brokers' may be of an older release
    return {
        "jars": str(jars.absolute()),
        "tools": str(tools.absolute()),
        "processes": {},
        "jolokia": {},
        "exporter": {},
    }


def start(lab: LabState, progress: Progress) -> dict[str, Any]:
    """Start both. Does not wait until they have measured anything."""
    progress("Starting a producer and a consumer")
    state = lab.parts["clients"]
    ports = free_ports(2 * len(_CLIENTS))
    for name, tool in _CLIENTS.items():
        state["jolokia"][name], state["exporter"][name] = ports.pop(), ports.pop()
        process = processes.start(
            [*_java(lab, state, name), *tool, "--bootstrap-server", lab.bootstrap],
            output=Path(lab.folder, "logs", f"{name}.out"),
            folder=Path(lab.folder),
        )
        state["processes"][name] = msgspec.to_builtins(process)
        lab.save()
    return state


def _java(lab: LabState, state: dict[str, Any], name: str) -> list[str]:
    return [
        str(find_java()),
        "-Xmx64m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        *jmx.agents(lab, state["jolokia"][name], state["exporter"][name]),
        f"-Dlog4j2.configurationFile={logging_file(lab)}",
        f"-Drunbook.log={Path(lab.folder, 'logs', f'{name}.log')}",
        "-cp",
        f"{state['jars']}/*:{state['tools']}/*",
    ]


def stop(lab: LabState, state: dict[str, Any]) -> None:
    """Stop both."""
    del lab
    for process in state["processes"].values():
        processes.terminate(msgspec.convert(process, Process), patience=0)


def connections(lab: LabState, state: dict[str, Any]) -> dict[str, Any]:
    """The brokers' agents, and those of the clients as applications."""
    offered = jmx.connections(lab, lab.parts["jmx"])
    offered["jolokia"]["applications"] = jmx.agent_addresses(state)
    offered["prometheus"]["applications"] = jmx.pages(state)
    return offered
