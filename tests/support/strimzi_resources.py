"""Custom resources of Strimzi by chance, always the same: what people write, and what the operator changes of it.

Each case is a list of resources as an API server stores them. What an operator would make of them is kept beside them
(`support/strimzi_made.py`).
"""

import random
from collections.abc import Iterator
from typing import Any, Final

Resource = dict[str, Any]

KAFKAS: Final = 140
CONNECTS: Final = 30
MIRRORS: Final = 40

_ZONE: Final = "topology.kubernetes.io/zone"
_HOST: Final = "kubernetes.io/hostname"
_SETTINGS: Final[dict[str, tuple[Any, ...]]] = {
    "default.replication.factor": (1, 2, "3", None),
    "min.insync.replicas": (1, 2, "2"),
    "offsets.topic.replication.factor": (1, 2, 3),
    "transaction.state.log.replication.factor": (1, 3),
    "transaction.state.log.min.isr": (1, 2),
    "unclean.leader.election.enable": (True, False, "true"),
    "allow.everyone.if.no.acl.found": (True, "false"),
    "auto.create.topics.enable": (True, False, None),
    "compression.type": ("zstd", "lz5"),
    "log.retention.hours": (168, "72"),
    # left out, or taken all the same
    "log.dirs": ("/data",),
    "Log.Dir": ("/data",),
    "log.retention.bytes": (-1,),
    "broker.id": (7,),
    "broker.rack": ("a",),
    "node.id": (77,),
    "process.roles": ("observer",),
    "listeners": ("PLAIN://:9092",),
    "advertised.listeners": ("PLAIN://:9092",),
    "inter.broker.listener.name": ("PLAIN",),
    "super.users": ("User:eve",),
    "authorizer.class.name": ("org.example.Other",),
    "sasl.enabled.mechanisms": ("PLAIN",),
    "sasl.server.max.receive.size": (524288,),
    "ssl.enabled.protocols": ("TLSv1.3",),
    "ssl.cipher.suites": ("TLS_AES_256_GCM_SHA384",),
    "ssl.keystore.location": ("/keys",),
    "security.inter.broker.protocol": ("PLAINTEXT",),
    "password.encoder.secret": ("none",),
    "zookeeper.connection.timeout.ms": (6000,),
    "controller.quorum.voters": ("1@a:9090",),
    "controller.quorum.fetch.timeout.ms": (3000,),
    "controller.quorum.election.timeout.ms": (1500,),
    "controller.listener.names": ("A",),
    "broker.session.timeout.ms": (9000,),
    "broker.heartbeat.interval.ms": (2000,),
    "metadata.log.dir": ("/data",),
    "prometheus.metrics.reporter.listener": ("http://:9999",),
    "cruise.control.metrics.topic": ("own",),
    "cruise.control.metrics.topic.replication.factor": (1,),
    "cruise.control.metrics.reporter.bootstrap.servers": ("a:9092",),
    "client.quota.callback.static.produce": (1000,),
    "client.quota.callback.class": ("org.example.Quota",),
    "metric.reporters": ("org.example.Reporter",),
    "listener.name.inside-9092.max.connections": (100,),
    "listener.name.inside-9092.connections.max.reauth.ms": (3600000,),
    "listener.name.inside-9092.ssl.client.auth": ("none",),
    "listener.name.absent-9999.max.connections": (100,),
    "max.connections": (500,),
    "ssl.client.auth": ("none",),
    "host.name": ("a",),
    "port": (9092,),
    "principal.builder.class": ("org.example.Builder",),
}
_SUPER_USERS: Final = (
    *("CN=client_1", "CN=client,O=example", "O=example,CN=client", "cn=client", "anna", "User:anna"),
    *("User:CN=client", "ANONYMOUS", "Group:admins", "CN =client", "runbook-user"),
)
_CONTAINER: Final[tuple[Resource, ...]] = (
    {"requests": {"memory": "4Gi", "cpu": "1"}, "limits": {"memory": "4Gi", "cpu": "2"}},
    {"limits": {"memory": "8Gi"}},
    {"requests": {"cpu": "500m"}},
    {},
)
_JVM: Final[tuple[Resource, ...]] = (
    {"-Xms": "2g", "-Xmx": "2g"},
    {"-Xmx": "2048m"},
    {"-Xms": "1024m"},
    {"gcLoggingEnabled": True},
    {"-XX": {"UseG1GC": "true"}},
    {},
)


