"""Kafka resources of Strimzi, as they are declared: what is asked of a cluster, whatever runs."""

from collections.abc import Iterator
from typing import Annotated, Any, Final

from runbook.answers.kubernetes.objects import flag, many, number, part, text
from runbook.answers.manifests import UnreadManifest
from runbook.formats.declared import Means, at, setting
from runbook.formats.strimzi_pod_rules import of_labels
from runbook.formats.strimzi_rules import Nodes, of_pool, refused
from runbook.model.errors import Garbled
from runbook.model.fact import Gap, Observed
from runbook.model.quantity import Days
from runbook.model.row import Cell, Row, row_of
from runbook.probes._strimzi import (
    BROKER,
    OPERATOR,
    SOURCE,
    Declared,
    Declares,
    PlacedRow,
    each,
    observed,
    probe_of,
)
from runbook.probes._strimzi_nodes import asked_for, pools_of, super_users

_IGNORED: Final = (
    *("listeners", "advertised.", "broker.", "listener.", "host.name", "port", "inter.broker.listener.name", "sasl."),
    *(
        "ssl.",
        "security.",
        "password.",
        "log.dir",
        "cordoned.log.dirs",
        "zookeeper.connect",
        "zookeeper.set.acl",
        "zookeeper.ssl",
    ),
    *("zookeeper.clientCnxnSocket", "authorizer.", "super.user", "node.id", "process.roles", "controller."),
    *("metadata.log.dir", "zookeeper.metadata.migration.enable", "prometheus.metrics.reporter."),
    *("cruise.control.metrics.topic", "cruise.control.metrics.reporter.bootstrap.servers"),
    *("client.quota.callback.static.kafka.admin.", "client.quota.callback.static.produce"),
    *("client.quota.callback.static.fetch", "client.quota.callback.static.storage.per.volume.limit.min.available."),
    "client.quota.callback.static.excluded.principal.name.list",
)
_TAKEN: Final = (
    *("zookeeper.connection.timeout.ms", "sasl.server.max.receive.size", "ssl.cipher.suites", "ssl.protocol"),
    *("ssl.enabled.protocols", "ssl.secure.random.implementation", "broker.session.timeout.ms"),
    *("broker.heartbeat.interval.ms", "controller.socket.timeout.ms", "controller.quorum.election.backoff.max.ms"),
    *("controller.quorum.election.timeout.ms", "controller.quorum.fetch.timeout.ms"),
    *(
        f"cruise.control.metrics.topic.{name}"
        for name in (
            *("num.partitions", "replication.factor", "retention.ms", "auto.create.retries"),
            *("auto.create.timeout.ms", "min.insync.replicas"),
        )
    ),
)
"""Prefixes of settings that the operator drops out of `config`, and those it takes all the same: of 0.45 to 1.2."""
_OF_LISTENERS: Final = ("connections.max.reauth.ms", "max.connections", "max.connection.creation.rate")
"""Those that it takes of a listener of the resource, as `listener.name.NAME-PORT.…`, from 0.51 on."""

_OF_QUOTAS: Final = ("client.quota.callback.class",)
"""What it leaves out where the resource has `quotas`, since 0.45 at least (KafkaCluster)."""

_VALID: Final = Means(365.0, OPERATOR)
_RENEWED: Final = Means(30.0, OPERATOR)
_CONFIG: Final = "spec.kafka.config"
_WHERE: Final = "the operator watches one namespace, and it is not said whether that is the resource's own"


