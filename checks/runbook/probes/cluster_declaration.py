"""Settings of brokers as they are declared: of Strimzi's Kafka resources, and of plans of Terraform (MSK)."""

from collections.abc import Callable, Mapping
from typing import Annotated, Final, TypeVar

from runbook.formats.declared import Means, at, setting, settings_of
from runbook.formats.statements import ClusterStated, together, whole_number
from runbook.model.fact import Observed
from runbook.model.row import Cell, row_of
from runbook.probes._strimzi import (
    BROKER,
    SOURCE,
    Declared,
    Declares,
    PlacedRow,
    each,
    observed,
    probe_of,
    with_others,
)

T = TypeVar("T")
_CONFIG: Final = "spec.kafka.config"
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
    authorization: Annotated[str, Cell("Type of authorization, such as simple or msk; empty for none.")] = at(
        "spec.kafka.authorization.type"
    )
    why: Annotated[str, Cell("Why some of it is not known; empty where all is.")]


PROBE = probe_of(
    ClusterDeclaration,
    "kafkas",
    help="One row per cluster whose broker settings are declared: by Strimzi, or a plan of Terraform.",
)


def observe(strimzi: Declares) -> Observed:
    """Observe the settings that are declared."""
    seen = observed(strimzi, {"kafkas": lambda found: each(found, _row)})
    return with_others(strimzi, seen, "cluster", lambda files: map(_of_other, files.settings()))


def _row(one: Declared) -> ClusterDeclaration:
    places = one.places(ClusterDeclaration)
    return row_of(
        ClusterDeclaration, one, tool="Strimzi", places=places, why="a value that is no number, or a reference"
    )


def _of_other(one: ClusterStated) -> ClusterDeclaration:
    """The row of settings that a service merges into its own, which no file has."""
    config = one.config or {}
    lacking = [name for name in settings_of(ClusterDeclaration) if name not in config]
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
        authorization="msk",
        why=together([one.why, f"{', '.join(lacking)}: {_WHY}" if lacking and not one.why else ""]),
        places=one.places,
    )


def _told(config: Mapping[str, str], name: str, read: Callable[[str], T]) -> T | None:
    return read(config[name]) if name in config else None


def _truth(text: str) -> bool:
    return text.strip().lower() == "true"
