"""Clusters as they are declared: by Strimzi's Kafka resources, values of a chart, and plans of Terraform (MSK)."""

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Final, TypeVar

from runbook.answers.kubernetes.objects import number, text
from runbook.answers.manifests import UnreadManifest
from runbook.formats.declared import Means, at, setting
from runbook.formats.statements import ClusterNodes, ClusterStated, together, whole_number
from runbook.model.fact import Gap, Observed
from runbook.model.row import Cell, Row, row_of
from runbook.probes._other_tools import with_others
from runbook.probes._strimzi import (
    BROKER,
    SOURCE,
    Declared,
    Declares,
    PlacedRow,
    each,
    observed,
    probe_of,
)
from runbook.probes._strimzi_nodes import asked_for, pools_of, super_users

T = TypeVar("T")
_CONFIG: Final = "spec.kafka.config"
_SETTINGS: Final = (
    *("default.replication.factor", "min.insync.replicas", "unclean.leader.election.enable"),
    *("auto.create.topics.enable", "allow.everyone.if.no.acl.found"),
)
"""What is judged of a service's settings."""
_WHY: Final = "not known, or not set: the service's own default counts"


class ClusterDeclaration(PlacedRow):
    """What a cluster's brokers are set to; Strimzi sets nothing of it, so Kafka's default counts there."""

    kafka: Annotated[str, Cell("Name of the Kafka resource, or the address in Terraform.", key=True)] = at("name")
    tool: Annotated[str, Cell("The tool that makes it so, as Strimzi or Terraform.")]
    source: Annotated[str, SOURCE] = at("source")
    default_replication: Annotated[int | None, Cell("default.replication.factor.", unit="replicas", why="why")] = (
        setting("default.replication.factor", _CONFIG, absent=Means(1, BROKER))
    )
    min_insync: Annotated[int | None, Cell("min.insync.replicas.", unit="replicas", why="why")] = setting(
        "min.insync.replicas", _CONFIG, absent=Means(1, BROKER)
    )
    unclean_election: Annotated[bool | None, Cell("unclean.leader.election.enable.", why="why")] = setting(
        "unclean.leader.election.enable", _CONFIG, absent=Means(value=False, because=BROKER)
    )
    auto_create: Annotated[bool | None, Cell("auto.create.topics.enable.", why="why")] = setting(
        "auto.create.topics.enable", _CONFIG, absent=Means(value=True, because=BROKER)
    )
    allows_unlisted: Annotated[bool | None, Cell("allow.everyone.if.no.acl.found.", why="why")] = setting(
        "allow.everyone.if.no.acl.found", _CONFIG, absent=Means(value=False, because=BROKER)
    )
    offsets_replication: Annotated[
        int | None, Cell("offsets.topic.replication.factor.", unit="replicas", why="why")
    ] = setting("offsets.topic.replication.factor", _CONFIG, absent=Means(3, BROKER))
    transactions_replication: Annotated[
        int | None, Cell("transaction.state.log.replication.factor.", unit="replicas", why="why")
    ] = setting("transaction.state.log.replication.factor", _CONFIG, absent=Means(3, BROKER))
    transactions_min_insync: Annotated[
        int | None, Cell("transaction.state.log.min.isr.", unit="replicas", why="why")
    ] = setting("transaction.state.log.min.isr", _CONFIG, absent=Means(2, BROKER))
    authorization: Annotated[
        str | None, Cell("Type of authorization, such as simple or msk; empty for none.", why="why")
    ] = at("spec.kafka.authorization.type", absent=Means("", BROKER))
    super_users: Annotated[
        list[str] | None,
        Cell(
            "Principals that may do everything.",
            why="why",
            entity="principal",
            written="spec.kafka.authorization.superUsers",
        ),
    ]
    service: Annotated[bool, Cell("Whether a service runs it, with settings and nodes that no file has.")]
    brokers: Annotated[int | None, Cell("Brokers asked for.", unit="pods", why="why")]
    quorum: Annotated[int | None, Cell("Controllers, or servers of ZooKeeper, asked for.", unit="pods", why="why")]
    kraft: Annotated[
        bool | None, Cell("Whether it runs without ZooKeeper.", why="why", written="spec.zookeeper.replicas")
    ]
    kafka_version: Annotated[
        str | None,
        Cell(
            "Version of Kafka; empty where it is the newest of Strimzi's operator.",
            why="why",
            written="spec.kafka.version",
        ),
    ]
    budget: Annotated[
        int | None,
        Cell(
            "Pods that its disruption budget lets go at once.",
            unit="pods",
            why="why",
            written="spec.kafka.template.podDisruptionBudget.maxUnavailable",
        ),
    ]
    metrics: Annotated[
        str | None,
        Cell("Type of the metrics it exports; empty for none.", why="why", written="spec.kafka.metricsConfig.type"),
    ]
    why: Annotated[str, Cell("Why some of it is not known; empty where all is.")]


