"""Kafka's meters, and the metrics that tell one kind of JVM from another.

Kafka's meters give a rate over the last minute (an exponentially weighted one, kept by the broker), so one look is
enough. Its percentiles are over a sample weighted towards the last five minutes.
"""

from typing import Final

from runbook.formats.metrics.metric import Exported, Metric

IDENTITY: Final = Metric("kafka.server:type=app-info,id=*", "StartTimeMs")
"""When Kafka started in a JVM. Its star is the node id: it tells whose metrics these are."""


def gauge(bean: str) -> Metric:
    """A number as it is now."""
    return Metric(bean, "Value")


def rate(bean: str) -> Metric:
    """How often a second something happened in the last minute or so."""
    return Metric(bean, "OneMinuteRate")


def count(bean: str) -> Metric:
    """How often something happened since the JVM started."""
    return Metric(bean, "Count")


def p99(bean: str) -> Metric:
    """The time that 99 of 100 took at most, in milliseconds."""
    return Metric(bean, "99thPercentile")


ACTIVE_CONTROLLERS: Final = gauge("kafka.controller:type=KafkaController,name=ActiveControllerCount")
"""Every controller has it."""

UNDER_REPLICATED: Final = gauge("kafka.server:type=ReplicaManager,name=UnderReplicatedPartitions")
"""Every broker has it."""

APPLIED_OFFSET: Final = Metric("kafka.server:type=broker-metadata-metrics", "last-applied-record-offset")
"""Every broker has it in KRaft mode, and none in ZooKeeper mode."""

PRODUCER_IO: Final = Metric("kafka.producer:type=producer-metrics,client-id=*", "io-ratio")
"""Every Java producer has it."""

CONSUMER_IO: Final = Metric("kafka.consumer:type=consumer-metrics,client-id=*", "io-ratio")
"""Every Java consumer has it."""


def of_consumer(attribute: str, group: str = "") -> Metric:
    """A metric of a Java consumer, under every name that it has on pages, whatever rules JMX exporters have.

    Micrometer (Spring Boot) leaves `metrics` out. What consumers push by themselves (KIP-714) has a prefix, and dots
    that pages write as underscores.

    Args:
        attribute: of the MBean, as in commit-rate.
        group: of its metrics, `coordinator` or `fetch-manager`; none for the consumer's own.
    """
    kind = "-".join(filter(None, ("consumer", group, "metrics")))
    name = "_".join(filter(None, ("kafka_consumer", group, attribute))).replace("-", "_")
    exported = Exported((name, f"org_apache_{name}"), (("client_id", "*"),))
    return Metric(f"kafka.consumer:type={kind},client-id=*", attribute, exported=exported)
