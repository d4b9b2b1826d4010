"""Custom resources of Strimzi by chance, always the same: the forms that few write, and that an operator takes.

Listeners of every type, settings whose names are near those that the operator keeps for itself, labels that rules of
pods select, bridges, users, connectors, and what workers and mirrors override. Each case is a list of resources.
"""

import random
from collections.abc import Callable, Iterator
from typing import Any, Final

from support.strimzi_resources import Resource, resource, sometimes

_ZONE: Final = "topology.kubernetes.io/zone"
_HOST: Final = "kubernetes.io/hostname"
_OF_ORDERS: Final = {"strimzi.io/cluster": "orders"}
_EPHEMERAL: Final = {"storage": {"type": "ephemeral"}}

_STEMS: Final = (
    *("listeners", "advertised.listeners", "broker.id", "broker.rack", "listener.security.protocol.map", "host.name"),
    *("port", "inter.broker.listener.name", "sasl.jaas.config", "ssl.client.auth", "security.providers", "log.dirs"),
    *("password.encoder.secret", "zookeeper.connect", "zookeeper.set.acl", "zookeeper.ssl.client.enable", "log.dir"),
    *("authorizer.class.name", "super.users", "node.id", "process.roles", "controller.quorum.voters", "super.user"),
    *("metadata.log.dir", "zookeeper.metadata.migration.enable", "cordoned.log.dirs", "zookeeper.clientCnxnSocket"),
    *("cruise.control.metrics.topic", "cruise.control.metrics.reporter.bootstrap.servers", "controller.x", "x.y"),
    *(
        "prometheus.metrics.reporter.listener",
        "client.quota.callback.static.kafka.admin.x",
        "metadata.max.retention.ms",
    ),
    *("client.quota.callback.static.excluded.principal.name.list", "client.quota.callback.class", "group.id"),
    *("zookeeper.connection.timeout.ms", "sasl.server.max.receive.size", "ssl.cipher.suites", "ssl.protocol"),
    *("ssl.enabled.protocols", "ssl.secure.random.implementation", "broker.session.timeout.ms"),
    *("broker.heartbeat.interval.ms", "controller.socket.timeout.ms", "controller.quorum.election.backoff.max.ms"),
    *("controller.quorum.election.timeout.ms", "controller.quorum.fetch.timeout.ms", "principal.builder.class"),
    *("cruise.control.metrics.topic.num.partitions", "cruise.control.metrics.topic.min.insync.replicas"),
    *("ssl.endpoint.identification.algorithm", "early.start.listeners", "sasl.enabled.mechanisms", "security.protocol"),
)
"""Names of settings that the operator keeps for itself, or takes although they begin alike."""
_OF_WORKERS: Final = (
    *("group.id", "config.storage.topic", "offset.storage.topic", "status.storage.topic", "ssl.protocol", "listeners"),
    *("ssl.truststore.type", "sasl.mechanism", "security.protocol", "plugin.path", "plugin.discovery", "rest.port"),
    *("rest.advertised.host.name", "bootstrap.servers", "consumer.interceptor.classes", "consumer.max.poll.records"),
    *("producer.interceptor.classes", "prometheus.metrics.reporter.listener", "ssl.cipher.suites", "listeners.https.x"),
    *("ssl.endpoint.identification.algorithm", "ssl.enabled.protocols", "group.instance.id", "key.converter"),
    *(
        "config.providers",
        "producer.acks",
        "consumer.security.protocol",
        "admin.listener",
        "exactly.once.source.support",
    ),
)
_WRITTEN: Final[tuple[Callable[[str], str], ...]] = (
    str,
    str,
    str,
    str.upper,
    str.capitalize,
    lambda name: f"{name}.own",
    lambda name: f"{name}s",
    lambda name: name[:-1],
    lambda name: f"own.{name}",
)


