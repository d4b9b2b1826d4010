"""Connectors as Strimzi's resources declare them: KafkaConnector, and those of KafkaMirrorMaker2."""

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final, NamedTuple

from runbook.answers.kubernetes.objects import flag, many, part, text
from runbook.formats.declared import Means, at, follow, setting
from runbook.model.fact import Observed
from runbook.model.row import Cell, row_of
from runbook.probes._strimzi import (
    SOURCE,
    Declared,
    Declares,
    PlacedRow,
    config_value,
    each,
    observed,
    probe_of,
    whole_number,
)
from runbook.safety.redaction import Redaction
from runbook.safety.secret import is_secret

_CONNECT: Final = "Connect's own default"
_INNER_TOPICS: Final = {"source": "offset-syncs", "checkpoint": "checkpoints", "heartbeat": "heartbeats"}
"""Connector of a mirror → the topic that it makes for itself."""
_INNER: Final = 3
"""MirrorMaker's default of each: MirrorSourceConfig, MirrorCheckpointConfig, MirrorHeartbeatConfig, 2.5 to 4.3."""
_CREATES: Final = re.compile(r"topic\.creation\..+\.replication\.factor")
_HARMLESS: Final = re.compile(r"true|false|\d{1,3}|", re.IGNORECASE)  # switches and small numbers are nobody's password
_SHAPES: Final = Redaction(())
_NO_SECRET: Final = re.compile(r"\$\{[^}]*\}|(?<=:)@")
"""References that the worker follows, and the mark of an address before which no password stands."""


Path = tuple[str | int, ...]


class StrimziConnector(PlacedRow):
    """A connector."""

    resource: Annotated[str, Cell("The resource that declares it.", key=True)]
    connector: Annotated[
        str, Cell("Its name: of the resource, or ALIAS->ALIAS of a mirror.", key=True, entity="connector")
    ]
    connect: Annotated[str, Cell("The group of workers it runs on: KafkaConnect NAME, or KafkaMirrorMaker2 NAME.")]
    source: Annotated[str, SOURCE]
    plugin: Annotated[str, Cell("Class of the connector.")] = at("class")
    state: Annotated[str, Cell("running, paused or stopped.", written="state")]
    tasks: Annotated[int, Cell("Most tasks it may have.", unit="tasks")] = at("tasksMax", absent=Means(1, _CONNECT))
    restarts: Annotated[
        bool, Cell("Whether the operator restarts it, and its tasks, when they fail.", written="autoRestart")
    ]
    replication: Annotated[
        int,
        Cell(
            "replication.factor of the topics it makes; where it sets none, 2 of a mirror; -1 is the broker's default.",
            unit="replicas",
            written="config['replication.factor']",
        ),
    ]
    inner_replication: Annotated[
        int,
        Cell(
            "Fewest replicas of the topics that a mirror's connectors make for themselves (offset syncs, checkpoints, "
            "heartbeats): 3 where it sets none; -1 is the broker's default, and of what is no mirror.",
            unit="replicas",
        ),
    ]
    created_replication: Annotated[
        int,
        Cell("Fewest replicas that its topic.creation groups ask for; -1 is the broker's default.", unit="replicas"),
    ]
    in_clear: Annotated[list[str], Cell("Settings that hold a credential as plain text; no values.")]
    errors_tolerated: Annotated[
        bool, Cell("Whether it goes on past records that it can't handle.", written="config['errors.tolerance']")
    ]
    dead_letters: Annotated[str, Cell("Topic for those records; empty for none.", entity="topic")] = setting(
        "errors.deadletterqueue.topic.name", "config"
    )
    errors_logged: Annotated[bool, Cell("Whether it logs them.")] = setting(
        "errors.log.enable", "config", absent=Means(value=False, because=_CONNECT)
    )


PROBE = probe_of(
    StrimziConnector,
    "kafkaconnectors",
    "kafkamirrormaker2s",
    help="One row per KafkaConnector, and per mirror of a KafkaMirrorMaker2 of Strimzi.",
)


def observe(strimzi: Declares) -> Observed:
    """Observe the connectors that are declared."""
    return observed(
        strimzi,
        {
            "kafkaconnectors": lambda found: each(
                found, lambda one: _row(one, _Part(one.name, f"KafkaConnect {one.cluster}", ("spec",), one.spec))
            ),
            "kafkamirrormaker2s": lambda found: each(found, _mirrors),
        },
    )


