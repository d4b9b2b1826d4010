"""Kafka Connect: two workers with a source and a sink, which has a queue for dead letters."""

from typing import Any, Final

from kafka_lab import connect, processes
from kafka_lab.content import create_topics
from kafka_lab.jars import KAFKA_VERSION, LOGGING, Jar, Wanted, fetch_jars
from kafka_lab.parts import Progress, jmx
from kafka_lab.ports import free_ports
from kafka_lab.state import LabState
from runbook.folders import cache_folder

HELP: Final = "two workers of Kafka Connect with a source, a sink and a queue for dead letters"

_CONNECT = Wanted(
    f"Kafka Connect {KAFKA_VERSION}",
    f"connect-{KAFKA_VERSION}",
    "35 MB",
    (
        Jar("org.apache.kafka", "connect-runtime", KAFKA_VERSION),
        Jar("org.apache.kafka", "connect-file", KAFKA_VERSION),
        LOGGING,
    ),
)
_HEAP = "176m"  # 16 of them for the agent
_SAFE = {"min.insync.replicas": "2"}
_OF_LETTERS = {"retention.ms": str(30 * 86_400_000), "message.timestamp.type": "LogAppendTime"}


def prepare(lab: LabState, progress: Progress) -> dict[str, Any]:
    """Fetch Connect.

    Raises:
        LabError: It could not be fetched.
    """
    del lab
    return {"jars": str(fetch_jars(_CONNECT, cache_folder(), progress).absolute()), "workers": []}


def start(lab: LabState, progress: Progress) -> dict[str, Any]:
    """Start the workers and give them their connectors; returns when records come through.

    Raises:
        LabError: They did not come up.
    """
    workers = connect.planned()
    progress(f"Starting {len(workers)} workers of Kafka Connect")
    create_topics(lab, {connect.TOPIC: (3, 3, _SAFE), connect.DEAD_LETTERS: (1, 3, _SAFE | _OF_LETTERS)})
    if jmx.PART in lab.parts:
        ports = free_ports(connect.COUNT)
        lab.parts[connect.PART]["jolokia"] = ports
        for worker, port in zip(workers, ports, strict=True):
            worker.options = [f"-Xmx{_HEAP}", jmx.jolokia_agent(lab.parts[jmx.PART]["jars"], port)]
    for worker in workers:
        connect.start(lab, worker)
        connect.note(lab, workers)
    connect.wait_for_workers(lab, workers)
    connect.give_connectors(lab)
    return lab.parts[connect.PART]


def stop(lab: LabState, state: dict[str, Any]) -> None:
    """End the workers; their files go with the lab's data."""
    if state.get("workers"):
        for worker in connect.workers_of(lab):
            processes.terminate(worker.process, patience=0)


def connections(lab: LabState, state: dict[str, Any]) -> dict[str, Any]:
    """Where the workers are, and the agents in them."""
    workers = connect.workers_of(lab)
    offered: dict[str, Any] = {"connect": {"workers": {worker.name: worker.url for worker in workers}}}
    if "jolokia" in state:
        ports = zip(workers, state["jolokia"], strict=True)
        addresses = {worker.name: f"http://127.0.0.1:{port}/jolokia" for worker, port in ports}
        offered["jolokia"] = {"applications": addresses}
    return offered


def environment(lab: LabState, state: dict[str, Any]) -> dict[str, Any]:
    """What only the environment knows: which topic needs dead letters, that somebody looks at them, and who may."""
    del lab
    if "group" in state:
        return {}  # workers that mirror have neither
    return {
        "may_read": [connect.DEAD_LETTERS],
        "params": {
            "error-handling/sources-have-dead-letter-topics": {"sources": [connect.TOPIC]},
            "error-handling/dead-letters-are-watched": {"alerted": [connect.DEAD_LETTERS]},
        },
    }
