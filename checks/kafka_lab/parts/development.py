"""One broker, as a developer runs it: broker and controller in one process, one copy of everything."""

from typing import Any, Final

from kafka_lab.state import LabBroker, LabState

HELP: Final = "one broker with one copy of everything, as a developer runs Kafka"

RACKS: Final = ("local",)
NOT_WITH: Final = ("connect", "dr", "groups", "hosts", "proxies", "registry", "stretched", "zookeeper")

_ONE_COPY: Final = {
    "default.replication.factor": 1,
    "min.insync.replicas": 1,
    "offsets.topic.replication.factor": 1,
    "transaction.state.log.replication.factor": 1,
    "transaction.state.log.min.isr": 1,
    "share.coordinator.state.topic.replication.factor": 1,
    "share.coordinator.state.topic.min.isr": 1,
}
"""As the file says with which Kafka's own release starts one broker (config/server.properties)."""


def broker_settings(lab: LabState, broker: LabBroker) -> dict[str, Any]:
    """One copy, and what the release's own file leaves to defaults: racks are none, topics come by themselves."""
    del lab, broker
    return _ONE_COPY | dict.fromkeys(("broker.rack", "auto.create.topics.enable", "num.recovery.threads.per.data.dir"))
