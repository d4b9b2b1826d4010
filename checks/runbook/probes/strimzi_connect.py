"""Kafka Connect and MirrorMaker 2 as Strimzi's resources declare them: groups of workers."""

from typing import Annotated, Any

from runbook.answers.kubernetes.objects import many, part, text
from runbook.formats.declared import Means, at
from runbook.model.fact import Observed
from runbook.model.row import Cell, row_of
from runbook.probes._strimzi import (
    OPERATOR,
    SOURCE,
    Declared,
    DeclaredRow,
    Declares,
    config_value,
    observed,
    probe_of,
    whole_number,
)


class StrimziConnect(DeclaredRow):
    """A group of workers."""

    kind: Annotated[str, Cell("KafkaConnect or KafkaMirrorMaker2.", key=True)]
    resource: Annotated[str, Cell("Name.", key=True)] = at("name")
    version: Annotated[str, Cell("Version of the API it is written in, such as v1 or v1beta2.")] = at("version")
    source: Annotated[str, SOURCE] = at("source")
    replicas: Annotated[int, Cell("Workers asked for.", unit="pods")] = at("spec.replicas", absent=Means(3, OPERATOR))
    bootstrap: Annotated[str, Cell("Where it keeps its own topics, as it is written.")]
    reached: Annotated[str, Cell("The same, with the namespace of a Service of its own namespace said.")]
    group: Annotated[str, Cell("group.id of its workers; two groups of one name and cluster are one.")]
    topics: Annotated[list[str], Cell("Its topics for offsets, configuration and status.")]
    replication: Annotated[int, Cell("Replicas of the topic of the three that has fewest; -1 as the broker has it.")]
    tls: Annotated[bool, Cell("Whether it speaks TLS to that cluster.")]
    authentication: Annotated[str, Cell("How it logs in there: tls, scram-sha-512…; empty for not at all.")]
    sources_in_clear: Annotated[list[str], Cell("Bootstrap servers that its mirrors read from without TLS.")]


PROBE = probe_of(
    StrimziConnect,
    "kafkaconnects",
    "kafkamirrormaker2s",
    help="One row per KafkaConnect and KafkaMirrorMaker2 of Strimzi.",
)


def observe(strimzi: Declares) -> Observed:
    """Observe the groups that are declared."""
    return observed(
        strimzi,
        {
            "kafkaconnects": lambda found: [_row("KafkaConnect", resource) for resource in found],
            "kafkamirrormaker2s": lambda found: [_row("KafkaMirrorMaker2", resource) for resource in found],
        },
    )


def _row(kind: str, one: Declared) -> StrimziConnect:
    mirrors = kind == "KafkaMirrorMaker2"
    home = _target(one.spec) if mirrors else one.spec
    config = part(home, "config")
    group = text(home, "groupId") or config_value(
        config, "group.id", "mirrormaker2-cluster" if mirrors else "connect-cluster"
    )
    return row_of(
        StrimziConnect,
        one,
        kind=kind,
        bootstrap=text(home, "bootstrapServers"),
        reached=",".join(_reached(server, one.namespace) for server in text(home, "bootstrapServers").split(",")),
        group=group,
        topics=[
            text(home, f"{what}StorageTopic")
            or config_value(
                config, f"{what}.storage.topic", f"{'mirrormaker2' if mirrors else 'connect'}-cluster-{ending}"
            )
            for what, ending in (("offset", "offsets"), ("config", "configs"), ("status", "status"))
        ],
        replication=min(
            (whole_number(config, f"{what}.storage.replication.factor", 3) for what in ("offset", "config", "status")),
            key=lambda factor: factor if factor > 0 else 1 << 20,  # -1: what the broker says
        ),
        tls="tls" in home,
        authentication=text(home, "authentication", "type"),
        sources_in_clear=sorted(
            text(source, "bootstrapServers") for source in _sources(one.spec) if "tls" not in source
        ),
    )


def _reached(server: str, namespace: str) -> str:
    """An address that means the same in every namespace: a Service's short name is one of the own namespace."""
    host, _, port = server.strip().partition(":")
    labels = host.split(".")
    if len(labels) == 1:
        return f"{host}.{namespace}:{port}"
    return f"{labels[0]}.{labels[1]}:{port}" if labels[2:3] == ["svc"] else f"{host}:{port}"


def _sources(spec: dict[str, Any]) -> list[dict[str, Any]]:
    """The clusters that mirrors read from: as each says, until v1beta2 those of `clusters` that they name."""
    mirrors = many(spec, "mirrors")
    named = {text(mirror, "sourceCluster") for mirror in mirrors}
    known = [cluster for cluster in many(spec, "clusters") if text(cluster, "alias") in named]
    return known + [part(mirror, "source") for mirror in mirrors if "source" in mirror]


def _target(spec: dict[str, Any]) -> dict[str, Any]:
    """The cluster whose Connect it is: `target`, until v1beta2 the one of `clusters` that `connectCluster` names."""
    if "target" in spec:
        return part(spec, "target")
    alias = text(spec, "connectCluster")
    return next((cluster for cluster in many(spec, "clusters") if text(cluster, "alias") == alias), {})
