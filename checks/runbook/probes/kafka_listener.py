"""The listeners of every broker, as its settings tell them."""

from runbook.connections.kafka import Kafka
from runbook.engine.column import Column
from runbook.engine.fact import Gap, Observed
from runbook.engine.probe import Probe
from runbook.formats.listeners import listeners

PROBE = Probe(
    connections=("kafka",),
    help="One row per broker and listener.",
    columns=(
        Column("broker", "int", "Node id.", key=True, entity="broker"),
        Column("listener", "string", "Its name.", key=True, entity="listener"),
        Column("protocol", "string", "PLAINTEXT, SSL, SASL_PLAINTEXT or SASL_SSL; empty where the map lacks it."),
        Column("host", "string", "Where clients are told to come; of a controller's, where it listens.", entity="host"),
        Column("port", "int", "Likewise."),
        Column("bound_host", "string", "The address it listens on; empty or 0.0.0.0 for more than one."),
        Column("mechanisms", "list[string]", "Of SASL, that are enabled there."),
        Column("client_certificate", "string", "none, requested or required; empty where no TLS is spoken."),
        Column("between_brokers", "bool", "Whether brokers replicate over it."),
        Column("for_controllers", "bool", "Whether it is one of the metadata quorum's."),
    ),
    requests=("ApiVersions", "DescribeCluster", "DescribeConfigs", "Metadata"),
    rights=("DescribeConfigs on the cluster",),
)


def observe(kafka: Kafka) -> Observed:
    """Observe the listeners of all brokers that tell them."""
    told, gaps = kafka.broker_settings()
    gaps, rows = [*gaps], []
    for broker, entries in told.items():
        found = listeners({name: entry.value for name, entry in entries.items()})
        if found is None:
            gaps.append(Gap(f"broker {broker} does not tell its listeners", {"broker": broker}))
        rows += [
            (
                broker,
                one.name,
                one.protocol,
                one.host,
                one.port,
                one.bound_host,
                list(one.mechanisms),
                one.client_certificate,
                one.between_brokers,
                one.for_controllers,
            )
            for one in found or ()
        ]
    return Observed(rows=rows, gaps=gaps)
