"""The metadata quorum as each of its members sees it."""

from typing import Annotated

from runbook.answers import jolokia, prometheus
from runbook.formats.metrics import Group, Metric, Metrics
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import MillisecondsExact, Offset
from runbook.model.row import Cell
from runbook.probes._metrics import OfBroker, tell_brokers

_RAFT = "kafka.server:type=raft-metrics"


class ControllerQuorum(OfBroker):
    """A node that follows the metadata log, as it sees the quorum."""

    state: Annotated[
        str | None,
        Cell("leader, follower, observer…; exporters that send numbers only leave it out."),
        Metric(_RAFT, "current-state"),
    ]
    leader: Annotated[
        int | None,
        Cell("Node id of the leader as it knows it; -1 for none.", unit="id"),
        Metric(_RAFT, "current-leader"),
    ]
    epoch: Annotated[
        int | None,
        Cell("Of the quorum; each election begins a new one.", unit="epoch"),
        Metric(_RAFT, "current-epoch"),
    ]
    log_end_offset: Annotated[
        Offset | None,
        Cell("End of its copy of the metadata log.", unit="offset"),
        Metric(_RAFT, "log-end-offset"),
    ]
    high_watermark: Annotated[
        Offset | None,
        Cell("What a majority has.", unit="offset"),
        Metric(_RAFT, "high-watermark"),
    ]
    commit_ms: Annotated[
        MillisecondsExact | None,
        Cell("Mean time to commit; known on the leader."),
        Metric(_RAFT, "commit-latency-avg"),
    ]
    idle: Annotated[
        float | None,
        Cell("Share of its thread's time with nothing to do.", unit="ratio", moves=True),
        Metric(_RAFT, "poll-idle-ratio-avg"),
    ]


GROUP = Group(
    ControllerQuorum,
    nowhere="ZooKeeper mode: there is no quorum of controllers",
)

PROBE = Probe(
    connections=("jolokia", "prometheus"),
    help="One row per broker and controller.",
    row=ControllerQuorum,
    requests=(*jolokia.READS, *prometheus.READS),
    rights=("Jolokia: read of kafka.server:*", "Prometheus: to query, or to read the exporters' pages"),
)


def observe(metrics: Metrics) -> Observed:
    """Observe the quorum as its members see it."""
    return tell_brokers(metrics, GROUP)
