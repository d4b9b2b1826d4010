"""Every setting of every broker, for comparing brokers with each other."""

from typing import TYPE_CHECKING, Annotated

from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.kafka import Kafka


class KafkaBrokerSetting(Row):
    """One setting of one broker."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    setting: Annotated[str, Cell("Name of the setting.", key=True, entity="setting")]
    value: Annotated[str | None, Cell("Value in force; empty when not set, unknown when Kafka hides it.")]
    source: Annotated[str, Cell("Where it comes from, such as STATIC_BROKER_CONFIG or DEFAULT_CONFIG.")]
    per_broker: Annotated[bool, Cell("Whether it rightly differs between brokers, as node.id does.")]
    sensitive: Annotated[bool, Cell("Whether Kafka hides the value.")]
    read_only: Annotated[bool, Cell("Whether a change needs a restart.")]


PROBE = Probe(
    connections=("kafka",),
    help="One row per broker and setting.",
    row=KafkaBrokerSetting,
    requests=("ApiVersions", "DescribeCluster", "DescribeConfigs", "Metadata"),
    rights=("DescribeConfigs on the cluster",),
)

PER_BROKER = frozenset(
    {
        "advertised.host.name",
        "advertised.listeners",
        "advertised.port",
        "broker.id",
        "broker.rack",
        "host.name",
        "listeners",
        "log.dir",
        "log.dirs",
        "metadata.log.dir",
        "node.id",
        "port",
        "ssl.keystore.location",
    }
)
"""Settings that name the broker, its addresses or its disks."""


def observe(kafka: "Kafka") -> Observed:
    """Observe all settings of all brokers that tell them."""
    by_broker, gaps = kafka.broker_settings()
    rows = [
        KafkaBrokerSetting(
            broker=broker,
            setting=name,
            value=None if setting.sensitive else setting.value or "",
            source=setting.source,
            per_broker=is_per_broker(name),
            sensitive=setting.sensitive,
            read_only=setting.read_only,
        )
        for broker, settings in by_broker.items()
        for name, setting in sorted(settings.items())
    ]
    return Observed(rows=rows, gaps=gaps)


def is_per_broker(name: str) -> bool:
    """Say whether a setting rightly differs between brokers, also when given for one listener only."""
    return name in PER_BROKER or (name.startswith("listener.name.") and name.endswith(".ssl.keystore.location"))