_OF_ORDERS: Final = {"strimzi.io/cluster": "orders"}
_ONE_COPY: Final = {"offsets.topic.replication.factor": 1, "transaction.state.log.replication.factor": 1}
_MISTAKES: Final[dict[str, Resource]] = {
    "none": {},
    "another port": {"listener": {"port": 12000}},
    "port 9091": {"listener": {"port": 9091}},
    "port 9404": {"listener": {"port": 9404}},
    "port 9999": {"listener": {"port": 9999}},
    "port 80": {"listener": {"port": 80}},
    "a name in capitals": {"listener": {"name": "Inside"}},
    "a name with a dash": {"listener": {"name": "in-side"}},
    "a long name": {"listener": {"name": "insidethecluster"}},
    "11 letters": {"listener": {"name": "insideagain"}},
    "one name twice": {"listeners": [{"name": "inside", "port": 9093, "type": "internal", "tls": True}]},
    "one port twice": {"listeners": [{"name": "again", "port": 9092, "type": "internal", "tls": True}]},
    "two listeners": {"listeners": [{"name": "again", "port": 9093, "type": "internal", "tls": False}]},
    "certificates without TLS": {"listener": {"tls": False, "authentication": {"type": "tls"}}},
    "SCRAM without TLS": {"listener": {"tls": False, "authentication": {"type": "scram-sha-512"}}},
    "a route without TLS": {"listener": {"tls": False, "type": "route"}},
    "no listener": {"first": 1},
    "no broker": {"nodes": {"brokers": 0}},
    "no controller": {"nodes": {"controllers": 0}},
    "Cruise Control of one broker": {"nodes": {"brokers": 1}, "config": _ONE_COPY, "cruiseControl": True},
    "Cruise Control of two brokers": {"nodes": {"brokers": 2}, "config": _ONE_COPY, "cruiseControl": True},
    "four copies on three brokers": {"config": {"default.replication.factor": 4}},
    "three copies": {"config": {"default.replication.factor": "3"}},
    "four copies of offsets": {"config": {"offsets.topic.replication.factor": "4"}},
    "four in sync of three": {"config": {"transaction.state.log.min.isr": 4}},
    "minimum of four in sync": {"config": {"min.insync.replicas": 4}},
    "threads in words": {"config": {"num.io.threads": "many"}},
    "half an hour": {"config": {"log.retention.hours": "0.5"}},
    "no replica in sync": {"config": {"min.insync.replicas": 0}},
    "a switch in words": {"config": {"unclean.leader.election.enable": "yes"}},
    "no such policy": {"config": {"log.cleanup.policy": "shrink"}},
    "two policies": {"config": {"log.cleanup.policy": "compact,delete"}},
    "no such timestamp": {"config": {"log.message.timestamp.type": "Now"}},
    "nothing": {"config": {"log.retention.hours": None}},
    "a setting of a plug-in": {"config": {"org.example.own": "x"}},
    "a negative size": {"config": {"num.partitions": 0}},
    "what is left out has no such value": {"config": {"node.id": "one"}},
    "a fraction": {"config": {"log.cleaner.min.cleanable.ratio": "2"}},
}


def cases(seed: int = 1) -> Iterator[tuple[str, list[Resource]]]:
    """Names and resources."""
    kinds = (("kafka", KAFKAS, _cluster), ("connect", CONNECTS, _workers), ("mirror", MIRRORS, _mirror))
    for kind, count, made in kinds:
        for number in range(count):
            yield f"{kind}-{number:03}", made(random.Random(f"{seed} {kind} {number}"))
    for name, change in _MISTAKES.items():
        yield f"mistake: {name}", _mistaken(change)


def _mistaken(change: Resource) -> list[Resource]:
    """A small cluster that is well, but for one thing."""
    listener = {"name": "inside", "port": 9092, "type": "internal", "tls": True} | change.get("listener", {})
    kafka = {"listeners": [listener, *change.get("listeners", [])][change.get("first", 0) :]}
    spec: Resource = {"kafka": kafka | {"config": change.get("config", {})}}
    spec |= {"cruiseControl": {}} if "cruiseControl" in change else {}
    counts = {"brokers": 3, "controllers": 3} | change.get("nodes", {})
    small = {"storage": {"type": "ephemeral"}}
    pools = [
        resource("KafkaNodePool", name, {"replicas": count, "roles": [name[:-1]]} | small, **_OF_ORDERS)
        for name, count in counts.items()
    ]
    return [resource("Kafka", "orders", spec), *pools]


