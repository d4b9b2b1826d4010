"""Loggers of brokers and their levels."""

from typing import Annotated

from runbook.connections import jolokia
from runbook.formats.metrics import Group, Metric, Metrics
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.row import Cell
from runbook.probes._metrics import OfBroker, tell_brokers


class BrokerLogger(OfBroker):
    """A logger of a broker."""

    logger: Annotated[str, Cell("Name of the logger; root is the one all others inherit from.", key=True, moves=True)]
    level: Annotated[
        str | None,
        Cell("Its level in force: OFF, FATAL, ERROR, WARN, INFO, DEBUG, TRACE or ALL."),
        Metric("kafka:type=kafka.Log4jController", "Loggers", pairs=True),
    ]


GROUP = Group(
    BrokerLogger,
    nowhere="none of the JVMs that were asked is a broker",
)

PROBE = Probe(
    connections=("jolokia",),
    help="One row per broker and logger.",
    row=BrokerLogger,
    requests=(*jolokia.READS,),
    rights=("Jolokia: read of kafka:type=kafka.Log4jController",),
)


def observe(metrics: Metrics) -> Observed:
    """Observe the levels of brokers' loggers."""
    return tell_brokers(metrics, GROUP)