PROBE = probe_of(
    ClusterDeclaration,
    "kafkas",
    help="One row per cluster that is declared: by Strimzi, values of a chart, or a plan of Terraform (MSK).",
)


def observe(strimzi: Declares) -> Observed:
    """Observe the clusters that are declared."""

    def rows(found: list[Declared]) -> Iterator[Row | Gap]:
        asked = pools_of(strimzi, found)
        return each(found, lambda kafka: _row(kafka, *asked(kafka)))

    seen = observed(strimzi, {"kafkas": rows})
    return with_others(strimzi, seen, "cluster", lambda files: map(_of_other, files.settings()))


def _row(kafka: Declared, pools: list[Declared], lost: list[UnreadManifest]) -> ClusterDeclaration:
    nodes = asked_for(kafka, pools, lost)
    places = kafka.places(ClusterDeclaration)
    return row_of(
        ClusterDeclaration,
        kafka,
        tool="Strimzi",
        places=places | nodes.places(kafka, pools) if places else places,
        super_users=super_users(kafka),
        service=False,
        brokers=nodes.brokers,
        quorum=nodes.quorum,
        kraft=nodes.zookeepers == 0,
        kafka_version=text(kafka.spec, "kafka", "version"),
        budget=number(kafka.spec, "kafka", "template", "podDisruptionBudget", "maxUnavailable", default=1),
        metrics=text(kafka.spec, "kafka", "metricsConfig", "type"),
        why=nodes.why or "a value that is no number, or a reference",
    )


def _of_other(one: ClusterStated) -> ClusterDeclaration:
    """The row of a cluster of another tool; a service merges settings into its own, which no file has."""
    config, nodes = one.config or {}, one.nodes or ClusterNodes()
    service = one.nodes is None
    lacking = [name for name in _SETTINGS if name not in config] if service else []
    authorizer, users = config.get("authorizer.class.name"), config.get("super.users")
    return ClusterDeclaration(
        namespace=one.namespace,
        kafka=one.resource,
        tool=one.by,
        source=one.source,
        default_replication=_told(config, "default.replication.factor", whole_number),
        min_insync=_told(config, "min.insync.replicas", whole_number),
        unclean_election=_told(config, "unclean.leader.election.enable", _truth),
        auto_create=_told(config, "auto.create.topics.enable", _truth),
        allows_unlisted=_told(config, "allow.everyone.if.no.acl.found", _truth),
        offsets_replication=_told(config, "offsets.topic.replication.factor", whole_number),
        transactions_replication=_told(config, "transaction.state.log.replication.factor", whole_number),
        transactions_min_insync=_told(config, "transaction.state.log.min.isr", whole_number),
        authorization="msk" if service else authorizer and authorizer.rpartition(".")[2],
        super_users=None if users is None else [each.strip() for each in users.split(";") if each.strip()],
        service=service,
        brokers=nodes.brokers,
        quorum=nodes.quorum,
        kraft=nodes.kraft,
        kafka_version=nodes.kafka_version,
        budget=nodes.budget,
        metrics=nodes.metrics,
        why=together([one.why, f"{', '.join(lacking)}: {_WHY}" if lacking and not one.why else ""]),
        places=one.places,
    )


def _told(config: Mapping[str, str | None], name: str, read: Callable[[str], T]) -> T | None:
    value = config.get(name)
    return None if value is None else read(value)


def _truth(text: str) -> bool:
    return text.strip().lower() == "true"