class _Part(NamedTuple):
    """A connector, in the resource that declares it.

    Attributes:
        name: its own.
        workers: the group that it runs on.
        path: where it stands.
        spec: what stands there.
        inner: path → the number of replicas of a topic that it, or one that comes with it, makes for itself.
        merged: path → other parts of the resource whose `config` the operator gives it as well.
    """

    name: str
    workers: str
    path: Path
    spec: dict[str, Any]
    inner: Mapping[Path, Any] = {}
    merged: Mapping[Path, dict[str, Any]] = {}


def _mirrors(one: Declared) -> Iterator[StrimziConnector]:
    """A row for each mirror that has a connector: the operator makes those that stand there, be they empty."""
    for place, mirror in enumerate(many(one.spec, "mirrors")):
        own: Path = ("spec", "mirrors", place)
        made = [of for of in _INNER_TOPICS if mirror.get(f"{of}Connector") is not None]
        if not made:
            continue
        first, *others = (f"{of}Connector" for of in made)
        inner = [(f"{of}Connector", "config", f"{_INNER_TOPICS[of]}.topic.replication.factor") for of in made]
        connector = _Part(
            f"{_alias(mirror, 'source')}->{_alias(one.spec, 'target') or text(mirror, 'targetCluster')}",
            f"KafkaMirrorMaker2 {one.name}",
            (*own, first),
            {"class": f"Mirror{made[0].capitalize()}Connector"} | part(mirror, first),
            {(*own, *path): follow(mirror, path) or _INNER for path in inner},
            {("spec", "target"): part(one.spec, "target")}
            | {(*own, name): part(mirror, name) for name in ("source", *others)},
        )
        yield _row(one, connector)


def _alias(spec: dict[str, Any], end: str) -> str:
    """How a mirror calls one of its ends, in v1; until v1beta2 it names the source's cluster."""
    return text(spec, end, "alias") or (text(spec, "sourceCluster") if end == "source" else "")


def _row(one: Declared, connector: _Part) -> StrimziConnector:
    spec, path = connector.spec, connector.path
    config = part(spec, "config")
    plain = [
        (*home, "config", name)
        for home, holder in {path: spec, **connector.merged}.items()
        for name, value in part(holder, "config").items()
        if _is_plain_secret(name, str(value))
    ]
    created = {(*path, "config", name): value for name, value in config.items() if _CREATES.fullmatch(name)}
    unset = 2 if text(spec, "class").endswith("MirrorSourceConnector") else -1
    return row_of(
        StrimziConnector,
        spec,
        namespace=one.namespace,
        resource=one.name,
        connector=connector.name,
        connect=connector.workers,
        places=one.places(
            StrimziConnector,
            *path,
            inner_replication=_fewest(connector.inner).path or path,
            created_replication=_fewest(created).path or path,
            in_clear=plain[0] if plain else (*path, "config"),
        ),
        source=one.source,
        state=text(spec, "state") or ("paused" if flag(spec, "pause") else "running"),
        restarts="autoRestart" in spec and flag(spec, "autoRestart", "enabled", default=True),
        replication=whole_number(config, "replication.factor", unset),
        inner_replication=_fewest(connector.inner).factor,
        created_replication=_fewest(created).factor,
        in_clear=sorted({str(found[-1]) for found in plain}),
        errors_tolerated=config_value(config, "errors.tolerance", "none") == "all",
    )


class _Fewest(NamedTuple):
    factor: int
    path: Path


def _fewest(factors: Mapping[Path, Any]) -> _Fewest:
    """The smallest of these numbers of replicas, and where it is; -1, the broker's default, where none says another."""
    known = (_Fewest(whole_number({str(path[-1]): each}, str(path[-1]), -1), path) for path, each in factors.items())
    return min((each for each in known if each.factor > 0), default=_Fewest(-1, ()))


def _is_plain_secret(name: str, value: str) -> bool:
    """Whether a setting holds a credential itself, instead of a reference that the worker follows."""
    if is_secret(name):
        return "${" not in value and not _HARMLESS.fullmatch(value.strip())
    return _SHAPES.found_in(_NO_SECRET.sub("", value))
