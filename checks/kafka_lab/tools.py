"""Kafka's command line tools under the names of the scripts that people type."""

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Final

from kafka_lab import connect, link, mirrors
from kafka_lab.brokers import finished
from kafka_lab.jars import KAFKA_VERSION, TOOLS, fetch_jars, kafka_jars
from kafka_lab.places import write_whole
from kafka_lab.state import LabState
from runbook.folders import cache_folder
from runbook.java import find_java

FOLDER: Final = "tools"
"""Where a lab's own folder has them."""

CLASSES: Final = {
    "kafka-acls.sh": "org.apache.kafka.tools.AclCommand",
    "kafka-broker-api-versions.sh": "org.apache.kafka.tools.BrokerApiVersionsCommand",
    "kafka-client-metrics.sh": "org.apache.kafka.tools.ClientMetricsCommand",
    "kafka-cluster.sh": "org.apache.kafka.tools.ClusterTool",
    "kafka-configs.sh": "kafka.admin.ConfigCommand",
    "kafka-console-consumer.sh": "org.apache.kafka.tools.consumer.ConsoleConsumer",
    "kafka-console-producer.sh": "org.apache.kafka.tools.ConsoleProducer",
    "kafka-consumer-groups.sh": "org.apache.kafka.tools.consumer.group.ConsumerGroupCommand",
    "kafka-delegation-tokens.sh": "org.apache.kafka.tools.DelegationTokenCommand",
    "kafka-delete-records.sh": "org.apache.kafka.tools.DeleteRecordsCommand",
    "kafka-consumer-perf-test.sh": "org.apache.kafka.tools.ConsumerPerformance",
    "kafka-dump-log.sh": "org.apache.kafka.tools.DumpLogSegments",
    "kafka-features.sh": "org.apache.kafka.tools.FeatureCommand",
    "kafka-get-offsets.sh": "org.apache.kafka.tools.GetOffsetShell",
    "kafka-groups.sh": "org.apache.kafka.tools.GroupsCommand",
    "kafka-leader-election.sh": "org.apache.kafka.tools.LeaderElectionCommand",
    "kafka-log-dirs.sh": "org.apache.kafka.tools.LogDirsCommand",
    "kafka-metadata-quorum.sh": "org.apache.kafka.tools.MetadataQuorumCommand",
    "kafka-producer-perf-test.sh": "org.apache.kafka.tools.ProducerPerformance",
    "kafka-reassign-partitions.sh": "org.apache.kafka.tools.reassign.ReassignPartitionsCommand",
    "kafka-run-class.sh": "",
    "kafka-share-groups.sh": "org.apache.kafka.tools.consumer.group.ShareGroupCommand",
    "kafka-storage.sh": "kafka.tools.StorageTool",
    "kafka-streams-application-reset.sh": "org.apache.kafka.tools.StreamsResetter",
    "kafka-streams-groups.sh": "org.apache.kafka.tools.streams.StreamsGroupCommand",
    "kafka-topics.sh": "org.apache.kafka.tools.TopicCommand",
    "kafka-transactions.sh": "org.apache.kafka.tools.TransactionsCommand",
}
"""What Kafka's scripts start; nothing where that is the first word that follows."""

_LOGGING = """\
appender.told.type=Console
appender.told.name=told
appender.told.target=SYSTEM_ERR
appender.told.layout.type=PatternLayout
appender.told.layout.pattern=[%d] %p %m (%c)%n
rootLogger.level=warn
rootLogger.appenderRef.told.ref=told
"""
"""What Kafka's own scripts set: what tools log is no part of what they print."""


def _tell_nobody(text: str) -> None:
    """Progress that nobody waits for."""
    del text


def class_path(lab: LabState, progress: Callable[[str], None] = _tell_nobody) -> str:
    """Where Java finds the tools: those of the newest release, which speak to older brokers too.

    Raises:
        LabError: They could not be fetched.
    """
    jars = lab.jars if lab.kafka == KAFKA_VERSION else kafka_jars(cache_folder(), progress)
    return f"{jars}/*:{fetch_jars(TOOLS, cache_folder(), progress)}/*"


def java_of(lab: LabState, tool: str) -> list[str]:
    """The command that a script would start.

    Raises:
        LabError: The tools could not be fetched.
    """
    return [*_java(class_path(lab)), *_class_of(tool)]


def run(lab: LabState, tool: str, *arguments: str) -> str:
    """Run one of Kafka's command line tools, by its script's name; gives what it prints.

    Raises:
        LabError: It failed, or did not end in 30 s.
    """
    return finished([*java_of(lab, tool), *arguments], tool)


def _java(path: str) -> list[str]:
    return [str(find_java()), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", path]


def _class_of(tool: str) -> list[str]:
    return [CLASSES[tool]] if CLASSES[tool] else []


def write_tools(lab: LabState, folder: Path, progress: Callable[[str], None] = _tell_nobody) -> Path:
    """Write all scripts into a folder, for PATH; those that are there already are written anew.

    A lab of two sites gets Kafka's script for a worker of Connect, too, with MirrorMaker's connectors.

    Raises:
        LabError: The tools could not be fetched, or the folder can't be written to.
    """
    folder = folder.absolute()
    logging = folder / "tools-log4j2.properties"
    write_whole(logging, _LOGGING)
    path = class_path(lab, progress)
    commands = {tool: [*_java(path), *_class_of(tool)] for tool in CLASSES}
    if link.PART in lab.parts:  # the way back needs workers at the primary, which the lab does not start
        jars = mirrors.standby_of(lab).parts[connect.PART]["jars"]
        commands["connect-distributed.sh"] = [*_java(f"{jars}/*"), "org.apache.kafka.connect.cli.ConnectDistributed"]
    for tool, (java, *options) in commands.items():
        command = shlex.join([java, f"-Dlog4j2.configurationFile={logging}", *options])
        file = folder / tool
        write_whole(file, f'#!/bin/sh\nexec {command} "$@"\n')
        file.chmod(0o755)
    return folder
