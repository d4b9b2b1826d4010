"""Versions of Strimzi's Kafka clusters: what their resources ask for, and what the operator says is in force."""

from typing import TYPE_CHECKING, Annotated

from runbook.answers.kubernetes.objects import is_true, labels, number, part, text
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.row import Cell, Row
from runbook.probes._strimzi import NAMESPACE, REQUESTS, Declared, observed

if TYPE_CHECKING:
    from runbook.connections.kubernetes import Kubernetes


class StrimziVersion(Row):
    """A Kafka cluster; what is in force is empty where the operator does not say it, as while it is paused."""

    kafka: Annotated[str, Cell("Name of the Kafka resource.", key=True)]
    operator: Annotated[str, Cell("Version of the operator that carried the resource out last.")]
    version: Annotated[str, Cell("Version of Kafka in force.")]
    wanted_version: Annotated[str, Cell("Version of Kafka asked for; empty where it is the operator's newest.")]
    level: Annotated[str, Cell("Metadata version in force.")]
    wanted_level: Annotated[str, Cell("Metadata version asked for; empty where it follows the version of Kafka.")]
    ready: Annotated[bool, Cell("Whether the operator says that the cluster is as described.")]
    observed: Annotated[bool, Cell("Whether it has seen the newest description.")]
    paused: Annotated[bool, Cell("Whether somebody has paused it, by annotation.")]
    held: Annotated[bool, Cell("Whether the operator says that it is paused.")]


PROBE = Probe(
    connections=("kubernetes",),
    help="One row per Kafka resource of Strimzi: the versions asked for and in force.",
    row=StrimziVersion,
    requests=REQUESTS,
    rights=("list kafkas of kafka.strimzi.io in the namespace", NAMESPACE),
)


def observe(kubernetes: "Kubernetes") -> Observed:
    """Observe every Kafka resource; where there is no Strimzi the question has no meaning."""
    return observed(kubernetes, {"kafkas": lambda kafkas: map(_row, kafkas)})


def _row(kafka: Declared) -> StrimziVersion:
    asked, said = part(kafka.spec, "kafka"), part(kafka.whole, "status")
    seen = number(said, "observedGeneration", default=-1)
    return StrimziVersion(
        kafka=kafka.name,
        operator=text(said, "operatorLastSuccessfulVersion"),
        version=text(said, "kafkaVersion"),
        wanted_version=text(asked, "version"),
        level=text(said, "kafkaMetadataVersion"),
        wanted_level=text(asked, "metadataVersion"),
        ready=is_true(kafka.whole, "Ready"),
        observed=seen == number(kafka.whole, "metadata", "generation"),
        paused=labels(kafka.whole, "metadata", "annotations").get("strimzi.io/pause-reconciliation") == "true",
        held=is_true(kafka.whole, "ReconciliationPaused"),
    )
