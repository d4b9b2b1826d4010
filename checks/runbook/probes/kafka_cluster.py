"""The header of every report: which cluster this is, how it runs and how much of it answers."""

from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

from runbook.answers.kafka.errors import LostOnTheWay
from runbook.model.errors import CannotLook, Unsupported
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import ControllerId
from runbook.model.row import Cell, Row
from runbook.probes.kafka_quorum import active_controller

if TYPE_CHECKING:
    from runbook.connections.kafka import Kafka


class KafkaCluster(Row):
    """The cluster."""

    cluster_id: Annotated[str, Cell("The cluster's id, given when it was formatted.", key=True, entity="cluster")]
    mode: Annotated[str | None, Cell("kraft or zookeeper: where the cluster keeps its metadata.")]
    kafka_version: Annotated[str | None, Cell("Release of the brokers, as far as they tell it, such as 4.1.")]
    metadata_version: Annotated[
        str | None, Cell("metadata.version in force, such as 4.1-IV1; empty in ZooKeeper mode.")
    ]
    elr_enabled: Annotated[bool | None, Cell("Whether eligible leader replicas (KIP-966) are in force.")]
    brokers: Annotated[
        int, Cell("Registered brokers; in KRaft from Kafka 4.0 with those that are down.", unit="brokers")
    ]
    answering: Annotated[
        int | None,
        Cell(
            "Brokers that answered a request of ours; unknown where that is not known of one of them.",
            unit="brokers",
        ),
    ]
    controller: Annotated[ControllerId | None, Cell("The active controller's node id; -1 when there is none.")]


PROBE = Probe(
    connections=("kafka",),
    help="One row: the cluster.",
    row=KafkaCluster,
    requests=("ApiVersions", "DescribeCluster", "DescribeConfigs", "DescribeQuorum", "Metadata"),
    rights=("Describe on the cluster, for the controller in KRaft mode",),
)

_ELR = "eligible.leader.replicas.version"
_FIRST_LEVEL = 7  # 3.3-IV3, the first that KRaft brokers of today accept
_LEVELS = (
    "3.3-IV3",
    "3.4-IV0",
    "3.5-IV0",
    "3.5-IV1",
    "3.5-IV2",
    "3.6-IV0",
    "3.6-IV1",
    "3.6-IV2",
    "3.7-IV0",
    "3.7-IV1",
    "3.7-IV2",
    "3.7-IV3",
    "3.7-IV4",
    "3.8-IV0",
    "3.9-IV0",
    "4.0-IV0",
    "4.0-IV1",
    "4.0-IV2",
    "4.0-IV3",
    "4.1-IV0",
    "4.1-IV1",
    "4.2-IV0",
    "4.2-IV1",
    "4.3-IV0",
    "4.4-IV0",
)
"""Names of the levels of metadata.version from `_FIRST_LEVEL` on (Kafka's enum MetadataVersion)."""


def observe(kafka: "Kafka") -> Observed:
    """Observe the cluster as a whole; what can't be found out is None, the cluster's id excepted."""
    cluster = kafka.cluster()
    silences = kafka.silences(cluster.brokers)
    lost = any(isinstance(error, LostOnTheWay) for error in silences)
    kraft = _kraft(kafka)
    metadata_version, elr = _levels(kafka, kraft=kraft)
    mode = None if kraft is None else "kraft" if kraft else "zookeeper"
    row = KafkaCluster(
        cluster_id=cluster.id,
        mode=mode,
        kafka_version=_release(kafka),
        metadata_version=metadata_version,
        elr_enabled=elr,
        brokers=len(cluster.brokers),
        answering=None if lost else silences.count(None),
        controller=_controller(kafka, kraft=kraft),
    )
    return Observed(rows=[row])


def level_name(level: int) -> str:
    """Name a level of metadata.version; levels newer than this list keep their number."""
    place = level - _FIRST_LEVEL
    return _LEVELS[place] if 0 <= place < len(_LEVELS) else f"level {level}"


def _kraft(kafka: "Kafka") -> bool | None:
    try:
        return kafka.is_kraft()
    except CannotLook:
        return None


def _release(kafka: "Kafka") -> str | None:
    """Tell the release by the greatest metadata.version that brokers support, or else by the requests they know."""
    with suppress(CannotLook):
        feature = kafka.features().get("metadata.version")
        if feature is not None and not (name := level_name(feature.greatest)).startswith("level"):
            return name.partition("-")[0]
    release = kafka.release()
    return None if release is None else ".".join(map(str, release))


def _levels(kafka: "Kafka", *, kraft: bool | None) -> tuple[str | None, bool | None]:
    try:
        features = kafka.features()
    except Unsupported:
        return "", False
    except CannotLook:
        return None, None
    level = features.get("metadata.version")
    elr = features.get(_ELR)
    name = level_name(level.finalized) if level is not None and level.finalized else "" if kraft is False else None
    return name, elr is not None and elr.finalized >= 1


def _controller(kafka: "Kafka", *, kraft: bool | None) -> ControllerId | None:
    """In KRaft mode DescribeCluster names any live broker as controller, so the quorum's leader is asked for."""
    try:
        if kraft:
            return active_controller(kafka.quorum())
        return ControllerId(kafka.cluster().controller) if kraft is False else None
    except CannotLook:
        return None
