"""What a broker's network carries besides producers and consumers: replication, in and out."""

from typing import Annotated

from runbook.answers import jolokia, prometheus
from runbook.formats.metrics import Group, Metrics
from runbook.formats.metrics.meters import ACTIVE_CONTROLLERS, rate
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.row import Cell
from runbook.probes._metrics import OfBroker, tell_brokers

_TOPICS = "kafka.server:type=BrokerTopicMetrics,name="


class BrokerTraffic(OfBroker):
    """What a broker's network carries."""

    written: Annotated[
        float | None,
        Cell("Bytes that producers wrote in the last minute.", unit="bytes/s", moves=True),
        rate(_TOPICS + "BytesInPerSec"),
    ]
    read: Annotated[
        float | None,
        Cell("Bytes that consumers read.", unit="bytes/s", moves=True),
        rate(_TOPICS + "BytesOutPerSec"),
    ]
    replication_in: Annotated[
        float | None,
        Cell("Bytes that it fetched from leaders.", unit="bytes/s", moves=True),
        rate(_TOPICS + "ReplicationBytesInPerSec"),
    ]
    replication_out: Annotated[
        float | None,
        Cell("Bytes that followers fetched from it.", unit="bytes/s", moves=True),
        rate(_TOPICS + "ReplicationBytesOutPerSec"),
    ]


GROUP = Group(
    BrokerTraffic,
    nowhere="none of the JVMs that were asked is a broker",
    proof=(ACTIVE_CONTROLLERS,),
)

PROBE = Probe(
    connections=("jolokia", "prometheus"),
    help="One row per broker.",
    row=BrokerTraffic,
    requests=(*jolokia.READS, *prometheus.READS),
    rights=("Jolokia: read of kafka.server:*", "Prometheus: to query, or to read the exporters' pages"),
)


def observe(metrics: Metrics) -> Observed:
    """Observe the traffic of brokers, the rates of the last minute."""
    return tell_brokers(metrics, GROUP)