class StrimziKafka(PlacedRow):
    """A Kafka cluster as its resource declares it; a setting that it does not name has Kafka's own default."""

    kafka: Annotated[str, Cell("Name of the resource, and of the cluster.", key=True)] = at("name")
    version: Annotated[str, Cell("Version of the API it is written in, such as v1 or v1beta2.")] = at("version")
    source: Annotated[str, SOURCE] = at("source")
    kafka_version: Annotated[str, Cell("Version of Kafka asked for; empty where it is the operator's newest.")] = at(
        "spec.kafka.version"
    )
    metadata_version: Annotated[
        str, Cell("Metadata version asked for; empty where it follows the version of Kafka.")
    ] = at("spec.kafka.metadataVersion")
    brokers: Annotated[int | None, Cell("Brokers that its node pools ask for.", unit="pods", why="why")]
    controllers: Annotated[int | None, Cell("Controllers that they ask for; 0 with ZooKeeper.", unit="pods", why="why")]
    quorum: Annotated[int | None, Cell("Servers of its quorum: controllers, or of ZooKeeper.", unit="pods", why="why")]
    why: Annotated[str, Cell("Why it is not known how many there are to be; empty where it is.")]
    zookeepers: Annotated[int, Cell("Servers of ZooKeeper asked for; 0 in KRaft mode.", unit="pods")] = at(
        "spec.zookeeper.replicas", absent=Means(0, "without ZooKeeper the operator makes none")
    )
    single: Annotated[bool, Cell("Whether it is known that one broker is all there is to be.")]
    default_replication: Annotated[int, Cell("default.replication.factor.", unit="replicas")] = setting(
        "default.replication.factor", _CONFIG, absent=Means(1, BROKER)
    )
    min_insync: Annotated[int, Cell("min.insync.replicas.", unit="replicas")] = setting(
        "min.insync.replicas", _CONFIG, absent=Means(1, BROKER)
    )
    offsets_replication: Annotated[int, Cell("offsets.topic.replication.factor.", unit="replicas")] = setting(
        "offsets.topic.replication.factor", _CONFIG, absent=Means(3, BROKER)
    )
    transactions_replication: Annotated[int, Cell("transaction.state.log.replication.factor.", unit="replicas")] = (
        setting("transaction.state.log.replication.factor", _CONFIG, absent=Means(3, BROKER))
    )
    transactions_min_insync: Annotated[int, Cell("transaction.state.log.min.isr.", unit="replicas")] = setting(
        "transaction.state.log.min.isr", _CONFIG, absent=Means(2, BROKER)
    )
    unclean_election: Annotated[bool, Cell("unclean.leader.election.enable.")] = setting(
        "unclean.leader.election.enable", _CONFIG, absent=Means(value=False, because=BROKER)
    )
    ignored: Annotated[list[str], Cell("Settings of config that the operator leaves out.", entity="setting")]
    refused: Annotated[list[str], Cell("Why the operator refuses the resource; empty where it takes it.")]
    auto_create: Annotated[bool, Cell("auto.create.topics.enable.")] = setting(
        "auto.create.topics.enable", _CONFIG, absent=Means(value=True, because=BROKER)
    )
    authorization: Annotated[str, Cell("Type of authorization, such as simple; empty for none.")] = at(
        "spec.kafka.authorization.type"
    )
    super_users: Annotated[
        list[str],
        Cell(
            "Principals that may do everything, as the operator hands them on.",
            entity="principal",
            written="spec.kafka.authorization.superUsers",
        ),
    ]
    allows_unlisted: Annotated[bool, Cell("allow.everyone.if.no.acl.found.")] = setting(
        "allow.everyone.if.no.acl.found", _CONFIG, absent=Means(value=False, because=BROKER)
    )
    authentications: Annotated[
        list[str] | None,
        Cell("Types of authentication that its listeners ask for.", why="unread", written="spec.kafka.listeners"),
    ]
    unread: Annotated[str, Cell("Why its listeners can't be read; empty where they can.")]
    rack: Annotated[
        str,
        Cell(
            "What becomes broker.rack: `label KEY` of the node, or `variable NAME`; empty for none.",
            written="spec.kafka.rack",
        ),
    ]
    metrics: Annotated[str, Cell("Type of the metrics it exports; empty for none.")] = at(
        "spec.kafka.metricsConfig.type"
    )
    topic_operator: Annotated[
        bool | None,
        Cell(
            "Whether KafkaTopic resources of its own namespace are to be acted on.",
            untold=_WHERE,
            written="spec.entityOperator",
        ),
    ]
    user_operator: Annotated[
        bool | None,
        Cell(
            "Whether KafkaUser resources of its own namespace are to be acted on.",
            untold=_WHERE,
            written="spec.entityOperator",
        ),
    ]
    cruise_control: Annotated[bool, Cell("Whether it comes with Cruise Control.", written="spec.cruiseControl")]
    cluster_ca_days: Annotated[Days, Cell("For how long the cluster's authority is valid.", moves=False)] = at(
        "spec.clusterCa.validityDays", absent=_VALID
    )
    cluster_ca_renewal: Annotated[Days, Cell("How long before its end it is renewed.", moves=False)] = at(
        "spec.clusterCa.renewalDays", absent=_RENEWED
    )
    clients_ca_days: Annotated[Days, Cell("For how long the clients' authority is valid.", moves=False)] = at(
        "spec.clientsCa.validityDays", absent=_VALID
    )
    clients_ca_renewal: Annotated[Days, Cell("How long before its end it is renewed.", moves=False)] = at(
        "spec.clientsCa.renewalDays", absent=_RENEWED
    )
    own_authorities: Annotated[
        list[str], Cell("Authorities that are not the operator's: cluster, clients.", written="spec.clusterCa")
    ]
    budget: Annotated[int, Cell("Pods that its disruption budget lets go at once.", unit="pods")] = at(
        "spec.kafka.template.podDisruptionBudget.maxUnavailable", absent=Means(1, OPERATOR)
    )


