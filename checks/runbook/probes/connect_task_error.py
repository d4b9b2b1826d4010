"""Errors that tasks of Kafka Connect met, as its workers' JVMs count them since each task began."""

from typing import Annotated

from runbook.answers import jolokia, prometheus
from runbook.formats.metrics import Group, Metric, Metrics
from runbook.formats.metrics.meters import CONSUMER_IO, PRODUCER_IO
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import Moment
from runbook.model.row import Cell
from runbook.probes._metrics import OfApplication, tell_applications

_ERRORS = "kafka.connect:type=task-error-metrics,connector=*,task=*"


class ConnectTaskError(OfApplication):
    """What a task of Kafka Connect failed at."""

    connector: Annotated[str, Cell("The connector.", key=True, entity="connector")]
    task: Annotated[str, Cell("Number of the task.", key=True)]
    errors: Annotated[
        float | None,
        Cell("Errors it met, those among them that a retry fixed.", unit="errors", moves=True),
        Metric(_ERRORS, "total-record-errors"),
    ]
    failures: Annotated[
        float | None,
        Cell("Records that it failed to process.", unit="failures", moves=True),
        Metric(_ERRORS, "total-record-failures"),
    ]
    skipped: Annotated[
        float | None,
        Cell("Records that it left out because of an error.", unit="records", moves=True),
        Metric(_ERRORS, "total-records-skipped"),
    ]
    retries: Annotated[
        float | None,
        Cell("Tries that it made again.", unit="retries", moves=True),
        Metric(_ERRORS, "total-retries"),
    ]
    logged: Annotated[
        float | None,
        Cell("Errors that it wrote to its log.", unit="errors", moves=True),
        Metric(_ERRORS, "total-errors-logged"),
    ]
    letters: Annotated[
        float | None,
        Cell("Dead letters that it tried to write.", unit="records", moves=True),
        Metric(_ERRORS, "deadletterqueue-produce-requests"),
    ]
    lost_letters: Annotated[
        float | None,
        Cell("Those that it could not write.", unit="records", moves=True),
        Metric(_ERRORS, "deadletterqueue-produce-failures"),
    ]
    last_error: Annotated[
        Moment | None,
        Cell("When it met the last one; 1970 if it met none.", moves=True),
        Metric(_ERRORS, "last-error-timestamp"),
    ]


GROUP = Group(
    ConnectTaskError,
    nowhere="none of the applications that were asked runs tasks of Kafka Connect",
    proof=(PRODUCER_IO, CONSUMER_IO),
)

PROBE = Probe(
    connections=("jolokia", "prometheus"),
    help="One row per worker and task of its own, a task that has failed among them.",
    row=ConnectTaskError,
    requests=(*jolokia.READS, *prometheus.READS),
    rights=("Jolokia: read of kafka.connect:*", "Prometheus: to query, or to read the exporters' pages"),
)


def observe(metrics: Metrics) -> Observed:
    """Observe what tasks met."""
    return tell_applications(metrics, GROUP)
