"""What clients push to brokers (KIP-714): a receiver in the broker, a subscription, and a Java consumer that pushes.

Kafka comes with no receiver, so this one is compiled from its source beside this file. It shows what came as a page for
Prometheus, as a collector would. There is one broker, as a client pushes to any of them.
"""

import shutil
from pathlib import Path
from typing import Any, Final

import msgspec

from kafka_lab import http, processes
from kafka_lab.brokers import run_tool
from kafka_lab.configuration import logging_file
from kafka_lab.errors import LabError
from kafka_lab.jars import TOOLS, fetch_jars, kafka_jars
from kafka_lab.parts import Progress
from kafka_lab.ports import free_ports
from kafka_lab.processes import Process
from kafka_lab.state import LabBroker, LabState
from kafka_lab.waiting import wait_until
from runbook.folders import cache_folder
from runbook.java import find_java
from runbook.safety.child_process import finish_text

HELP: Final = "a broker that takes what clients push (KIP-714), a subscription, and a Java consumer that pushes"
NEEDS: Final = ("development",)
NOT_WITH: Final = ("jmx",)

SUBSCRIPTION: Final = "consumers"
_SOURCE: Final = Path(__file__).with_name("PushedMetrics.java")
_TOPIC: Final = "clicks"
_INTERVAL: Final = 5000  # milliseconds; brokers take 100 at the least
_WITHIN: Final = 120.0
_METRICS: Final = ",".join(
    f"org.apache.kafka.consumer.{name}"
    for name in (
        "poll.idle.ratio",
        "time.between.poll",
        "coordinator.rebalance",
        "coordinator.failed.rebalance",
        "coordinator.commit",
        "fetch.manager.fetch",
        "fetch.manager.records",
    )
)
_CONSUMER: Final = ["org.apache.kafka.tools.VerifiableConsumer", "--topic", _TOPIC, "--group-id", "counting"]


def lacking() -> str:
    """Why nothing can be compiled on this machine."""
    return "" if shutil.which("javac") else "there is no javac on the PATH: a JDK is needed, where a JRE is not enough"


def prepare(lab: LabState, progress: Progress) -> dict[str, Any]:
    """Fetch Kafka's tools, and compile the receiver.

    Raises:
        LabError: one of the two failed.
    """
    tools = fetch_jars(TOOLS, cache_folder(), progress)
    jars = kafka_jars(cache_folder(), progress)
    classes = Path(lab.folder, "telemetry")
    classes.mkdir(parents=True, exist_ok=True)
    command = ["javac", "-nowarn", "-d", str(classes), "-cp", f"{jars}/*", str(_SOURCE)]
    done = finish_text(command, patience=_WITHIN)
    if done.returncode != 0:
        raise LabError(f"the receiver of metrics could not be compiled: {done.stderr.strip()[-400:]}")
    [port] = free_ports(1)
    return {
        "jars": str(jars.absolute()),
        "tools": str(tools.absolute()),
        "classes": str(classes),
        "port": port,
        "process": None,
    }


def class_path(lab: LabState) -> list[str]:
    """Where brokers find the receiver."""
    return [lab.parts["telemetry"]["classes"]]


def broker_settings(lab: LabState, broker: LabBroker) -> dict[str, Any]:
    """The receiver, and where it shows what came."""
    del broker
    return {"metric.reporters": "PushedMetrics", "pushed.metrics.port": lab.parts["telemetry"]["port"]}


def start(lab: LabState, progress: Progress) -> dict[str, Any]:
    """Make the subscription and start the consumer; return when something has been pushed.

    Raises:
        LabError: nothing was.
    """
    progress("Starting a consumer that pushes what it measures")
    state = lab.parts["telemetry"]
    subscribe(lab)
    java = [str(find_java()), "-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
    java += [
        f"-Dlog4j2.configurationFile={logging_file(lab)}",
        f"-Drunbook.log={Path(lab.folder, 'logs', 'pushing.log')}",
    ]
    classes = ["-cp", f"{state['jars']}/*:{state['tools']}/*"]
    process = processes.start(
        [*java, *classes, *_CONSUMER, "--bootstrap-server", lab.bootstrap],
        output=Path(lab.folder, "logs", "pushing.out"),
        folder=Path(lab.folder),
    )
    state["process"] = msgspec.to_builtins(process)
    lab.save()
    wait_until(lambda: bool(pushed(lab)), "a consumer to push what it measures", within=_WITHIN)
    return state


def subscribe(lab: LabState, *, asked: bool = True) -> None:
    """Make the subscription, or take it away.

    Raises:
        LabError: the broker refused.
    """
    settings = {"interval.ms": str(_INTERVAL), "metrics": f"[{_METRICS}]"}
    change = ["--add-config", ",".join(f"{name}={value}" for name, value in settings.items())]
    if not asked:
        change = ["--delete-config", ",".join(settings)]
    whose = ["--entity-type", "client-metrics", "--entity-name", SUBSCRIPTION]
    run_tool(lab, "kafka.admin.ConfigCommand", ["--bootstrap-server", lab.bootstrap, "--alter", *whose, *change])


def pushed(lab: LabState) -> str:
    """What was pushed last, as the page says.

    Raises:
        LabError: the broker does not answer.
    """
    return http.page(_page(lab.parts["telemetry"]), within=5)


def stop(lab: LabState, state: dict[str, Any]) -> None:
    """Stop the consumer."""
    del lab
    if state["process"] is not None:
        processes.terminate(msgspec.convert(state["process"], Process), patience=0)


def connections(lab: LabState, state: dict[str, Any]) -> dict[str, Any]:
    """The page, as that of an application: what stands there is the clients' own."""
    del lab
    return {"prometheus": {"scrape": {}, "applications": {"pushed": _page(state)}}}


def _page(state: dict[str, Any]) -> str:
    return f"http://127.0.0.1:{state['port']}/metrics"
