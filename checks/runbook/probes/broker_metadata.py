"""How brokers follow the controllers' metadata."""

from typing import Annotated

from runbook.answers import jolokia, prometheus
from runbook.formats.metrics import Group, Metric, Metrics
from runbook.formats.metrics.meters import APPLIED_OFFSET
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import Milliseconds, Offset
from runbook.model.row import Cell
from runbook.probes._metrics import OfBroker, tell_brokers

_METADATA = "kafka.server:type=broker-metadata-metrics"


class BrokerMetadata(OfBroker):
    """How a broker follows the metadata log."""

    applied_offset: Annotated[
        Offset | None,
        Cell("Last metadata record it applied.", unit="offset"),
        APPLIED_OFFSET,
    ]
    applied_lag_ms: Annotated[
        Milliseconds | None,
        Cell("Age of that record.", moves=True),
        Metric(_METADATA, "last-applied-record-lag-ms"),
    ]
    load_errors: Annotated[
        int | None,
        Cell("Metadata it could not load.", unit="errors"),
        Metric(_METADATA, "metadata-load-error-count"),
    ]
    apply_errors: Annotated[
        int | None,
        Cell("Metadata it could not apply.", unit="errors"),
        Metric(_METADATA, "metadata-apply-error-count"),
    ]


GROUP = Group(
    BrokerMetadata,
    nowhere="ZooKeeper mode: brokers replay no metadata log",
)

PROBE = Probe(
    connections=("jolokia", "prometheus"),
    help="One row per broker.",
    row=BrokerMetadata,
    requests=(*jolokia.READS, *prometheus.READS),
    rights=("Jolokia: read of kafka.server:*", "Prometheus: to query, or to read the exporters' pages"),
)


def observe(metrics: Metrics) -> Observed:
    """Observe how far brokers are with the metadata."""
    return tell_brokers(metrics, GROUP)
