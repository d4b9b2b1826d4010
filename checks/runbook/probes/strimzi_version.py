"""Versions of Strimzi's Kafka clusters: what their resources ask for, and what the operator says is in force."""

from typing import TYPE_CHECKING, Annotated

from runbook.answers.kubernetes.namespaced import Namespaced
from runbook.answers.kubernetes.objects import is_observed, stated
from runbook.answers.kubernetes.strimzi import is_paused
from runbook.formats.declared import at, by
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.row import Cell, row_of
from runbook.probes._strimzi import NAMESPACE, REQUESTS, observed

if TYPE_CHECKING:
    from runbook.connections.kubernetes import Kubernetes


class StrimziVersion(Namespaced):
    """A Kafka cluster; what is in force is empty where the operator does not say it, as while it is paused."""

    kafka: Annotated[str, Cell("Name of the Kafka resource.", key=True)] = at("metadata.name")
    operator: Annotated[str, Cell("Version of the operator that carried the resource out last.")] = at(
        "status.operatorLastSuccessfulVersion"
    )
    version: Annotated[str, Cell("Version of Kafka in force.")] = at("status.kafkaVersion")
    wanted_version: Annotated[str, Cell("Version of Kafka asked for; empty where it is the operator's newest.")] = at(
        "spec.kafka.version"
    )
    level: Annotated[str, Cell("Metadata version in force.")] = at("status.kafkaMetadataVersion")
    wanted_level: Annotated[str, Cell("Metadata version asked for; empty where it follows the version of Kafka.")] = at(
        "spec.kafka.metadataVersion"
    )
    ready: Annotated[bool, Cell("Whether the operator says that the cluster is as described.")] = stated("Ready")
    observed: Annotated[bool, Cell("Whether it has seen the newest description.")] = by(is_observed)
    paused: Annotated[bool, Cell("Whether it is paused, by annotation.")] = by(is_paused)
    held: Annotated[bool, Cell("Whether the operator says that it is paused.")] = stated("ReconciliationPaused")


PROBE = Probe(
    connections=("kubernetes",),
    help="One row per Kafka resource of Strimzi: the versions asked for and in force.",
    row=StrimziVersion,
    requests=REQUESTS,
    rights=("list kafkas of kafka.strimzi.io in the namespace", NAMESPACE),
)


def observe(kubernetes: "Kubernetes") -> Observed:
    """Observe every Kafka resource; where there is no Strimzi the question has no meaning."""
    return observed(kubernetes, {"kafkas": lambda kafkas: [row_of(StrimziVersion, kafka.whole) for kafka in kafkas]})
