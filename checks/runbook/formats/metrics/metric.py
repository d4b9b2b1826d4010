"""Metrics, the groups they come in, and the sheet on which one JVM's answers stand."""

from collections.abc import Sequence
from typing import Protocol, get_type_hints

import msgspec
from msgspec import Struct

from runbook.model.fact import Gap
from runbook.model.row import Row, columns_of

Value = float | int | str
Labels = tuple[str, ...]
"""What the stars of a metric's MBean stand for, in their order; empty where it has none."""


class Exported(Struct, frozen=True):
    """How Prometheus' Java client names a metric of the JVM itself, whatever rules its JMX exporter has.

    Attributes:
        names: the newest first; they changed with version 1 of the client.
        labels: name and value; a star stands for the MBean's star.
        scale: what a sample is multiplied by to have the unit of the MBean.
    """

    names: tuple[str, ...]
    labels: tuple[tuple[str, str], ...] = ()
    scale: float = 1.0


class Metric(Struct, frozen=True):
    """One number of a JVM. The field of a row that is annotated with it has its value.

    Attributes:
        bean: the MBean's object name. The value of a key may be a star, and then there is a row for each; "" where JMX
            gives it to nobody who may only read.
        attribute: of the MBean; without one, what sentences call it.
        field: of a composite attribute; "" for a plain one.
        exported: how it is exported without JMX, if it is.
        pairs: whether it is a list of texts `name=value`, each of which makes a row.
    """

    bean: str
    attribute: str
    field: str = ""
    exported: Exported | None = None
    pairs: bool = False


class Group:
    """The metrics of one fact: those that the fields of its rows are annotated with.

    The first field of such a row is the JVM; those between it and the metrics are what the stars of the metrics' MBeans
    stand for, in their order. A `timestamp` is measured in milliseconds since 1970.

    Attributes:
        row: the class of the rows.
        jvm: the field that names the JVM.
        keys: the fields that the stars fill.
        metrics: field -> metric, all with the same number of stars.
        columns: field -> its column.
        nowhere: why a system may rightly have none of them.
        proof: metrics each of which shows, where these do not show, that they are not there: KRaft's where there is no
            ZooKeeper, a controller's where there is no broker. An exporter that shows the one would show the other.
        of: the metric that every JVM of the kind has; one that is proved not to have it has no row.
        seen: of metrics that may be 0 for ever: the field without which, or with 0 in it, a row says nothing.
    """

    def __init__(
        self, row: type[Row], *, nowhere: str, proof: tuple[Metric, ...] = (), of: str = "", seen: str = ""
    ) -> None:
        """Read what the row's fields are annotated with; `of` names a field too."""
        self.row = row
        self.columns = {column.name: column for column in columns_of(row)}
        hints = get_type_hints(row, include_extras=True)
        self.metrics: dict[str, Metric] = {
            name: metric for name in self.columns for metric in hints[name].__metadata__ if isinstance(metric, Metric)
        }
        self.jvm, *self.keys = [name for name in self.columns if name not in self.metrics]
        self.nowhere = nowhere
        self.proof = proof
        self.of = self.metrics[of] if of else None
        self.seen = seen


class Sheet(Struct):
    """What one JVM told. Each metric asked for is in one of the three.

    Attributes:
        jvm: a broker's node id, or the name of an application.
        values: by metric: one value for each set of labels.
        absent: metrics that this JVM is proved not to have, as it is of another kind, mode or version.
        unknown: metric -> why it could not be read.
    """

    jvm: int | str
    values: dict[Metric, dict[Labels, Value]] = msgspec.field(default_factory=dict)
    absent: set[Metric] = msgspec.field(default_factory=set)
    unknown: dict[Metric, str] = msgspec.field(default_factory=dict)

    def one(self, metric: Metric) -> Value | None:
        """The value of a metric that has no stars; None if it is not known."""
        return self.values.get(metric, {}).get(())


Sheets = tuple[Sequence[Sheet], Sequence[Gap]]


class ScrapeTarget(Struct, frozen=True):
    """What a Prometheus server scrapes, or fails to."""

    job: str
    instance: str
    up: bool


class ScrapedPage(Struct, frozen=True):
    """What a target that the brokers' selector matches showed when it was scraped last.

    Attributes:
        job: of the target.
        instance: its address, as host:port.
        node: the node id that its page shows; -1 where it could not be scraped or shows none; None where several.
        started_ms: when Kafka started in that process, milliseconds since 1970; -1 and None as `node`.
    """

    job: str
    instance: str
    node: int | None
    started_ms: int | None


class Targets(Protocol):
    """A connection to who scrapes."""

    def targets(self) -> tuple[Sequence[ScrapeTarget], Sequence[Gap]] | str:
        """Return what is scraped, or why the question has no meaning here."""

    def broker_pages(self) -> tuple[Sequence[ScrapedPage], Sequence[Gap]] | str:
        """Return what the targets of brokers showed, or why the question has no meaning here."""


class Metrics(Protocol):
    """A connection that reads metrics: a JVM that did not answer is a gap, with {"broker": id} where it is a broker."""

    def brokers(self, asked: tuple[Metric, ...]) -> Sheets:
        """Return a sheet for each broker and controller that answered: once for all who ask for the same metrics."""

    def applications(self, asked: tuple[Metric, ...]) -> Sheets:
        """Return a sheet for each application that answered: JVMs with producers, consumers or Connect in them."""
