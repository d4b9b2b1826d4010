"""How Java consumers spend their time: between polls, waiting, committing. As their applications' JVMs tell."""

from typing import Annotated, Final

from runbook.connections import jolokia, prometheus
from runbook.formats.metrics import Exported, Group, Metric, Metrics
from runbook.formats.metrics.meters import PRODUCER_IO
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import MillisecondsExact
from runbook.model.row import Cell
from runbook.probes._metrics import OfApplication, tell_applications

_BEANS: Final = {
    "": "kafka.consumer:type=consumer-metrics,client-id=*",
    "coordinator_": "kafka.consumer:type=consumer-coordinator-metrics,client-id=*",
    "fetch_manager_": "kafka.consumer:type=consumer-fetch-manager-metrics,client-id=*",
}


def _metric(of: str, attribute: str) -> Metric:
    """A metric of a consumer, under every name that it has on pages, whatever rules JMX exporters have.

    Micrometer (Spring Boot) leaves `metrics` out. What consumers push by themselves (KIP-714) has a prefix, and dots
    that pages write as underscores.
    """
    name = f"kafka_consumer_{of}{attribute.replace('-', '_')}"
    return Metric(_BEANS[of], attribute, exported=Exported((name, f"org_apache_{name}"), (("client_id", "*"),)))


class ClientPoll(OfApplication):
    """A consumer of an application."""

    client: Annotated[str, Cell("client.id.", key=True)]
    between_polls: Annotated[
        MillisecondsExact | None,
        Cell("Mean time between two calls of poll() of late.", moves=True),
        _metric("", "time-between-poll-avg"),
    ]
    between_polls_max: Annotated[
        MillisecondsExact | None,
        Cell("The longest of late: in the last minute, unless metrics.sample.window.ms says otherwise.", moves=True),
        _metric("", "time-between-poll-max"),
    ]
    idle_ratio: Annotated[
        float | None,
        Cell("Share of its time that it spent in poll(), not in the application's own code.", unit="ratio", moves=True),
        _metric("", "poll-idle-ratio-avg"),
    ]
    commit_rate: Annotated[
        float | None,
        Cell("Commits of late.", unit="commits per second", moves=True),
        _metric("coordinator_", "commit-rate"),
    ]
    commit_latency: Annotated[
        MillisecondsExact | None,
        Cell("Mean time of a commit of late.", moves=True),
        _metric("coordinator_", "commit-latency-avg"),
    ]
    commit_latency_max: Annotated[
        MillisecondsExact | None,
        Cell("The longest of late.", moves=True),
        _metric("coordinator_", "commit-latency-max"),
    ]
    consumed_rate: Annotated[
        float | None,
        Cell("Records that it got of late.", unit="records per second", moves=True),
        _metric("fetch_manager_", "records-consumed-rate"),
    ]


GROUP = Group(
    ClientPoll,
    nowhere="none of the applications that were asked has a Java consumer",
    proof=(PRODUCER_IO,),
)

PROBE = Probe(
    connections=("jolokia", "prometheus"),
    help="One row per application and consumer.",
    row=ClientPoll,
    requests=(*jolokia.READS, *prometheus.READS),
    rights=("Jolokia: read of kafka.consumer:*", "Prometheus: to query, or to read the exporters' pages"),
)


def observe(metrics: Metrics) -> Observed:
    """Observe the consumers of applications."""
    return tell_applications(metrics, GROUP)
