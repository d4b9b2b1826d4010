"""Tiered storage as a broker sees it: what waits for its upload, and what the remote store refused."""

from typing import Annotated

from runbook.answers import jolokia, prometheus
from runbook.formats.metrics import Group, Metrics
from runbook.formats.metrics.meters import ACTIVE_CONTROLLERS, UNDER_REPLICATED, count, gauge, rate
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.row import Cell
from runbook.probes._metrics import OfBroker, tell_brokers

_TOPICS = "kafka.server:type=BrokerTopicMetrics,name=Remote"


class BrokerRemoteStorage(OfBroker):
    """A broker and the remote store; rates are of the last minute."""

    copied: Annotated[
        float | None,
        Cell("Bytes that it uploaded.", unit="bytes/s", moves=True),
        rate(_TOPICS + "CopyBytesPerSec"),
    ]
    copy_lag: Annotated[
        int | None,
        Cell("Bytes of closed segments that are not uploaded yet; Kafka 3.8.", unit="bytes", moves=True),
        gauge(_TOPICS + "CopyLagBytes"),
    ]
    copy_lag_segments: Annotated[
        int | None,
        Cell("Closed segments that are not uploaded yet; Kafka 3.8.", unit="segments", moves=True),
        gauge(_TOPICS + "CopyLagSegments"),
    ]
    copy_requests: Annotated[
        float | None,
        Cell("Uploads that it began.", unit="uploads/s", moves=True),
        rate(_TOPICS + "CopyRequestsPerSec"),
    ]
    copy_errors: Annotated[
        float | None,
        Cell("Uploads that failed; it tries them again.", unit="uploads/s", moves=True),
        rate(_TOPICS + "CopyErrorsPerSec"),
    ]
    reads: Annotated[
        int | None,
        Cell("Reads from the remote store since it started, for consumers of old records.", unit="reads", moves=True),
        count(_TOPICS + "FetchRequestsPerSec"),
    ]
    failed_reads: Annotated[
        int | None,
        Cell("Those that failed: the consumer got an unknown server error.", unit="reads", moves=True),
        count(_TOPICS + "FetchErrorsPerSec"),
    ]
    delete_lag: Annotated[
        int | None,
        Cell("Bytes in it that have expired and are not deleted yet; Kafka 3.8.", unit="bytes", moves=True),
        gauge(_TOPICS + "DeleteLagBytes"),
    ]
    delete_errors: Annotated[
        float | None,
        Cell("Deletions in it that failed; Kafka 3.8.", unit="deletions/s", moves=True),
        rate(_TOPICS + "DeleteErrorsPerSec"),
    ]


GROUP = Group(
    BrokerRemoteStorage,
    nowhere="none of the brokers that were asked has tiered storage",
    proof=(ACTIVE_CONTROLLERS, UNDER_REPLICATED),
    of="copied",
)

PROBE = Probe(
    connections=("jolokia", "prometheus"),
    help="One row per broker with remote.log.storage.system.enable=true.",
    row=BrokerRemoteStorage,
    requests=(*jolokia.READS, *prometheus.READS),
    rights=("Jolokia: read of kafka.server:*", "Prometheus: to query, or to read the exporters' pages"),
)


def observe(metrics: Metrics) -> Observed:
    """Observe each broker that has tiered storage."""
    return tell_brokers(metrics, GROUP)
