"""Kafka Connect, MirrorMaker 2 and the HTTP Bridge as Strimzi's resources declare them: clients of Kafka."""

from collections import Counter
from functools import partial
from typing import Annotated, Any, Final, NamedTuple

from msgspec.structs import replace

from runbook.answers.kubernetes.objects import number, part, text
from runbook.formats.declared import Means, at
from runbook.formats.strimzi_client_rules import of_clients
from runbook.model.fact import Observed
from runbook.model.quantity import Bytes
from runbook.model.row import Cell, row_of
from runbook.probes._strimzi import (
    OPERATOR,
    SOURCE,
    Declared,
    Declares,
    PlacedRow,
    config_value,
    each,
    kept_apart,
    observed,
    probe_of,
    requested,
    whole_number,
)
from runbook.probes._strimzi_ends import clusters, has_login, sources

_FACTOR: Final = 3
"""Kafka Connect's default of `*.storage.replication.factor`."""

_PODS: Final = {
    "KafkaConnect": ("kafka-connect", "connect"),
    "KafkaMirrorMaker2": ("kafka-mirror-maker-2", "mirrormaker2"),
    "KafkaBridge": ("kafka-bridge", "bridge"),
}
"""Kind → the component that its pods are, and what follows the resource's name in theirs."""


_DEFAULTS: Final = {"KafkaConnect": "connect-cluster", "KafkaMirrorMaker2": "mirrormaker2-cluster"}
"""Kind → group.id where none is set, with which the names of its topics begin, too; a bridge has no state."""


_BOOTSTRAP: Final = "-kafka-bootstrap"
"""How Strimzi calls the Service of a cluster, behind the cluster's name."""


class StrimziConnect(PlacedRow):
    """A group of workers, or the pods of a bridge."""

    kind: Annotated[str, Cell("KafkaConnect, KafkaMirrorMaker2 or KafkaBridge.", key=True)]
    resource: Annotated[str, Cell("Name.", key=True)] = at("name")
    version: Annotated[str, Cell("Version of the API it is written in, such as v1 or v1beta2.")] = at("version")
    source: Annotated[str, SOURCE] = at("source")
    replicas: Annotated[
        int, Cell("Pods asked for; without a number 3 workers, and 1 bridge.", unit="pods", written="spec.replicas")
    ]
    bootstrap: Annotated[str, Cell("The cluster it belongs to, with its own topics if it has any, as it is written.")]
    reached: Annotated[
        str,
        Cell(
            "The same in order, with the namespace of a Service of its own namespace said, and without the port of "
            "Strimzi's own Service, of which each listener has another."
        ),
    ]
    group: Annotated[str, Cell("group.id of its workers; two of one name and cluster are one. Empty for a bridge.")]
    topics: Annotated[list[str], Cell("Its topics for offsets, configuration and status; a bridge has none.")]
    shared: Annotated[list[str], Cell("Those of them that another resource names for the same cluster, too.")]
    replication: Annotated[
        int, Cell("Replicas of the topic of the three that has fewest; -1 as the broker has it, and for a bridge.")
    ]
    tls: Annotated[bool, Cell("Whether it speaks TLS to that cluster.")]
    authentication: Annotated[str, Cell("How it logs in there: tls, scram-sha-512…; empty for not at all.")]
    budget: Annotated[int, Cell("Pods that its disruption budget lets go at once.", unit="pods")] = at(
        "spec.template.podDisruptionBudget.maxUnavailable", absent=Means(1, OPERATOR)
    )
    apart: Annotated[
        list[str],
        Cell(
            "Topology keys over which its pods must keep off each other, or be spread evenly.",
            written="spec.template.pod",
        ),
    ]
    sources_in_clear: Annotated[list[str], Cell("Bootstrap servers that its mirrors read from without TLS.")]
    sources_without_login: Annotated[
        list[str], Cell("Bootstrap servers that its mirrors read from without authentication.")
    ]
    refused: Annotated[list[str], Cell("Why the operator refuses the resource; empty where it takes it.")]
    http: Annotated[str, Cell("How a bridge is reached: http or https; empty for others.", written="spec.http")]
    metrics: Annotated[str, Cell("Type of the metrics it exports; empty for none.")] = at("spec.metricsConfig.type")
    cpu_request: Annotated[
        int, Cell("CPU asked for; 0 for none.", unit="thousandths of a CPU", written="spec.resources.requests.cpu")
    ]
    memory_request: Annotated[Bytes, Cell("Memory asked for; 0 for none.", written="spec.resources.requests.memory")]
    memory_limit: Annotated[
        Bytes, Cell("Most memory it may use; 0 for no limit.", written="spec.resources.limits.memory")
    ]


PROBE = probe_of(
    StrimziConnect,
    "kafkaconnects",
    "kafkamirrormaker2s",
    "kafkabridges",
    help="One row per KafkaConnect, KafkaMirrorMaker2 and KafkaBridge of Strimzi.",
)


def observe(strimzi: Declares) -> Observed:
    """Observe the groups that are declared."""
    seen = observed(
        strimzi,
        {
            "kafkaconnects": lambda found: each(found, partial(_row, "KafkaConnect")),
            "kafkamirrormaker2s": lambda found: each(found, partial(_row, "KafkaMirrorMaker2")),
            "kafkabridges": lambda found: each(found, partial(_row, "KafkaBridge")),
        },
    )
    groups: list[Any] = list(seen.rows)  # of StrimziConnect
    named = Counter((row.reached, topic) for row in groups for topic in {*row.topics})
    rows = [
        replace(row, shared=[topic for topic in row.topics if row.reached and named[row.reached, topic] > 1])
        for row in groups
    ]
    return replace(seen, rows=rows)


