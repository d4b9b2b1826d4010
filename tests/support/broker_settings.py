"""Settings of a broker's file as its probe gives them, for tests of what Kafka refuses."""

from collections.abc import Mapping
from typing import Any, Final

from runbook.model.fact import Fact

KRAFT: Final = {
    "process.roles": "broker",
    "node.id": "2",
    "controller.quorum.voters": "1@c1:9093",
    "controller.listener.names": "CONTROLLER",
}
"""What a file of a broker needs in KRaft."""


def broker_settings(given: Mapping[str, str | None]) -> Fact:
    """host_broker_setting of one broker whose file has these settings, a line each."""
    columns: dict[str, list[Any]] = {
        "host": ["k1"] * len(given),
        "pid": [7] * len(given),
        "broker": [2] * len(given),
        "setting": list(given),
        "value": list(given.values()),
        "file": ["/etc/kafka/server.properties"] * len(given),
        "line": list(range(1, len(given) + 1)),
    }
    return Fact("host_broker_setting", columns)


def kafka_release(version: str | None) -> Fact:
    """host_kafka_release of that broker."""
    return Fact("host_kafka_release", {"host": ["k1"], "pid": [7], "kafka_version": [version]})
