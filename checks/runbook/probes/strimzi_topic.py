"""KafkaTopic resources of Strimzi, as they are declared."""

from collections.abc import Iterator
from typing import Annotated, Any

from runbook.answers.kubernetes.objects import number, part, text
from runbook.answers.kubernetes.strimzi import is_managed
from runbook.answers.manifests import UnreadManifest
from runbook.formats.declared import Means, at, by, setting
from runbook.model.fact import Gap, Observed
from runbook.model.row import Cell, Row, row_of
from runbook.probes._strimzi import (
    SOURCE,
    Declared,
    Declares,
    PlacedRow,
    declared_if_any,
    each,
    observed,
    probe_of,
    unread,
    whole_number,
    without_kafka,
)


class StrimziTopic(PlacedRow):
    """A topic as its resource declares it; what it leaves out is what its Kafka resource says."""

    resource: Annotated[str, Cell("Name of the resource.", key=True)] = at("name")
    topic: Annotated[str, Cell("Name of the topic.", entity="topic", written="spec.topicName")]
    kafka: Annotated[str, Cell("The Kafka resource it belongs to, by its label; empty for none.")] = at("cluster")
    version: Annotated[str, Cell("Version of the API it is written in, such as v1 or v1beta2.")] = at("version")
    source: Annotated[str, SOURCE] = at("source")
    managed: Annotated[bool, Cell("Whether the operator acts on it (annotation strimzi.io/managed).")] = by(
        is_managed, "whole"
    )
    partitions: Annotated[int, Cell("Partitions; -1 where the broker decides.", unit="partitions")] = at(
        "spec.partitions", absent=Means(-1, "the broker decides")
    )
    replicas: Annotated[
        int | None, Cell("Replicas of each partition.", unit="replicas", why="why", written="spec.replicas")
    ]
    min_insync: Annotated[
        int | None,
        Cell("min.insync.replicas.", unit="replicas", why="why", written="spec.config['min.insync.replicas']"),
    ]
    why: Annotated[str, Cell("Why one of the two is not known; empty where both are.")]
    unclean_election: Annotated[bool, Cell("Whether the topic itself sets unclean.leader.election.enable.")] = setting(
        "unclean.leader.election.enable", "spec.config", absent=Means(value=False, because="the topic sets none")
    )


PROBE = probe_of(StrimziTopic, "kafkas", "kafkatopics", help="One row per KafkaTopic of Strimzi.")


def observe(strimzi: Declares) -> Observed:
    """Observe the topics that are declared."""

    def rows(found: list[Declared]) -> Iterator[Row | Gap]:
        kafkas = {kafka.home: kafka for kafka in declared_if_any(strimzi, "kafkas")} if found else {}
        lost = unread(strimzi, "kafkas") if found else []
        return each(found, lambda one: _row(one, kafkas.get(one.home), lost))

    return observed(strimzi, {"kafkatopics": rows})


def _row(one: Declared, kafka: Declared | None, lost: list[UnreadManifest]) -> StrimziTopic:
    defaults = None if kafka is None else part(kafka.spec, "kafka", "config")
    config = part(one.spec, "config")
    replicas = number(one.spec, "replicas", default=-1)
    least = whole_number(config, "min.insync.replicas", -1)
    known = defaults is not None or (replicas > 0 and least > 0)
    return row_of(
        StrimziTopic,
        one,
        places=_places(one, kafka, replicas, least),
        topic=text(one.spec, "topicName") or one.name,
        replicas=replicas if replicas > 0 else _default(defaults, "default.replication.factor"),
        min_insync=least if least > 0 else _default(defaults, "min.insync.replicas"),
        why="" if known else without_kafka(one, lost),
    )


def _places(one: Declared, kafka: Declared | None, replicas: int, least: int) -> dict[str, str]:
    """Where the cells stand: what the topic leaves out, at the default that its Kafka resource sets."""
    own = one.places(StrimziTopic)
    given = {"replicas": (replicas, "default.replication.factor"), "min_insync": (least, "min.insync.replicas")}
    inherited = {
        column: kafka.place("spec", "kafka", "config", key)
        for column, (value, key) in given.items()
        if kafka is not None and value <= 0
    }
    return own | inherited if own else {}


def _default(defaults: dict[str, Any] | None, key: str) -> int | None:
    return None if defaults is None else whole_number(defaults, key, 1)
