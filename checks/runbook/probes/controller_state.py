"""Controllers: which one is active, what it counts, how the others follow."""

from typing import Annotated

from runbook.answers import jolokia, prometheus
from runbook.formats.metrics import Group, Metrics
from runbook.formats.metrics.meters import ACTIVE_CONTROLLERS, UNDER_REPLICATED, count, gauge, p99, rate
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import Milliseconds, MillisecondsExact
from runbook.model.row import Cell
from runbook.probes._metrics import OfBroker, tell_brokers

_CONTROLLER = "kafka.controller:type=KafkaController,name="
_UNCLEAN = "kafka.controller:type=ControllerStats,name=UncleanLeaderElectionsPerSec"


class ControllerState(OfBroker):
    """What a controller controls."""

    active: Annotated[
        int | None,
        Cell("1 if it is the active controller, else 0.", unit="controllers"),
        ACTIVE_CONTROLLERS,
    ]
    offline_partitions: Annotated[
        int | None,
        Cell(
            "Partitions without a leader; the active controller alone counts them, the others say 0.", unit="partitions"
        ),
        gauge(_CONTROLLER + "OfflinePartitionsCount"),
    ]
    preferred_imbalance: Annotated[
        int | None,
        Cell("Partitions that another than the preferred replica leads.", unit="partitions"),
        gauge(_CONTROLLER + "PreferredReplicaImbalanceCount"),
    ]
    fenced_brokers: Annotated[
        int | None,
        Cell("Brokers kept out of service.", unit="brokers"),
        gauge(_CONTROLLER + "FencedBrokerCount"),
    ]
    active_brokers: Annotated[
        int | None,
        Cell("Brokers in service.", unit="brokers"),
        gauge(_CONTROLLER + "ActiveBrokerCount"),
    ]
    metadata_errors: Annotated[
        int | None,
        Cell("Metadata that could not be processed.", unit="errors"),
        gauge(_CONTROLLER + "MetadataErrorCount"),
    ]
    applied_lag_ms: Annotated[
        Milliseconds | None,
        Cell("Age of the last metadata record it applied.", moves=True),
        gauge(_CONTROLLER + "LastAppliedRecordLagMs"),
    ]
    timed_out_heartbeats: Annotated[
        int | None,
        Cell("Heartbeats of brokers that expired in its own queue since it started.", unit="heartbeats", moves=True),
        gauge(_CONTROLLER + "TimedOutBrokerHeartbeatCount"),
    ]
    new_active: Annotated[
        int | None,
        Cell("How often it saw another controller become active since it started.", unit="elections", moves=True),
        gauge(_CONTROLLER + "NewActiveControllersCount"),
    ]
    event_queue_p99: Annotated[
        MillisecondsExact | None,
        Cell("Wait of an event for the controller's one thread."),
        p99("kafka.controller:type=ControllerEventManager,name=EventQueueTimeMs"),
    ]
    unclean_elections: Annotated[
        int | None,
        Cell(
            "Elections of a replica not in sync since it started; in KRaft every controller counts all.",
            unit="elections",
        ),
        count(_UNCLEAN),
    ]
    unclean_elections_rate: Annotated[
        float | None,
        Cell(
            "Elections of a replica not in sync: acknowledged records may be lost.",
            unit="elections per second",
            moves=True,
        ),
        rate(_UNCLEAN),
    ]


GROUP = Group(
    ControllerState,
    nowhere="none of the JVMs that were asked is a controller",
    proof=(UNDER_REPLICATED,),
)

PROBE = Probe(
    connections=("jolokia", "prometheus"),
    help="One row per controller.",
    row=ControllerState,
    requests=(*jolokia.READS, *prometheus.READS),
    rights=("Jolokia: read of kafka.controller:*", "Prometheus: to query, or to read the exporters' pages"),
)


def observe(metrics: Metrics) -> Observed:
    """Observe the state of controllers."""
    return tell_brokers(metrics, GROUP)
