"""How a lab's brokers are formatted and started, and what they said last."""

import os
import shutil
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from kafka_lab import parts, processes
from kafka_lab.configuration import controllers, logging_file, properties_file, settings_of, write_configuration
from kafka_lab.errors import LabError
from kafka_lab.state import LabBroker, LabState
from runbook.java import find_java
from runbook.safety import child_process

_FORMAT_WITHIN = 180.0  # seconds; six on an idle machine
_TOOL_WITHIN = 120.0
_LAST_LINES = 15


def format_all(lab: LabState) -> None:
    """Give every broker its empty data folder, formatted for the lab's cluster.

    Where settings name `controller.quorum.voters` the quorum is static, and no voter stands in the metadata.

    Raises:
        LabError: Kafka's storage tool refused or did not end.
    """
    for broker in lab.brokers:
        shutil.rmtree(lab.data_of(broker), ignore_errors=True)
        write_configuration(lab, broker)
    voting = controllers(lab)
    if not voting:
        return  # in ZooKeeper mode a broker does it by itself
    voters = ",".join(f"{broker.number}@127.0.0.1:{broker.controller_port}:{broker.directory_id}" for broker in voting)
    tools = []
    for broker in lab.brokers:
        is_static = settings_of(lab, broker).get("controller.quorum.voters")
        arguments = [
            *("format", "-t", lab.cluster_id, "-c", str(properties_file(lab, broker))),
            *(() if is_static else ("--initial-controllers", voters)),
        ]
        command = [*_java(lab, broker, {}), "kafka.tools.StorageTool", *arguments]
        tools.append(child_process.start(command, stdout=child_process.PIPE, stderr=child_process.STDOUT))
    with ExitStack() as stack:
        for tool in tools:
            stack.enter_context(tool)
            stack.callback(tool.kill)
        for tool in tools:
            try:
                said, _ = tool.communicate(timeout=_FORMAT_WITHIN)
            except child_process.TookTooLong as error:
                raise LabError(
                    f"Kafka's storage tool did not end in {_FORMAT_WITHIN:.0f} s: is the machine busy?"
                ) from error
            if tool.returncode != 0:
                why = said.decode(errors="replace").strip()[-600:]
                raise LabError(f"Kafka could not format a broker's data folder below {lab.folder}: {why}")


def start(lab: LabState, broker: LabBroker, variables: Mapping[str, Sequence[str]] | None = None) -> None:
    """Start a formatted broker and note its process in the lab's state. Does not wait until it answers.

    Args:
        lab: the lab.
        broker: one of its brokers.
        variables: options in place of the lab's own, by the variable of the environment from which Kafka's start
            script takes them: KAFKA_GC_LOG_OPTS, KAFKA_HEAP_OPTS, KAFKA_JVM_PERFORMANCE_OPTS, KAFKA_LOG4J_OPTS.
    """
    variables = variables or {}
    logging = variables.get("KAFKA_GC_LOG_OPTS", [_gc_logging(lab, broker)])
    java, *rest = _java(lab, broker, variables)
    options = [*logging, *parts.jvm_options(lab, broker), *rest]
    command = [java, *options, "kafka.Kafka", str(properties_file(lab, broker))]
    output = lab.log_of(broker).with_suffix(".out")
    elsewhere = parts.launch(lab, broker, command, output)
    broker.process = elsewhere or processes.start(command, output=output, folder=Path(lab.folder))
    lab.save()


def last_words(lab: LabState, broker: LabBroker) -> str:
    """Give the end of what the broker wrote, to say why it died."""
    lines = []
    for file in (lab.log_of(broker), lab.log_of(broker).with_suffix(".out")):
        if file.exists():
            lines += file.read_text(errors="replace").splitlines()[-_LAST_LINES:]
    return "\n".join(lines) or "it wrote nothing"


def run_tool(lab: LabState, tool: str, arguments: list[str]) -> str:
    """Run one of Kafka's own command line tools against the lab; gives what it prints.

    Args:
        lab: The lab.
        tool: Its Java class.
        arguments: What follows the class.

    Raises:
        LabError: It failed, or did not end in 30 s.
    """
    command = [
        str(find_java()),
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-cp",
        f"{lab.jars}/*",
        tool,
        *arguments,
    ]
    return finished(command, tool)


def finished(command: list[str], tool: str) -> str:
    """Run the command of a tool to its end; gives what it prints.

    Raises:
        LabError: It failed, or did not end in 30 s.
    """
    try:
        done = child_process.finish_text(command, patience=_TOOL_WITHIN)
    except child_process.TookTooLong as error:
        raise LabError(f"{tool} did not end in {_TOOL_WITHIN:.0f} s") from error
    if done.returncode != 0:
        raise LabError(f"{tool} failed: {(done.stdout + done.stderr).strip()[-400:]}")
    return done.stdout


def _gc_logging(lab: LabState, broker: LabBroker) -> str:
    """As a production broker logs its collections and safepoints, in rotated files."""
    return f"-Xlog:gc*,safepoint:file={lab.gc_log_of(broker)}:time,uptime,level,tags:filecount=3,filesize=10M"


def _java(lab: LabState, broker: LabBroker, variables: Mapping[str, Sequence[str]]) -> list[str]:
    # Measured: 3 brokers of 256 MB answer within seconds on 2 cores and hold about 330 MB each. Thousands of
    # partitions need more.
    usual = {
        "KAFKA_HEAP_OPTS": [f"-Xmx{os.environ.get('RUNBOOK_LAB_HEAP', '256m')}"],
        "KAFKA_JVM_PERFORMANCE_OPTS": ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:+ExitOnOutOfMemoryError"],
        "KAFKA_LOG4J_OPTS": [f"-Dlog4j2.configurationFile={logging_file(lab)}"],
    }
    return [
        str(find_java()),
        *(option for name, options in usual.items() for option in variables.get(name, options)),
        f"-Drunbook.log={lab.log_of(broker)}",
        "-cp",
        ":".join([f"{lab.jars}/*", *parts.class_path(lab)]),
    ]
