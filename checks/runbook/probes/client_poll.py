"""How Java consumers spend their time: between polls, waiting, committing. As their applications' JVMs tell."""

from typing import Annotated

from runbook.answers import jolokia, prometheus
from runbook.formats.metrics import Group, Metrics
from runbook.formats.metrics.meters import PRODUCER_IO, of_consumer
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import MillisecondsExact
from runbook.model.row import Cell
from runbook.probes._metrics import OfApplication, tell_applications


class ClientPoll(OfApplication):
    """A consumer of an application."""

    client: Annotated[str, Cell("client.id.", key=True)]
    between_polls: Annotated[
        MillisecondsExact | None,
        Cell("Mean time between two calls of poll() of late.", moves=True),
        of_consumer("time-between-poll-avg"),
    ]
    between_polls_max: Annotated[
        MillisecondsExact | None,
        Cell("The longest of late: in the last minute, unless metrics.sample.window.ms says otherwise.", moves=True),
        of_consumer("time-between-poll-max"),
    ]
    idle_ratio: Annotated[
        float | None,
        Cell("Share of its time that it spent in poll(), not in the application's own code.", unit="ratio", moves=True),
        of_consumer("poll-idle-ratio-avg"),
    ]
    commit_rate: Annotated[
        float | None,
        Cell("Commits of late.", unit="commits per second", moves=True),
        of_consumer("commit-rate", "coordinator"),
    ]
    commit_latency: Annotated[
        MillisecondsExact | None,
        Cell("Mean time of a commit of late.", moves=True),
        of_consumer("commit-latency-avg", "coordinator"),
    ]
    commit_latency_max: Annotated[
        MillisecondsExact | None,
        Cell("The longest of late.", moves=True),
        of_consumer("commit-latency-max", "coordinator"),
    ]
    consumed_rate: Annotated[
        float | None,
        Cell("Records that it got of late.", unit="records per second", moves=True),
        of_consumer("records-consumed-rate", "fetch-manager"),
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