PROBE = probe_of(StrimziKafka, "kafkas", "kafkanodepools", help="One row per Kafka resource of Strimzi.")


def observe(strimzi: Declares) -> Observed:
    """Observe what is declared; where there is no Strimzi the question has no meaning."""

    def rows(found: list[Declared]) -> Iterator[Row | Gap]:
        asked = pools_of(strimzi, found)
        return each(found, lambda kafka: _row(kafka, *asked(kafka)))

    return observed(strimzi, {"kafkas": rows})


def _row(kafka: Declared, pools: list[Declared], lost: list[UnreadManifest]) -> StrimziKafka:
    spec = part(kafka.spec, "kafka")
    config = part(spec, "config")
    nodes = asked_for(kafka, pools, lost)
    listeners, unread_listeners = _listeners(spec)
    ignored = sorted(key for key in config if _is_ignored(key, spec, listeners))
    asked = Nodes(brokers=nodes.brokers, controllers=None if nodes.zookeepers else nodes.controllers)
    problems = [*of_labels(kafka.whole), *refused(kafka.spec, asked, ignored)]
    of_pools = [(pool, problem) for pool in pools for problem in of_pool(pool.whole | {"spec": pool.spec})]
    places = kafka.places(
        StrimziKafka,
        ignored=("spec", "kafka", "config", *ignored[:1]),
        refused=problems[0].path if problems else (),
    )
    if places:
        places |= nodes.places(kafka, pools)
        if of_pools and not problems:
            places["refused"] = of_pools[0][0].place(*of_pools[0][1].path)
    return row_of(
        StrimziKafka,
        kafka,
        places=places,
        brokers=nodes.brokers,
        controllers=nodes.controllers,
        quorum=nodes.quorum,
        why=nodes.why,
        single=nodes.brokers == 1,
        ignored=ignored,
        super_users=super_users(kafka),
        refused=[problem.says for problem in problems]
        + [f"node pool {pool.name}: {problem.says}" for pool, problem in of_pools],
        authentications=None
        if listeners is None
        else sorted({text(listener, "authentication", "type") for listener in listeners} - {""}),
        unread=unread_listeners,
        rack=_rack(part(spec, "rack")),
        topic_operator=_watches_own(kafka, "topicOperator"),
        user_operator=_watches_own(kafka, "userOperator"),
        cruise_control="cruiseControl" in kafka.spec,
        own_authorities=[
            word
            for word, key in (("cluster", "clusterCa"), ("clients", "clientsCa"))
            if not flag(kafka.spec, key, "generateCertificateAuthority", default=True)
        ],
    )


def _watches_own(kafka: Declared, operator: str) -> bool | None:
    """Whether an operator acts on resources beside the Kafka resource; None where that has no namespace."""
    operators = part(kafka.spec, "entityOperator")
    watched = text(operators, operator, "watchedNamespace")
    if watched and not kafka.namespace:
        return None
    return operator in operators and watched in ("", kafka.namespace)


def _listeners(spec: dict[str, Any]) -> tuple[list[dict[str, Any]] | None, str]:
    """Its listeners; or None and why they can't be read, which hides nothing else of the resource."""
    try:
        return many(spec, "listeners"), ""
    except Garbled as error:
        return None, str(error)


def _is_ignored(setting: str, spec: dict[str, Any], listeners: list[dict[str, Any]] | None) -> bool:
    """Whether the operator leaves out a setting of `config`."""
    if setting in _OF_QUOTAS:
        return "quotas" in spec
    if setting in _TAKEN or not setting.lower().startswith(_IGNORED):
        return False
    if listeners is None:  # any may have it
        return not setting.endswith(_OF_LISTENERS)
    own = (f"listener.name.{text(each, 'name')}-{number(each, 'port')}." for each in listeners)
    return not any(setting == prefix + name for prefix in own for name in _OF_LISTENERS)


def _rack(rack: dict[str, Any]) -> str:
    if text(rack, "type") == "environment-variable":
        return f"variable {text(rack, 'envVarName')}"
    key = text(rack, "topologyKey")
    return f"label {key}" if key else ""