def resource(kind: str, name: str, spec: Resource, **labels: str) -> Resource:
    """A resource of a namespace."""
    metadata = {"name": name, "namespace": "kafka"} | ({"labels": labels} if labels else {})
    return {"apiVersion": "kafka.strimzi.io/v1", "kind": kind, "metadata": metadata, "spec": spec}


def sometimes(dice: random.Random, chance: float, **values: Any) -> Resource:
    """These values, or none of them."""
    return values if dice.random() < chance else {}


def _cluster(dice: random.Random) -> list[Resource]:
    """A Kafka resource and its pools."""
    roles = dice.choice(
        (
            {"controllers": (3, ["controller"]), "brokers": (3, ["broker"])},
            {"controllers": (1, ["controller"]), "brokers": (3, ["broker"])},
            {"controllers": (3, ["controller"]), "brokers": (4, ["broker"]), "more": (2, ["broker"])},
            {"both": (3, ["controller", "broker"])},
            {"both": (1, ["broker", "controller"])},
            {"both": (2, ["controller", "broker"]), "brokers": (3, ["broker"]), "empty": (0, ["broker"])},
        )
    )
    most = sum(count for count, parts in roles.values() if "broker" in parts)
    config = _config(dice, most)
    kafka = {"listeners": _listeners(dice), "config": config}
    kafka |= sometimes(dice, 0.4, rack=_rack(dice))
    kafka |= sometimes(dice, 0.6, authorization=_authorization(dice))
    kafka |= sometimes(dice, 0.4, jvmOptions=dice.choice(_JVM))
    kafka |= sometimes(dice, 0.2, version=dice.choice(("4.2.0", "4.3.0", "4.3.1")))
    kafka |= sometimes(dice, 0.3, quotas=_quotas(dice))
    kafka |= sometimes(dice, 0.3, metricsConfig=_metrics(dice))
    template = sometimes(dice, 0.4, pod=_pod(dice, "orders-kafka"))
    template |= sometimes(dice, 0.4, podDisruptionBudget={"maxUnavailable": dice.choice((0, 1, 2))})
    kafka |= {"template": template} if template else {}
    spec = {"kafka": kafka}
    parts: tuple[Resource, ...] = (
        {},
        {"topicOperator": {}},
        {"userOperator": {}},
        {"topicOperator": {}, "userOperator": {}},
    )
    spec |= sometimes(dice, 0.8, entityOperator=dice.choice(parts))
    spec |= sometimes(dice, 0.3 if most > 1 else 0.0, cruiseControl={})
    pools = [_pool(dice, name, *of) for name, of in roles.items()]
    return [resource("Kafka", "orders", spec), *pools]


def _pool(dice: random.Random, name: str, replicas: int, roles: list[str]) -> Resource:
    spec: Resource = {"replicas": replicas, "roles": roles, "storage": _storage(dice)}
    spec |= sometimes(dice, 0.6, resources=dice.choice(_CONTAINER))
    spec |= sometimes(dice, 0.4, jvmOptions=dice.choice(_JVM))
    kept: Resource = dice.choice(
        ({"pod": _pod(dice, f"orders-{name}")}, {"kafkaContainer": {"env": []}}, {"pod": {}}, {})
    )
    spec |= sometimes(dice, 0.5, template=kept)
    return resource("KafkaNodePool", name, spec, **{"strimzi.io/cluster": "orders"})


def _config(dice: random.Random, brokers: int) -> Resource:
    """Settings, mostly within what so many brokers can do: the operator refuses more replicas than brokers."""
    chosen = dice.sample(sorted(_SETTINGS), dice.randint(1, 14))
    config = {name: dice.choice(_SETTINGS[name]) for name in chosen}
    for name in ("offsets.topic.replication.factor", "transaction.state.log.replication.factor"):
        if brokers < 3 and dice.random() < 0.95:  # whose defaults are three
            config[name] = 1
    if brokers < 3 and dice.random() < 0.95:
        config |= {"transaction.state.log.min.isr": 1, "default.replication.factor": 1, "min.insync.replicas": 1}
    return config


def _listeners(dice: random.Random) -> list[Resource]:
    found = [{"name": "inside", "port": 9092, "type": "internal", "tls": dice.random() < 0.5}]
    if dice.random() < 0.6:
        found.append({"name": "outside", "port": 9094, "type": dice.choice(("nodeport", "loadbalancer")), "tls": True})
    for at, listener in enumerate(found):
        kinds: tuple[Resource, ...] = (
            {"type": "scram-sha-512"},
            {"type": "custom", "sasl": True, "listenerConfig": {"sasl.enabled.mechanisms": "oauthbearer"}},
            {"type": "custom", "sasl": False, "listenerConfig": {"ssl.client.auth": "required"}},
            {"type": "custom", "sasl": False, "listenerConfig": {"ssl.client.auth": "requested"}},
            {"type": "custom", "listenerConfig": {"connections.max.reauth.ms": 3600000}},
        )
        kinds += ({"type": "tls"},) * 2 if listener["tls"] else ()
        found[at] = listener | sometimes(dice, 0.6, authentication=dice.choice(kinds))
    return found


