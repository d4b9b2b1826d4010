"""What probes of metrics have in common: whose metrics they are, and that each JVM is asked once for all of them."""

from functools import cache
from typing import Annotated

from runbook.formats.metrics import Group, Metric, Metrics
from runbook.formats.metrics.table import tell
from runbook.model.fact import Observed
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row
from runbook.plugins.catalog import catalog

OF_BROKERS = (
    "jvm_gc",
    "jvm_memory_pool",
    "jvm_memory",
    "jvm_thread",
    "jvm_deadlock",
    "jvm_process",
    "jvm_property",
    "broker_replication",
    "broker_load",
    "broker_request",
    "controller_state",
    "broker_metadata",
    "controller_quorum",
    "broker_zookeeper",
)
"""The probes whose metrics brokers and controllers are asked for, all at once."""

OF_APPLICATIONS = ("client_producer", "client_consumer", "client_poll", "mirror_partition", "connect_task_error")
"""The probes whose metrics applications are asked for."""

APART = ("broker_log_cleaner", "broker_remote_storage", "broker_traffic", "client_send")
"""Later probes, each asked for by itself: kept evidence holds answers to the questions above."""


class OfBroker(Row):
    """A row of what a broker or controller measures."""

    broker: Annotated[BrokerId, Cell("Node id of the broker or controller.", key=True)]


class OfApplication(Row):
    """A row of what an application measures."""

    application: Annotated[str, Cell("The application's name in the inventory.", key=True)]


@cache
def metrics_of(probes: tuple[str, ...]) -> tuple[Metric, ...]:
    """The metrics of probes, each once."""
    groups: list[Group] = [catalog("probes").load(probe).GROUP for probe in probes]
    return tuple(dict.fromkeys(metric for group in groups for metric in group.metrics.values()))


def tell_brokers(metrics: Metrics, group: Group) -> Observed:
    """Ask the brokers and controllers, and give the rows of a group."""
    return tell(metrics.brokers(_with(metrics_of(OF_BROKERS), group)), group)


def tell_applications(metrics: Metrics, group: Group) -> Observed:
    """Ask the applications, and give the rows of a group."""
    return tell(metrics.applications(_with(metrics_of(OF_APPLICATIONS), group)), group)


def tell_apart(metrics: Metrics, group: Group) -> Observed:
    """Ask the applications for the metrics of one group alone, and give its rows."""
    return tell(metrics.applications(_with((), group)), group)


def _with(asked: tuple[Metric, ...], group: Group) -> tuple[Metric, ...]:
    """All that is asked for anyway, and what a probe of a user's own adds to it."""
    more = [metric for metric in (*group.metrics.values(), *group.proof) if metric not in asked]
    return (*asked, *more)