def rarer(seed: int = 1) -> Iterator[tuple[str, list[Resource]]]:
    """Names and resources."""
    kinds = (
        *(
            ("listener", 40, _listeners),
            ("settings", 40, _settings),
            ("labels", 30, _labelled),
            ("bridge", 20, _bridge),
        ),
        *(("user", 30, _user), ("connector", 20, _connector), ("group", 25, _group), ("flow", 35, _flow)),
    )
    for kind, count, made in kinds:
        for number in range(count):
            yield f"{kind}-{number:03}", made(random.Random(f"{seed} rarer {kind} {number}"))


def cluster(listeners: list[Resource], /, **kafka: Any) -> list[Resource]:
    """A Kafka resource with three brokers and three controllers."""
    pools = [
        resource("KafkaNodePool", f"{role}s", {"replicas": 3, "roles": [role]} | _EPHEMERAL, **_OF_ORDERS)
        for role in ("broker", "controller")
    ]
    return [resource("Kafka", "orders", {"kafka": {"listeners": listeners} | kafka}), *pools]


def inside(**changed: Any) -> Resource:
    """A listener that every cluster may have."""
    return {"name": "inside", "port": 9092, "type": "internal", "tls": True} | changed


def _near(dice: random.Random, names: tuple[str, ...], count: int) -> Resource:
    return {dice.choice(_WRITTEN)(name): 7 for name in dice.sample(names, count)}


def _settings(dice: random.Random) -> list[Resource]:
    kafka = {"config": _near(dice, _STEMS, 20)}
    kafka["config"] |= sometimes(dice, 0.4, **{f"listener.name.inside-9092.{dice.choice(_STEMS[:12])}": 7})
    kafka["config"] |= sometimes(dice, 0.4, **{"listener.name.inside-9092.max.connections": 7})
    kafka["config"] |= sometimes(dice, 0.4, **{"listener.name.INSIDE-9092.max.connections.per.ip": 7})
    stored = {"className": "org.example.Store", "classPath": "/opt/store/*", "config": {"storage.backend": "s3"}}
    kafka |= sometimes(dice, 0.3, tieredStorage={"type": "custom", "remoteStorageManager": stored})
    kafka |= sometimes(dice, 0.3, metricsConfig={"type": "strimziMetricsReporter"})
    kafka |= sometimes(dice, 0.3, quotas={"type": dice.choice(("kafka", "strimzi")), "producerByteRate": 1000})
    kafka |= sometimes(dice, 0.3, authorization={"type": "simple", "superUsers": ["CN=ops", "User:ops", "ops"]})
    return cluster([inside()], **kafka)


def _listeners(dice: random.Random) -> list[Resource]:
    kinds = ("internal", "cluster-ip", "nodeport", "loadbalancer", "ingress", "route", "tlsroute")
    chosen = dice.sample(kinds, dice.randint(1, 4))
    return cluster([_listener(dice, kind, 9092 + 2 * place) for place, kind in enumerate(chosen)])


def _listener(dice: random.Random, kind: str, port: int) -> Resource:
    """One that the operator takes, with what its type may have."""
    listener = {"name": kind[:3] + "1", "port": port, "type": kind}
    listener["tls"] = kind in ("ingress", "route") or dice.random() < 0.6
    peers: tuple[Any, ...] = ([], [{"podSelector": {}}], [{"podSelector": {}}, {"namespaceSelector": {}}])
    listener |= sometimes(dice, 0.5, networkPolicyPeers=dice.choice(peers))
    types = ("scram-sha-512", "tls") if listener["tls"] else ("scram-sha-512",)
    listener |= sometimes(dice, 0.5, authentication={"type": dice.choice(types)})
    brokers = [{"broker": number, "advertisedHost": f"b{number}.example.com"} for number in range(3)]
    own = sometimes(dice, 0.4, brokers=brokers) | sometimes(dice, 0.3, maxConnections=100, maxConnectionCreationRate=9)
    if kind in ("ingress", "route", "tlsroute"):
        own |= {"bootstrap": {"host": "orders.example.com"}, "hostTemplate": "b-{nodeId}.example.com"}
    if kind == "tlsroute":
        own["parentRefs"] = [{"name": "gateway", "namespace": "infrastructure"}]
    if kind == "loadbalancer":
        own |= sometimes(dice, 0.5, loadBalancerSourceRanges=["192.0.2.0/24"], externalTrafficPolicy="Local")
        own |= sometimes(dice, 0.3, createBootstrapService=False)
    if kind == "nodeport":
        own |= sometimes(dice, 0.5, bootstrap={"nodePort": 32000}, preferredNodePortAddressType="InternalIP")
    if listener["tls"]:
        certificate = {"secretName": "own", "certificate": "tls.crt", "key": "tls.key"}
        own |= sometimes(dice, 0.3, brokerCertChainAndKey=certificate)
    return listener | ({"configuration": own} if own else {})


