"""The repository of a platform team: 300 of Strimzi's resources in three namespaces, as people and tools write them.

Clusters are what `kustomize build` gives, workers what `helm template` gives, and teams write their topics, users and
connectors by hand. Sources that were not rendered, values and other manifests lie beside them. Some of it is careless
and has been so for long, as everywhere: what `DEBTS` names. The same seed gives the same files.
"""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import yaml

RESOURCES: Final = 300
JUDGED: Final = ("clusters", "teams")
"""The folders that hold what is applied."""
TEAMS: Final = {
    "orders": ("checkout", "billing", "shipping", "search", "fraud"),
    "payments": ("catalog", "pricing", "returns", "loyalty", "reporting"),
}
"""Clusters and namespaces of production, with the teams that write to them."""
DEBTS: Final = {
    "returns.refunds": "two copies",
    "search.clicks": "two copies",
    "reporting-db": "a password in clear",
    "billing-audit": "writes to every topic",
}
"""What is careless in production before anything is changed."""
_SUBJECTS: Final = (
    *("orders", "events", "audit", "clicks", "invoices", "refunds", "prices", "stock", "alerts", "sessions"),
    *("exports", "imports", "rules", "scores"),
)
_ROOM: Final = {"cpu": "2", "memory": "8Gi"}
_APART: Final = "requiredDuringSchedulingIgnoredDuringExecution"

Object = dict[str, Any]


def files(seed: int = 7) -> dict[str, str]:
    """The repository: each file's path and text."""
    dice = random.Random(seed)
    found = {"README.md": "# Kafka\n\nApplied by the pipeline: `clusters/` and `teams/`.\n"}
    found |= _sources()
    found["clusters/dev/kafka.yaml"] = _rendered(_cluster("shared", "kafka-dev", production=False))
    for cluster in TEAMS:
        found[f"clusters/prod/{cluster}.yaml"] = _rendered([*_cluster(cluster, cluster), _monitoring(cluster)])
        found[f"clusters/prod/{cluster}-connect.yaml"] = _templated([_connect(cluster)])
    found["clusters/prod/edge.yaml"] = _templated([_mirror("orders", "payments"), _mirror("payments", "orders")])
    found["clusters/prod/bridge.yaml"] = _rendered([_bridge("orders"), _of("KafkaRebalance", "orders", "full", {})])
    for cluster, teams in TEAMS.items():
        for team in teams:
            found |= {f"teams/{team}/{path}": text for path, text in _team(team, cluster, dice)}
    return found


def write(folder: Path, seed: int = 7) -> Path:
    """Write the repository to a folder."""
    for path, text in files(seed).items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    return folder


def _rendered(things: list[Object]) -> str:
    """As kustomize writes: keys in order of the alphabet, no comments."""
    return yaml.safe_dump_all(things, sort_keys=True)


def _templated(things: list[Object]) -> str:
    """As helm writes: where each document is from, and keys as the template has them."""
    return "".join(
        f"---\n# Source: connect/templates/{thing['kind'].lower()}.yaml\n{yaml.safe_dump(thing, sort_keys=False)}"
        for thing in things
    )


def _of(kind: str, namespace: str, name: str, spec: Object, cluster: str = "") -> Object:
    labels = {"strimzi.io/cluster": cluster or namespace}
    metadata = {"name": name, "namespace": namespace, "labels": labels | {"app.kubernetes.io/managed-by": "kustomize"}}
    return {"apiVersion": "kafka.strimzi.io/v1", "kind": kind, "metadata": metadata, "spec": spec}


def _cluster(name: str, namespace: str, *, production: bool = True) -> list[Object]:
    copies = 3 if production else 1
    kafka = {
        "version": "4.2.0",
        "metadataVersion": "4.2-IV1",
        "listeners": [
            {"name": "tls", "port": 9093, "type": "internal", "tls": True, "authentication": {"type": "tls"}},
            {
                "name": "scram",
                "port": 9094,
                "type": "internal",
                "tls": True,
                "authentication": {"type": "scram-sha-512"},
            },
        ],
        "authorization": {"type": "simple", "superUsers": ["CN=platform"]},
        "config": {
            "auto.create.topics.enable": False,
            "default.replication.factor": copies,
            "min.insync.replicas": max(1, copies - 1),
            "offsets.topic.replication.factor": copies,
            "transaction.state.log.min.isr": max(1, copies - 1),
            "transaction.state.log.replication.factor": copies,
        },
        "metricsConfig": {"type": "strimziMetricsReporter"},
    }
    kafka |= {"rack": {"topologyKey": "topology.kubernetes.io/zone"}} if production else {}
    spec = {"kafka": kafka, "entityOperator": {"topicOperator": {}, "userOperator": {}}}
    pools = {"brokers": (6, ["broker"]), "controllers": (3, ["controller"])}
    if not production:
        pools = {"dual": (1, ["controller", "broker"])}
    return [
        _of("Kafka", namespace, name, spec, name),
        *(_pool(namespace, name, pool, *of) for pool, of in pools.items()),
    ]


