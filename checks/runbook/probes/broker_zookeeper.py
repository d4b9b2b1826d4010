"""Brokers' sessions with ZooKeeper."""

from typing import Annotated

from runbook.answers import jolokia, prometheus
from runbook.formats.metrics import Group, Metrics
from runbook.formats.metrics.meters import APPLIED_OFFSET, count, p99, rate
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import MillisecondsExact
from runbook.model.row import Cell
from runbook.probes._metrics import OfBroker, tell_brokers

_SESSION = "kafka.server:type=SessionExpireListener,name="


class BrokerZookeeper(OfBroker):
    """The session of a broker with ZooKeeper."""

    expires: Annotated[
        int | None,
        Cell("Sessions that expired since the start.", unit="sessions", moves=True),
        count(_SESSION + "ZooKeeperExpiresPerSec"),
    ]
    expires_rate: Annotated[
        float | None,
        Cell("Sessions that expire.", unit="sessions per second", moves=True),
        rate(_SESSION + "ZooKeeperExpiresPerSec"),
    ]
    disconnects: Annotated[
        int | None,
        Cell("Lost connections since the start.", unit="connections", moves=True),
        count(_SESSION + "ZooKeeperDisconnectsPerSec"),
    ]
    authentication_failures: Annotated[
        int | None,
        Cell("Refused logins since the start.", unit="failures", moves=True),
        count(_SESSION + "ZooKeeperAuthFailuresPerSec"),
    ]
    latency_p99: Annotated[
        MillisecondsExact | None,
        Cell("Request to ZooKeeper."),
        p99("kafka.server:type=ZooKeeperClientMetrics,name=ZooKeeperRequestLatencyMs"),
    ]


GROUP = Group(
    BrokerZookeeper,
    nowhere="KRaft mode: brokers have no ZooKeeper session",
    proof=(APPLIED_OFFSET,),
)

PROBE = Probe(
    connections=("jolokia", "prometheus"),
    help="One row per broker in ZooKeeper mode.",
    row=BrokerZookeeper,
    requests=(*jolokia.READS, *prometheus.READS),
    rights=("Jolokia: read of kafka.server:*", "Prometheus: to query, or to read the exporters' pages"),
)


def observe(metrics: Metrics) -> Observed:
    """Observe the sessions of brokers with ZooKeeper."""
    return tell_brokers(metrics, GROUP)