def _labelled(dice: random.Random) -> list[Resource]:
    """Labels of the resources, and of their pods, and rules that select pods by them."""
    made = cluster([inside()], template={"pod": _rules(dice)})
    for each in made:
        each["metadata"].setdefault("labels", {}).update(dice.choice(_MARKS))
        if each["kind"] == "KafkaNodePool":
            each["spec"] |= sometimes(dice, 0.5, template=dice.choice(({"pod": _rules(dice)}, {"podSet": {}}, {})))
    return made


_MARKS: Final[tuple[Resource, ...]] = (
    *({"team": "orders"}, {"team": "other", "app.kubernetes.io/instance": "own"}, {"app": "kafka"}, {}),
    {"app.kubernetes.io/name": "own", "app.kubernetes.io/part-of": "shop"},
)
_SELECTORS: Final[tuple[Resource, ...]] = (
    *({"matchLabels": {"team": "orders"}}, {"matchLabels": {"app.kubernetes.io/name": "kafka"}}, {"matchLabels": {}}),
    {"matchLabels": {"app.kubernetes.io/instance": "orders", "app.kubernetes.io/part-of": "strimzi-orders"}},
    {"matchLabels": {"app.kubernetes.io/name": "own"}},
    {"matchLabels": {"app.kubernetes.io/managed-by": "strimzi-cluster-operator"}},
    {"matchLabels": {"strimzi.io/pool-name": "brokers"}},
    {"matchLabels": {"strimzi.io/broker-role": "true"}},
    {"matchLabels": {"strimzi.io/component-type": "kafka", "strimzi.io/cluster": "orders"}},
    {"matchLabels": {"strimzi.io/controller": "strimzipodset"}},
    {"matchLabels": {"strimzi.io/controller-name": "orders-brokers"}},
    {"matchLabels": {"statefulset.kubernetes.io/pod-name": "orders-brokers-0"}},
    {"matchExpressions": [{"key": "strimzi.io/name", "operator": "In", "values": ["orders-kafka", "x"]}]},
    {"matchExpressions": [{"key": "team", "operator": "Exists"}]},
    {"matchExpressions": [{"key": "team", "operator": "NotIn", "values": ["orders"]}]},
    {"matchExpressions": [{"key": "strimzi.io/broker-role", "operator": "DoesNotExist"}]},
)