def _row(kind: str, one: Declared) -> StrimziConnect:
    home, path = _target(one.spec) if kind == "KafkaMirrorMaker2" else (one.spec, ("spec",))
    state = _state(kind, home) if kind in _DEFAULTS else _State("", [], -1, "")
    read = sources(one.spec)
    in_clear = [source for source in read if not source.tls]
    anonymous = [source for source in read if not source.login]
    http = part(one.spec, "http")
    room = requested(part(one.spec, "resources"))
    topics = (*path, "configStorageTopic" if "configStorageTopic" in home else "config")
    problems = of_clients(kind, one.whole | {"spec": one.spec})
    return row_of(
        StrimziConnect,
        one,
        places=one.places(
            StrimziConnect,
            bootstrap=(*path, "bootstrapServers"),
            tls=(*path, "tls"),
            authentication=(*path, "authentication"),
            group=(*path, "groupId") if "groupId" in home else (*path, "config", "group.id"),
            topics=topics,
            shared=topics,
            replication=(*path, "config", state.factor),
            refused=problems[0].path if problems else (),
            sources_in_clear=(*in_clear[0].path, "bootstrapServers") if in_clear else ("spec", "mirrors"),
            sources_without_login=(*anonymous[0].path, "bootstrapServers") if anonymous else ("spec", "mirrors"),
        ),
        kind=kind,
        # the operator's own defaults (KafkaConnectCluster, KafkaBridgeCluster)
        replicas=number(one.spec, "replicas", default=1 if kind == "KafkaBridge" else 3),
        apart=_apart(kind, one),
        bootstrap=text(home, "bootstrapServers"),
        reached=",".join(
            sorted(
                {
                    _reached(server.strip(), one.namespace)
                    for server in text(home, "bootstrapServers").split(",")
                    if server.strip()
                }
            )
        ),
        group=state.group,
        topics=state.topics,
        shared=[],
        replication=state.replication,
        tls="tls" in home,
        authentication=text(home, "authentication", "type") if has_login(home) else "",
        sources_in_clear=sorted({source.servers for source in in_clear}),
        sources_without_login=sorted({source.servers for source in anonymous}),
        refused=[problem.says for problem in problems],
        http="" if not http else "https" if "tls" in http else "http",
        cpu_request=room.cpu,
        memory_request=room.memory,
        memory_limit=room.limit,
    )


class _State(NamedTuple):
    """Where a group of workers keeps its state; `factor` is the setting that says how many replicas the topics have."""

    group: str
    topics: list[str]
    replication: int
    factor: str


def _state(kind: str, home: dict[str, Any]) -> _State:
    config, default = part(home, "config"), _DEFAULTS[kind]
    factors = {
        name: whole_number(config, name, _FACTOR)
        for name in (f"{what}.storage.replication.factor" for what in ("offset", "config", "status"))
    }
    # -1 is what the broker says; of equal ones that which is written
    fewest = min(factors, key=lambda name: (factors[name] if factors[name] > 0 else 1 << 20, name not in config))
    return _State(
        group=text(home, "groupId") or config_value(config, "group.id", default),
        topics=[
            text(home, f"{what}StorageTopic") or config_value(config, f"{what}.storage.topic", f"{default}-{ending}")
            for what, ending in (("offset", "offsets"), ("config", "configs"), ("status", "status"))
        ],
        replication=factors[fewest],
        factor=fewest,
    )


def _apart(kind: str, one: Declared) -> list[str]:
    component, ending = _PODS[kind]
    of_name = replace(one, cluster=one.name)
    template = part(one.spec, "template", "pod")
    called = f"{one.name}-{ending}"
    keeper = {"strimzi.io/controller": "strimzipodset", "strimzi.io/controller-name": called}
    own = {"strimzi.io/kind": kind} | ({} if kind == "KafkaBridge" else keeper)  # a bridge is a Deployment
    return kept_apart(of_name, template, component=component, name=called, own=own)


def _reached(server: str, namespace: str) -> str:
    """An address that means the same in every namespace: a Service's short name is one of the own namespace."""
    if server.startswith("["):  # an IPv6 address
        return server
    host, colon, port = server.partition(":")
    labels = host.split(".")
    if len(labels) == 1:
        host = f"{host}.{namespace}"
    elif labels[2:3] == ["svc"]:
        host = f"{labels[0]}.{labels[1]}"
    return host if labels[0].endswith(_BOOTSTRAP) else f"{host}{colon}{port}"


def _target(spec: dict[str, Any]) -> tuple[dict[str, Any], tuple[str | int, ...]]:
    """The cluster whose Connect it is: `target`, until v1beta2 the one of `clusters` that `connectCluster` names."""
    if "target" in spec:
        return part(spec, "target"), ("spec", "target")
    alias = text(spec, "connectCluster")
    known = ((cluster, path) for path, cluster in clusters(spec) if text(cluster, "alias") == alias)
    return next(known, ({}, ("spec", "connectCluster")))
