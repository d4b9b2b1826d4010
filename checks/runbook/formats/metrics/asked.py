"""Every metric that may be asked for, so that a connection asks each JVM once for all of them."""

from typing import Final

from runbook.formats.metrics import broker, client, controller, jvm
from runbook.formats.metrics.metric import Group, Metric

BROKERS: Final = (
    jvm.GC,
    jvm.POOL,
    jvm.MEMORY,
    jvm.THREADS,
    jvm.DEADLOCK,
    jvm.PROCESS,
    jvm.PROPERTIES,
    broker.REPLICATION,
    broker.LOAD,
    broker.REQUESTS,
    broker.LOGGERS,
    controller.CONTROLLER,
    controller.METADATA,
    controller.RAFT,
    controller.ZOOKEEPER,
)
"""Of brokers and controllers."""

APPLICATIONS: Final = (client.PRODUCER, client.CONSUMER, client.MIRROR, client.CONNECT_ERRORS)
"""Of applications."""


def metrics(groups: tuple[Group, ...]) -> tuple[Metric, ...]:
    """The metrics of groups, each once."""
    return tuple(dict.fromkeys(metric for group in groups for metric in group.metrics))
