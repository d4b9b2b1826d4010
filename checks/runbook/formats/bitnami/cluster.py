"""The cluster that values of Bitnami's chart declare."""

from runbook.formats.bitnami.release import (
    BY,
    by_release,
    is_kraft,
    parts_of,
    place_of,
    replicas_of,
    settings_of,
)
from runbook.formats.chart_values import SETTINGS, Open, Values, evictable, unclear
from runbook.formats.statements import ClusterNodes, ClusterStated, NotStated, together


def cluster(values: Values) -> ClusterStated:
    """The cluster."""
    seen = Open()
    config = seen.known(lambda: settings_of(values)) or {}
    nodes = ClusterNodes(
        brokers=seen.known(lambda: _brokers(values)),
        quorum=seen.known(lambda: _quorum(values)),
        kraft=seen.known(lambda: is_kraft(values)),
        kafka_version=seen.known(lambda: _kafka_version(values)),
        budget=seen.known(lambda: max(_budget(values, part) for part in parts_of(values))),
        metrics=seen.known(lambda: "jmx" if values.flag("metrics", "jmx", "enabled", default=False) else ""),
    )
    return ClusterStated(
        by=BY,
        resource=values.name,
        source=values.source,
        places=_places(values),
        why=together([*seen.reasons, *unclear(config, values.layers)]),
        name=values.name,
        config=config,
        nodes=nodes,
    )


def _brokers(values: Values) -> int:
    alone = values.flag("controller", "controllerOnly", default=False)
    return replicas_of(values, "broker") + (0 if alone else replicas_of(values, "controller"))


def _quorum(values: Values) -> int:
    if is_kraft(values):
        return replicas_of(values, "controller")
    if values.flag("zookeeper", "enabled", default=False):
        return values.number("zookeeper", "replicaCount", default=1)
    raise NotStated("how many servers its ZooKeeper has is not said")


def _kafka_version(values: Values) -> str:
    """The tag's; without one the chart's own: 4.0.0 in all of 32, and before it some 3."""
    if not values.has("image", "tag"):
        return "4.0.0" if by_release(values, "the version of Kafka", "image", "tag") else "3.x"
    tag = values.text("image", "tag").removeprefix("v").partition("-")[0]
    if not tag.replace(".", "").isdecimal():
        raise NotStated("image.tag says no version of Kafka")
    return tag


def _budget(values: Values, part: str) -> int:
    """Pods of a StatefulSet that may be evicted at once: all of them without a disruption budget."""
    replicas, given = replicas_of(values, part), values.given(part, "pdb", "create")
    made = given if given is not None else by_release(values, "the disruption budget", part, "pdb", "create")
    if given is None and not made:
        raise NotStated(f"{part}.pdb.create is not set, and charts before 32 differ in it")
    if not made:
        return replicas
    most = values.given(part, "pdb", "maxUnavailable")
    return evictable(replicas, None if most else values.given(part, "pdb", "minAvailable"), most)


def _places(values: Values) -> dict[str, str]:
    return {column: place_of(values, name) for column, name in SETTINGS.items()} | {
        "": values.place(),
        "brokers": values.place("broker", "replicaCount"),
        "quorum": values.place("controller", "replicaCount"),
        "kafka_version": values.place("image", "tag"),
        "budget": values.place("broker", "pdb"),
        "metrics": values.place("metrics", "jmx", "enabled"),
    }
