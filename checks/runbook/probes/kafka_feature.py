"""The cluster's versioned features."""

from typing import TYPE_CHECKING, Annotated

from runbook.model.errors import Unsupported
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.kafka import Kafka


class KafkaFeature(Row):
    """A versioned feature."""

    feature: Annotated[str, Cell("Name.", key=True)]
    finalized: Annotated[int, Cell("Level in force; 0 for off.")]
    min: Annotated[int, Cell("Least level that the answering broker supports.")]
    max: Annotated[int, Cell("Greatest level that the answering broker supports.")]


PROBE = Probe(
    connections=("kafka",),
    help="One row per versioned feature, such as metadata.version.",
    row=KafkaFeature,
    requests=("ApiVersions",),
    rights=("none: brokers tell their versions to every client",),
)


def observe(kafka: "Kafka") -> Observed:
    """Observe the features."""
    try:
        features = kafka.features()
    except Unsupported:
        return Observed(inapplicable="the brokers are older than Kafka 2.7, which has no versioned features")
    rows = [
        KafkaFeature(feature=feature.name, finalized=feature.finalized, min=feature.least, max=feature.greatest)
        for feature in features.values()
    ]
    return Observed(rows=rows)
