"""The brokers: which there are, in which racks, and which of them answer."""

from runbook.connections.kafka import Kafka
from runbook.engine.column import Column
from runbook.engine.fact import Gap, Observed
from runbook.engine.probe import Probe

PROBE = Probe(
    connections=("kafka",),
    help="One row per broker that is registered, or that replica lists still name.",
    columns=(
        Column("broker", "int", "Node id.", key=True, entity="broker"),
        Column("rack", "string", "broker.rack; empty when none is set, unknown when not registered.", entity="rack"),
        Column("host", "string", "Advertised host; empty when not registered.", entity="host"),
        Column("port", "int", "Advertised port; -1 when not registered."),
        Column(
            "fenced",
            "bool",
            "Kept out of service: registered but fenced (KRaft), or holding replicas without being registered.",
        ),
        Column("answers", "bool", "Whether the broker itself answered a request of ours in its time."),
    ),
    requests=("ApiVersions", "DescribeCluster", "Metadata"),
    rights=("Describe on all topics, to see brokers that replica lists alone still name",),
)


def observe(kafka: Kafka) -> Observed:
    """Observe every broker; one that does not answer is a row all the same."""
    brokers = kafka.brokers()
    answers = [error is None for error in kafka.silences(brokers)]
    rows = [(b.id, b.rack, b.host, b.port, b.fenced, a) for b, a in zip(brokers, answers, strict=True)]
    unseen = kafka.cluster().unseen
    gaps = [Gap(f"fenced brokers may be missing: {unseen}")] if unseen else []
    return Observed(rows=rows, gaps=gaps)