def _authorization(dice: random.Random) -> Resource:
    users = dice.sample(_SUPER_USERS, dice.randint(0, 4))
    custom = {"type": "custom", "authorizerClass": "org.example.Own", "superUsers": users}
    simple = {"type": "simple", "superUsers": users} if users else {"type": "simple"}
    return dice.choice((simple, simple, simple, custom))


def _rack(dice: random.Random) -> Resource:
    variable = {"type": "environment-variable", "envVarName": "ZONE"}
    return dice.choice(({"topologyKey": _ZONE}, {"type": "topology-label", "topologyKey": _ZONE}, variable))


def _quotas(dice: random.Random) -> Resource:
    own = {"type": "strimzi", "producerByteRate": 1000000, "consumerByteRate": 2000000}
    return dice.choice(({"type": "kafka", "producerByteRate": 1000000, "requestPercentage": 55}, own))


def _metrics(dice: random.Random) -> Resource:
    exporter = {"valueFrom": {"configMapKeyRef": {"name": "metrics", "key": "rules.yml"}}}
    return dice.choice(({"type": "jmxPrometheusExporter"} | exporter, {"type": "strimziMetricsReporter"}))


def _pod(dice: random.Random, name: str, kind: str = "Kafka", cluster: str = "orders") -> Resource:
    """A template of pods."""
    own = {"labelSelector": {"matchLabels": {"strimzi.io/cluster": cluster, "strimzi.io/kind": kind}}}
    named = {"labelSelector": {"matchLabels": {"strimzi.io/name": name}}}
    spread = {"maxSkew": 1, "topologyKey": _ZONE, "whenUnsatisfiable": dice.choice(("DoNotSchedule", "ScheduleAnyway"))}
    apart = {"requiredDuringSchedulingIgnoredDuringExecution": [dice.choice((own, named)) | {"topologyKey": _HOST}]}
    wish = {"weight": 100, "podAffinityTerm": own | {"topologyKey": _HOST}}
    return dice.choice(
        (
            {"affinity": {"podAntiAffinity": apart}},
            {"affinity": {"podAntiAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [wish]}}},
            {"topologySpreadConstraints": [spread | dice.choice((own, named))]},
            {"affinity": {"podAntiAffinity": apart}, "topologySpreadConstraints": [spread | own]},
            {"terminationGracePeriodSeconds": 120},
            {"metadata": {"labels": {"team": "orders"}}},
        )
    )


def _storage(dice: random.Random) -> Resource:
    def volume(number: int) -> Resource:
        kinds = (_claim(dice), _claim(dice), {"type": "ephemeral"})
        return {"id": number} | dice.choice(kinds)

    jbod: Resource = {"type": "jbod", "volumes": [volume(number) for number in range(dice.randint(1, 3))]}
    if dice.random() < 0.3:
        jbod["volumes"][-1]["kraftMetadata"] = "shared"
    return dice.choice((jbod, jbod, _claim(dice), {"type": "ephemeral"}))


def _claim(dice: random.Random) -> Resource:
    claim = {"type": "persistent-claim", "size": dice.choice(("100Gi", "1Ti", "200Gi"))}
    return claim | sometimes(dice, 0.5, deleteClaim=dice.random() < 0.5) | sometimes(dice, 0.3, **{"class": "fast"})


def _login(dice: random.Random) -> Resource:
    """How workers log in, with or without TLS."""
    secret = {"secretName": "workers", "password": "password"}
    kinds = (
        {"type": "scram-sha-512", "username": "workers", "passwordSecret": secret},
        {"type": "scram-sha-256", "username": "workers", "passwordSecret": secret},
        {"type": "plain", "username": "workers", "passwordSecret": secret},
        {"type": "tls", "certificateAndKey": {"secretName": "workers", "certificate": "user.crt", "key": "user.key"}},
        {"type": "custom", "sasl": True, "config": {"sasl.mechanism": "OAUTHBEARER"}},
    )
    trust = dice.choice(({}, {"trustedCertificates": [{"secretName": "ca", "certificate": "ca.crt"}]}))
    return sometimes(dice, 0.6, tls=trust) | sometimes(dice, 0.6, authentication=dice.choice(kinds))


def _of_workers(dice: random.Random) -> Resource:
    factors = [f"{topic}.storage.replication.factor" for topic in ("offset", "config", "status")]
    config: Resource = {name: dice.choice((1, 2, 3, -1, "3")) for name in factors if dice.random() < 0.5}
    for name, value in (
        *(("group.id", "own"), ("offset.storage.topic", "own"), ("listeners", "http://:8083")),
        *(("rest.port", 8084), ("ssl.truststore.location", "/a"), ("security.protocol", "PLAINTEXT")),
        *(("bootstrap.servers", "b:9092"), ("plugin.path", "/a"), ("sasl.mechanism", "PLAIN")),
        *(("consumer.max.poll.records", 100), ("key.converter", "org.example.Own"), ("ssl.protocol", "TLSv1.3")),
        *(("producer.sasl.jaas.config", "a"), ("connector.client.config.override.policy", "All")),
    ):
        config |= sometimes(dice, 0.2, **{name: value})
    return {"config": config} if config else {}


def _group(dice: random.Random) -> Resource:
    """The four names that v1 asks for."""
    name = dice.choice(("workers", "workers-b"))
    topics = {f"{topic}StorageTopic": f"{name}-{topic}" for topic in ("config", "status", "offset")}
    return {"groupId": name} | topics


def _workers(dice: random.Random) -> list[Resource]:
    spec = {"replicas": dice.choice((1, 2, 3)), "bootstrapServers": "orders-kafka-bootstrap:9093"}
    spec |= _group(dice) | _login(dice) | _of_workers(dice) | sometimes(dice, 0.4, resources=dice.choice(_CONTAINER))
    spec |= sometimes(dice, 0.3, rack={"topologyKey": _ZONE}) | sometimes(dice, 0.3, jvmOptions=dice.choice(_JVM))
    return [resource("KafkaConnect", "workers", spec | _template(dice, "KafkaConnect", "workers", "workers-connect"))]


def _template(dice: random.Random, kind: str, cluster: str, name: str) -> Resource:
    """The template of a group of workers."""
    template = sometimes(dice, 0.6, pod=_pod(dice, name, kind, cluster))
    template |= sometimes(dice, 0.3, podDisruptionBudget={"maxUnavailable": dice.choice((0, 1, 2))})
    return {"template": template} if template else {}


def _mirror(dice: random.Random) -> list[Resource]:
    target = {"alias": "here", "bootstrapServers": "here-kafka-bootstrap:9093"} | _group(dice)
    target |= _login(dice) | _of_workers(dice)
    mirrors = [_flow(dice, alias) for alias in ("there", "yonder")[: dice.choice((1, 1, 2))]]
    spec = {"replicas": dice.choice((1, 2, 3)), "target": target, "mirrors": mirrors}
    spec |= _template(dice, "KafkaMirrorMaker2", "flow", "flow-mirrormaker2")
    return [resource("KafkaMirrorMaker2", "flow", spec)]


def _flow(dice: random.Random, alias: str) -> Resource:
    """One mirror: its connectors, some of which are left out, and the settings that the source adds."""
    source = {"alias": alias, "bootstrapServers": f"{alias}-kafka-bootstrap:9092"} | _login(dice)
    source |= sometimes(dice, 0.3, config={"ssl.endpoint.identification.algorithm": ""})
    flow: Resource = {"source": source} | sometimes(dice, 0.5, topicsPattern="orders.*", groupsPattern=".*")
    for name, topic in (("source", "offset-syncs"), ("checkpoint", "checkpoints")):
        config: Resource = sometimes(dice, 0.6, **{f"{topic}.topic.replication.factor": dice.choice((1, 2, 3, -1))})
        config |= sometimes(dice, 0.4, **{"replication.factor": dice.choice((1, 2, 3, -1))})
        config |= sometimes(dice, 0.2, **{"sync.group.offsets.enabled": True, "tasks.max": 9})
        connector = {"config": config} | sometimes(dice, 0.4, tasksMax=dice.choice((1, 4)))
        connector |= sometimes(dice, 0.2, state=dice.choice(("paused", "stopped", "running")))
        connector |= sometimes(dice, 0.3, autoRestart=dice.choice(({"enabled": True}, {"enabled": False}, {})))
        flow |= sometimes(dice, 0.9, **{f"{name}Connector": connector})
    return flow
