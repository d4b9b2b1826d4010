"""Replication as each broker sees it: partitions short of replicas, in-sync sets that change, followers' lag."""

from typing import Annotated

from runbook.answers import jolokia, prometheus
from runbook.formats.metrics import Group, Metrics
from runbook.formats.metrics.meters import ACTIVE_CONTROLLERS, UNDER_REPLICATED, count, gauge, rate
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.row import Cell
from runbook.probes._metrics import OfBroker, tell_brokers

_REPLICAS = "kafka.server:type=ReplicaManager,name="
_FETCHERS = "kafka.server:type=ReplicaFetcherManager,name={},clientId=Replica"


class BrokerReplication(OfBroker):
    """What a broker replicates."""

    under_replicated: Annotated[
        int | None,
        Cell("Partitions it leads that have a replica out of sync.", unit="partitions"),
        UNDER_REPLICATED,
    ]
    under_min_isr: Annotated[
        int | None,
        Cell("Partitions it leads that refuse acks=all writes.", unit="partitions"),
        gauge(_REPLICAS + "UnderMinIsrPartitionCount"),
    ]
    at_min_isr: Annotated[
        int | None,
        Cell("Partitions it leads that would, with one replica less in sync.", unit="partitions"),
        gauge(_REPLICAS + "AtMinIsrPartitionCount"),
    ]
    offline_replicas: Annotated[
        int | None,
        Cell("Replicas on its failed disks.", unit="replicas"),
        gauge(_REPLICAS + "OfflineReplicaCount"),
    ]
    partitions: Annotated[
        int | None,
        Cell("Replicas it holds.", unit="partitions"),
        gauge(_REPLICAS + "PartitionCount"),
    ]
    leaders: Annotated[
        int | None,
        Cell("Partitions it leads.", unit="partitions"),
        gauge(_REPLICAS + "LeaderCount"),
    ]
    isr_shrinks: Annotated[
        float | None,
        Cell("Replicas falling out of sync.", unit="shrinks per second", moves=True),
        rate(_REPLICAS + "IsrShrinksPerSec"),
    ]
    isr_expands: Annotated[
        float | None,
        Cell("Replicas coming back in sync.", unit="expansions per second", moves=True),
        rate(_REPLICAS + "IsrExpandsPerSec"),
    ]
    failed_isr_updates: Annotated[
        float | None,
        Cell("Changes of the in-sync set that the controller did not take.", unit="failures per second", moves=True),
        rate(_REPLICAS + "FailedIsrUpdatesPerSec"),
    ]
    isr_shrinks_since_start: Annotated[
        int | None,
        Cell("Replicas that fell out of sync since the broker started.", unit="shrinks", moves=True),
        count(_REPLICAS + "IsrShrinksPerSec"),
    ]
    max_lag: Annotated[
        int | None,
        Cell("How far its followers are behind their leaders at most.", unit="records", moves=True),
        gauge(_FETCHERS.format("MaxLag")),
    ]
    failed_fetchers: Annotated[
        int | None,
        Cell("Partitions whose fetching stopped on an error.", unit="partitions"),
        gauge(_FETCHERS.format("FailedPartitionsCount")),
    ]


GROUP = Group(
    BrokerReplication,
    nowhere="none of the JVMs that were asked is a broker",
    proof=(ACTIVE_CONTROLLERS,),
)

PROBE = Probe(
    connections=("jolokia", "prometheus"),
    help="One row per broker.",
    row=BrokerReplication,
    requests=(*jolokia.READS, *prometheus.READS),
    rights=("Jolokia: read of kafka.server:*", "Prometheus: to query, or to read the exporters' pages"),
)


def observe(metrics: Metrics) -> Observed:
    """Observe replication as brokers measure it."""
    return tell_brokers(metrics, GROUP)
