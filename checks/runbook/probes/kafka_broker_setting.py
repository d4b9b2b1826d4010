"""Every setting of every broker, for comparing brokers with each other."""

from runbook.connections.kafka import Kafka
from runbook.engine.column import Column
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe

PROBE = Probe(
    connections=("kafka",),
    help="One row per broker and setting.",
    columns=(
        Column("broker", "int", "Node id.", key=True, entity="broker"),
        Column("setting", "string", "Name of the setting.", key=True, entity="setting"),
        Column("value", "string", "Value in force; empty when not set, unknown when Kafka hides it."),
        Column("source", "string", "Where it comes from, such as STATIC_BROKER_CONFIG or DEFAULT_CONFIG."),
        Column("per_broker", "bool", "Whether it rightly differs between brokers, as node.id does."),
        Column("sensitive", "bool", "Whether Kafka hides the value."),
        Column("read_only", "bool", "Whether a change needs a restart."),
    ),
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


def observe(kafka: Kafka) -> Observed:
    """Observe all settings of all brokers that tell them."""
    told, gaps = kafka.broker_settings()
    rows = [
        (
            broker,
            name,
            None if setting.sensitive else setting.value or "",
            setting.source,
            is_per_broker(name),
            setting.sensitive,
            setting.read_only,
        )
        for broker, settings in told.items()
        for name, setting in sorted(settings.items())
    ]
    return Observed(rows=rows, gaps=gaps)


def is_per_broker(name: str) -> bool:
    """Say whether a setting rightly differs between brokers, also when given for one listener only."""
    return name in PER_BROKER or (name.startswith("listener.name.") and name.endswith(".ssl.keystore.location"))