def _pool(namespace: str, cluster: str, name: str, replicas: int, roles: list[str]) -> Object:
    volume = {"id": 0, "type": "persistent-claim", "size": "200Gi", "class": "gp3", "kraftMetadata": "shared"}
    selector = {"matchLabels": {"strimzi.io/cluster": cluster, "strimzi.io/pool-name": name}}
    apart = {_APART: [{"labelSelector": selector, "topologyKey": "kubernetes.io/hostname"}]}
    spec = {
        "replicas": replicas,
        "roles": roles,
        "storage": {"type": "jbod", "volumes": [volume]},
        "resources": {"requests": _ROOM, "limits": _ROOM.copy()},
        "template": {"pod": {"affinity": {"podAntiAffinity": apart}}},
    }
    return _of("KafkaNodePool", namespace, name, spec, cluster)


def _home(cluster: str, user: str) -> Object:
    login = {"type": "tls", "certificateAndKey": {"secretName": user, "certificate": "user.crt", "key": "user.key"}}
    trusted = {"trustedCertificates": [{"secretName": f"{cluster}-cluster-ca-cert", "pattern": "*.crt"}]}
    return {"bootstrapServers": f"{cluster}-kafka-bootstrap.{cluster}:9093", "tls": trusted, "authentication": login}


def _own_topics(group: str) -> Object:
    return {"groupId": group} | {f"{kind}StorageTopic": f"{group}-{kind}" for kind in ("config", "offset", "status")}


def _workers(pods: str) -> Object:
    rule = {"maxSkew": 1, "topologyKey": "kubernetes.io/hostname", "whenUnsatisfiable": "DoNotSchedule"}
    own = {"labelSelector": {"matchLabels": {"strimzi.io/name": pods}}}
    return {
        "replicas": 3,
        "resources": {"requests": _ROOM.copy(), "limits": _ROOM.copy()},
        "metricsConfig": {"type": "strimziMetricsReporter"},
        "template": {"pod": {"topologySpreadConstraints": [rule | own]}},
    }


def _connect(cluster: str) -> Object:
    spec = _workers("connect-connect") | _home(cluster, "connect") | _own_topics(f"{cluster}-connect")
    made = _of("KafkaConnect", cluster, "connect", spec)
    made["metadata"]["annotations"] = {"strimzi.io/use-connector-resources": "true"}
    return made


def _mirror(source: str, target: str) -> Object:
    connector = {"tasksMax": 4, "autoRestart": {"enabled": True}, "config": {"replication.factor": 3}}
    one = {
        "source": {"alias": source, **_home(source, "mirror")},
        "sourceConnector": connector,
        "topicsPattern": f"{TEAMS[source][0]}[.].*",
    }
    spec = _workers(f"from-{source}-mirrormaker2")
    spec |= {"target": {"alias": target, **_home(target, "mirror"), **_own_topics(f"from-{source}")}, "mirrors": [one]}
    return _of("KafkaMirrorMaker2", target, f"from-{source}", spec)


def _bridge(cluster: str) -> Object:
    certificate = {"secretName": "web", "certificate": "tls.crt", "key": "tls.key"}
    spec = _workers("web-bridge") | _home(cluster, "bridge")
    return _of(
        "KafkaBridge", cluster, "web", spec | {"http": {"port": 8443, "tls": {"certificateAndKey": certificate}}}
    )


def _monitoring(cluster: str) -> Object:
    rule = {"resource": {"type": "topic", "name": "*"}, "operations": ["Describe", "DescribeConfigs"]}
    spec = {"authentication": {"type": "tls"}, "authorization": {"type": "simple", "acls": [rule]}}
    return _of("KafkaUser", cluster, "monitoring", spec)


def _team(team: str, cluster: str, dice: random.Random) -> Iterator[tuple[str, str]]:
    """What a team writes: topics and users for dev and production, and connectors for production."""
    subjects = [f"{team}.{subject}" for subject in _SUBJECTS]
    yield "prod/topics.yaml", _topics(team, cluster, cluster, subjects[:13], dice)
    yield "dev/topics.yaml", _topics(team, "kafka-dev", "shared", subjects[:6], dice)
    users = [f"{team}-{part}" for part in ("api", "worker", "export", "replay", "audit")]
    yield "prod/users.yaml", _users(team, cluster, cluster, users)
    yield "dev/users.yaml", _users(team, "kafka-dev", "shared", users[:2])
    if team not in ("shipping", "catalog"):
        yield "prod/connectors.yaml", _connectors(team, cluster)