def _rules(dice: random.Random) -> Resource:
    def term() -> Resource:
        return {"labelSelector": dice.choice(_SELECTORS), "topologyKey": dice.choice((_ZONE, _HOST))}

    terms = [term() for _ in range(dice.randint(1, 2))]
    spread = {"maxSkew": 1, "whenUnsatisfiable": "DoNotSchedule"}
    template = sometimes(
        dice, 0.7, affinity={"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}}
    )
    template |= sometimes(dice, 0.5, topologySpreadConstraints=[spread | term()])
    return template | sometimes(dice, 0.5, metadata={"labels": dice.choice(_MARKS)})


def _client(dice: random.Random) -> Resource:
    """How a client reaches and enters a cluster."""
    secret = {"secretName": "clients", "password": "password"}
    key = {"secretName": "clients", "certificate": "user.crt", "key": "user.key"}
    kinds: tuple[Any, ...] = (
        {"type": "scram-sha-512", "username": "clients", "passwordSecret": secret},
        {"type": "plain", "username": "clients", "passwordSecret": secret},
        {"type": "tls", "certificateAndKey": key},
        {"type": "custom", "sasl": True, "config": {"sasl.mechanism": "AWS_MSK_IAM"}},
        {"type": "custom", "sasl": False, "config": {"ssl.keystore.location": "/mnt/own.p12"}},
        {"type": "custom", "config": {"sasl.mechanism": "PLAIN"}},
        {"type": "custom", "sasl": False, "config": {"security.protocol": "SSL"}},
        None,
    )
    authority = {"secretName": "ca", "certificate": "ca.crt"}
    trust: tuple[Any, ...] = ({}, {"trustedCertificates": []}, None, {"trustedCertificates": [authority]})
    return sometimes(dice, 0.7, tls=dice.choice(trust)) | sometimes(dice, 0.7, authentication=dice.choice(kinds))


def _room(dice: random.Random) -> Resource:
    kinds: tuple[Resource, ...] = (
        {"requests": {"cpu": "1500m", "memory": "1.5Gi"}, "limits": {"cpu": 2, "memory": "3G"}},
        {"limits": {"cpu": "0.5", "memory": "512Mi"}},
        {"requests": {"cpu": 1}},
        {},
    )
    exporter = {"type": "jmxPrometheusExporter", "valueFrom": {"configMapKeyRef": {"name": "metrics", "key": "rules"}}}
    metrics = dice.choice((exporter, {"type": "strimziMetricsReporter"}))
    return sometimes(dice, 0.6, resources=dice.choice(kinds)) | sometimes(dice, 0.4, metricsConfig=metrics)


def _named(name: str) -> Resource:
    return {"groupId": name} | {f"{of}StorageTopic": f"{name}-{of}" for of in ("config", "status", "offset")}


def _group(dice: random.Random) -> list[Resource]:
    spec = {"replicas": 2, "bootstrapServers": "orders-kafka-bootstrap:9093, b:9093"} | _named("workers")
    config = _near(dice, _OF_WORKERS, 12)
    spec |= {"config": config} | _client(dice) | _room(dice)
    config |= sometimes(dice, 0.5, **{"status.storage.replication.factor": dice.choice((1, "2", -1))})
    return [resource("KafkaConnect", "workers", spec)]


def _flow(dice: random.Random) -> list[Resource]:
    """A mirror whose ends and connectors override what comes from elsewhere."""
    target = {"alias": "here", "bootstrapServers": "here-kafka-bootstrap:9093"} | _named("flow") | _client(dice)
    target |= sometimes(dice, 0.6, config=_near(dice, _OF_WORKERS, 6))
    source = {"alias": "there", "bootstrapServers": "there:9092"} | _client(dice)
    override = {"security.protocol": dice.choice(("SSL", "SASL_SSL", "PLAINTEXT"))}
    source |= sometimes(dice, 0.5, config=override | sometimes(dice, 0.5, **{"sasl.mechanism": "PLAIN"}))
    mirror: Resource = {"source": source}
    for connector, topic in (("sourceConnector", "offset-syncs"), ("checkpointConnector", "checkpoints")):
        config = sometimes(dice, 0.4, **{f"{topic}.topic.replication.factor": dice.choice((1, "3", -1))})
        config |= sometimes(dice, 0.3, **{"source.cluster.security.protocol": dice.choice(("SSL", "SASL_SSL"))})
        config |= sometimes(dice, 0.3, **{"source.cluster.sasl.mechanism": "PLAIN", "name": "own"})
        config |= sometimes(dice, 0.3, **{"source.cluster.bootstrap.servers": "yonder:9092"})
        config |= sometimes(dice, 0.3, **{"replication.factor": dice.choice((1, "3", -1)), "tasks.max": 7})
        stands: tuple[Any, ...] = ({"config": config}, {"config": config, "tasksMax": 4}, {}, None)
        mirror |= sometimes(dice, 0.9, **{connector: dice.choice(stands)})
    spec = {"replicas": 2, "target": target, "mirrors": [mirror]} | _room(dice)
    spec |= sometimes(dice, 0.3, rack={"topologyKey": _ZONE}) | sometimes(dice, 0.3, tracing={"type": "opentelemetry"})
    return [resource("KafkaMirrorMaker2", "flow", spec)]


def _bridge(dice: random.Random) -> list[Resource]:
    certificate = {"secretName": "own", "certificate": "tls.crt", "key": "tls.key"}
    http = {"port": 8080} | sometimes(dice, 0.5, tls={"certificateAndKey": certificate})
    spec = {"bootstrapServers": "orders-kafka-bootstrap:9093", "http": http} | _client(dice) | _room(dice)
    spec |= sometimes(dice, 0.8, replicas=dice.choice((1, 2, 3)))
    template = sometimes(dice, 0.6, pod=_rules(dice))
    template |= sometimes(dice, 0.4, podDisruptionBudget={"maxUnavailable": dice.choice((0, 1, 2))})
    spec |= {"template": template} if template else {}
    return [resource("KafkaBridge", "http", spec)]


def _user(dice: random.Random) -> list[Resource]:
    kinds: tuple[Any, ...] = ({"type": "tls"}, {"type": "tls-external"}, {"type": "scram-sha-512"}, None)
    spec = sometimes(dice, 0.9, authentication=dice.choice(kinds))
    quotas: tuple[Any, ...] = ({"producerByteRate": 1000}, {"requestPercentage": 50}, {}, None)
    spec |= sometimes(dice, 0.5, quotas=dice.choice(quotas))
    rules = [_rule(dice) for _ in range(dice.randint(0, 5))]
    spec |= sometimes(dice, 0.8, authorization={"type": "simple", "acls": rules})
    return [resource("KafkaUser", "anna", spec, **_OF_ORDERS)]


def _rule(dice: random.Random) -> Resource:
    kind = dice.choice(("topic", "group", "transactionalId", "cluster"))
    what: Resource = {"type": kind}
    if kind != "cluster":
        what |= {"name": dice.choice(("*", "orders", "orders."))}
        what |= sometimes(dice, 0.6, patternType=dice.choice(("literal", "prefix")))
    operations = dice.sample(("All", "Read", "Write", "Describe", "Alter", "ClusterAction", "IdempotentWrite"), 2)
    rule: Resource = {"resource": what, "operations": operations}
    rule |= sometimes(dice, 0.4, type=dice.choice(("allow", "deny")))
    return rule | sometimes(dice, 0.4, host=dice.choice(("*", "192.0.2.1")))


def _connector(dice: random.Random) -> list[Resource]:
    config: Resource = {"topics": "orders", "connection.password": "secret"}
    for name, values in (
        ("tasks.max", (7,)),
        ("name", ("own",)),
        ("Connector.Class", ("org.example.Other",)),
        ("connector.plugin.version", ("1.0",)),
        ("errors.tolerance", ("all", "none")),
        ("errors.log.enable", (True, "false")),
        ("errors.deadletterqueue.topic.name", ("dead",)),
        ("replication.factor", (1, "2")),
        ("topic.creation.default.replication.factor", (1, -1, "3")),
        ("topic.creation.own.replication.factor", (2,)),
    ):
        config |= sometimes(dice, 0.4, **{name: dice.choice(values)})
    spec: Resource = {"class": "org.example.Sink", "config": config}
    spec |= sometimes(dice, 0.6, tasksMax=dice.choice((1, 4)))
    spec |= sometimes(dice, 0.4, state=dice.choice(("paused", "stopped", "running")))
    restarts: tuple[Any, ...] = ({"enabled": True}, {"enabled": False}, {"maxRestarts": 3}, {}, None)
    spec |= sometimes(dice, 0.6, autoRestart=dice.choice(restarts))
    return [resource("KafkaConnector", "sink", spec, **{"strimzi.io/cluster": "workers"})]
