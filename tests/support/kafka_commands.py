"""Kafka's command line tools under the names of the scripts that people type, for a lab."""

import shlex
from pathlib import Path

from kafka_lab import LabState
from kafka_lab.jars import KAFKA_VERSION, TOOLS, fetch_jars, kafka_jars
from runbook.folders import cache_folder
from runbook.java import find_java

CLASSES = {
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
    "kafka-dump-log.sh": "org.apache.kafka.tools.DumpLogSegments",
    "kafka-features.sh": "org.apache.kafka.tools.FeatureCommand",
    "kafka-get-offsets.sh": "org.apache.kafka.tools.GetOffsetShell",
    "kafka-leader-election.sh": "org.apache.kafka.tools.LeaderElectionCommand",
    "kafka-log-dirs.sh": "org.apache.kafka.tools.LogDirsCommand",
    "kafka-metadata-quorum.sh": "org.apache.kafka.tools.MetadataQuorumCommand",
    "kafka-reassign-partitions.sh": "org.apache.kafka.tools.reassign.ReassignPartitionsCommand",
    "kafka-storage.sh": "kafka.tools.StorageTool",
    "kafka-topics.sh": "org.apache.kafka.tools.TopicCommand",
    "kafka-transactions.sh": "org.apache.kafka.tools.TransactionsCommand",
}
"""What Kafka's scripts start."""

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


def class_path(lab: LabState) -> str:
    """Where Java finds the tools: those of the newest release, which speak to older brokers too."""
    jars = lab.jars if lab.kafka == KAFKA_VERSION else kafka_jars(cache_folder(), lambda _: None)
    return f"{jars}/*:{fetch_jars(TOOLS, cache_folder(), lambda _: None)}/*"


def java_of(lab: LabState, tool: str) -> list[str]:
    """The command that a script would start."""
    return [str(find_java()), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", class_path(lab), CLASSES[tool]]


def scripts(lab: LabState, folder: Path) -> Path:
    """A folder with all of them, for PATH."""
    folder.mkdir()
    logging = folder / "tools-log4j2.properties"
    logging.write_text(_LOGGING, "ascii")
    for tool in CLASSES:
        java, *words = java_of(lab, tool)
        command = shlex.join([java, f"-Dlog4j2.configurationFile={logging}", *words])
        file = folder / tool
        file.write_text(f'#!/bin/sh\nexec {command} "$@"\n', "utf-8")
        file.chmod(0o755)
    return folder
