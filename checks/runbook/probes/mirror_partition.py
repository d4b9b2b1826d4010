"""Partitions that MirrorMaker copies, as it measures itself in Connect's JVMs."""

from typing import Annotated

from runbook.answers import jolokia, prometheus
from runbook.formats.metrics import Group, Metric, Metrics
from runbook.formats.metrics.meters import CONSUMER_IO, PRODUCER_IO
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import MillisecondsExact
from runbook.model.row import Cell
from runbook.probes._metrics import OfApplication, tell_applications

_MIRROR = "kafka.connect.mirror:type=MirrorSourceConnector,target=*,topic=*,partition=*,*"


class MirrorPartition(OfApplication):
    """A partition that is mirrored."""

    target: Annotated[str, Cell("Alias of the target cluster.", key=True)]
    topic: Annotated[str, Cell("Topic as it is called there.", key=True, entity="topic")]
    partition: Annotated[str, Cell("Number within its topic.", key=True)]
    record_age_ms: Annotated[
        MillisecondsExact | None,
        Cell("Age of records when they were copied, last seen."),
        Metric(_MIRROR, "record-age-ms"),
    ]
    latency_ms: Annotated[
        MillisecondsExact | None,
        Cell("From the source's timestamp to the target."),
        Metric(_MIRROR, "replication-latency-ms"),
    ]
    byte_rate: Annotated[
        float | None,
        Cell("Bytes a second that are copied, keys and values.", unit="bytes/s", moves=True),
        Metric(_MIRROR, "byte-rate"),
    ]


GROUP = Group(
    MirrorPartition,
    nowhere="none of the applications that were asked mirrors topics",
    proof=(PRODUCER_IO, CONSUMER_IO),
)

PROBE = Probe(
    connections=("jolokia", "prometheus"),
    help="One row per application, target and partition.",
    row=MirrorPartition,
    requests=(*jolokia.READS, *prometheus.READS),
    rights=("Jolokia: read of kafka.connect.mirror:*", "Prometheus: to query, or to read the exporters' pages"),
)


def observe(metrics: Metrics) -> Observed:
    """Observe the partitions that are mirrored."""
    return tell_applications(metrics, GROUP)
