"""The cluster's versioned features."""

from runbook.connections.kafka import Kafka
from runbook.connections.kafka.errors import TooOld
from runbook.engine.column import Column
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe

PROBE = Probe(
    connections=("kafka",),
    help="One row per versioned feature, such as metadata.version.",
    columns=(
        Column("feature", "string", "Name.", key=True),
        Column("finalized", "int", "Level in force; 0 for off."),
        Column("min", "int", "Least level that the answering broker supports."),
        Column("max", "int", "Greatest level that the answering broker supports."),
    ),
    requests=("ApiVersions",),
    rights=("none: brokers tell their versions to every client",),
)


def observe(kafka: Kafka) -> Observed:
    """Observe the features."""
    try:
        features = kafka.features()
    except TooOld:
        return Observed(inapplicable="the brokers are older than Kafka 2.7, which has no versioned features")
    return Observed(rows=[(f.name, f.finalized, f.least, f.greatest) for f in features.values()])