def _head(kind: str, namespace: str, cluster: str, name: str, team: str) -> str:
    return f"""\
---
apiVersion: kafka.strimzi.io/v1
kind: {kind}
metadata:
  name: {name}
  namespace: {namespace}
  labels:
    strimzi.io/cluster: {cluster}
    team: {team}
"""


def _topics(team: str, namespace: str, cluster: str, names: list[str], dice: random.Random) -> str:
    found = [f"# Topics of {team}: ask in #team-{team} before you change one.\n"]
    for name in names:
        copies = 1 if namespace == "kafka-dev" else 2 if name in DEBTS else 3
        kept = dice.choice((1, 3, 7, 14)) * 86_400_000
        found.append(
            _head("KafkaTopic", namespace, cluster, name, team)
            + f"spec:\n  partitions: {dice.choice((6, 12))}\n  replicas: {copies}\n  config:\n"
            + f'    retention.ms: {kept}  # {kept // 86_400_000} d\n    cleanup.policy: "delete"\n'
        )
    return "".join(found)


def _users(team: str, namespace: str, cluster: str, names: list[str]) -> str:
    def rule(kind: str, name: str, pattern: str, operations: str) -> str:
        named = f"type: {kind}, name: {name}, patternType: {pattern}"
        return f"      - resource: {{{named}}}\n        operations: [{operations}]\n"

    found = [f"# Users of {team}, each with what it needs.\n"]
    for name in names:
        every = name in DEBTS
        topic = rule("topic", '"*"' if every else f"{team}.", "literal" if every else "prefix", "Read, Write, Describe")
        found.append(
            _head("KafkaUser", namespace, cluster, name, team)
            + "spec:\n  authentication:\n    type: scram-sha-512\n"
            + f"  authorization:\n    type: simple\n    acls:\n{topic}{rule('group', f'{name}-', 'prefix', 'Read')}"
        )
    return "".join(found)


def _connectors(team: str, cluster: str) -> str:
    found = []
    for part in ("db", "search", "lake"):
        name = f"{team}-{part}"
        secret = "changeit" if name in DEBTS else f"${{secrets:{cluster}/{name}:password}}"
        found.append(
            _head("KafkaConnector", cluster, "connect", name, team)
            + f"""\
spec:
  class: io.example.{part.capitalize()}Sink
  tasksMax: 2
  autoRestart:
    enabled: true
  config:
    topics: {team}.orders,{team}.events
    connection.url: "jdbc:postgresql://{part}.example:5432/{team}"
    connection.user: {team}
    connection.password: {secret}
    errors.tolerance: all
    errors.deadletterqueue.topic.name: {team}.dead-letters
    errors.deadletterqueue.topic.replication.factor: 3
"""
        )
    return "".join(found)


def _sources() -> dict[str, str]:
    """What is rendered first, and what is none of Strimzi's: nobody judges these."""
    patch = "apiVersion: kafka.strimzi.io/v1\nkind: Kafka\nmetadata: {name: orders}\nspec: {kafka: {version: 4.2.0}}\n"
    template = "{{- range .Values.workers }}\nkind: KafkaConnect\nmetadata: {name: {{ .name }}}\n{{- end }}\n"
    secret = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: rules, namespace: orders}\ndata: {rules.yml: 'a: 1'}\n"
    return {
        "kustomize/base/kustomization.yaml": "resources: [kafka.yaml]\n",
        "kustomize/overlays/prod/kustomization.yaml": "resources: [../../base]\npatches: [{path: version.yaml}]\n",
        "kustomize/overlays/prod/version.yaml": patch,
        "charts/connect/Chart.yaml": "apiVersion: v2\nname: connect\nversion: 0.1.0\n",
        "charts/connect/values.yaml": "workers: [{name: connect}]\n",
        "charts/connect/templates/connect.yaml": template,
        "clusters/prod/kustomization.yaml": "resources: [orders.yaml, payments.yaml]\n",
        "clusters/prod/rules.yaml": secret,
        "ci/environments.yaml": _INVENTORY,
    }


_INVENTORY: Final = """\
environments:
  prod:
    labels: {tier: prod}
    manifests: {paths: [clusters/prod, teams/*/prod]}
    absent:
      kubernetes: what only a running cluster shows, manifests do not say
      kafka: manifests, before they are applied
      zookeeper: KRaft
"""
