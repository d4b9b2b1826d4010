"""Connectors as Strimzi's resources declare them: KafkaConnector, and those of KafkaMirrorMaker2."""

from typing import Annotated, Any, Final

from runbook.answers.kubernetes.objects import flag, many, part, text
from runbook.formats.declared import Means, at, setting
from runbook.model.fact import Observed
from runbook.model.row import Cell, Row, row_of
from runbook.probes._strimzi import SOURCE, Declared, Declares, config_value, observed, probe_of, whole_number

_CONNECT: Final = "Connect's own default"


class StrimziConnector(Row):
    """A connector."""

    resource: Annotated[str, Cell("The resource that declares it.", key=True)]
    connector: Annotated[
        str, Cell("Its name: of the resource, or ALIAS->ALIAS of a mirror.", key=True, entity="connector")
    ]
    connect: Annotated[str, Cell("The group of workers it runs on: KafkaConnect NAME, or KafkaMirrorMaker2 NAME.")]
    source: Annotated[str, SOURCE]
    plugin: Annotated[str, Cell("Class of the connector.")] = at("class")
    state: Annotated[str, Cell("running, paused or stopped.")]
    tasks: Annotated[int, Cell("Most tasks it may have.", unit="tasks")] = at("tasksMax", absent=Means(1, _CONNECT))
    restarts: Annotated[bool, Cell("Whether the operator restarts it, and its tasks, when they fail.")]
    replication: Annotated[
        int,
        Cell(
            "replication.factor of the topics it makes; where it sets none, 2 of a mirror; -1 is the broker's default.",
            unit="replicas",
        ),
    ]
    errors_tolerated: Annotated[bool, Cell("Whether it goes on past records that it can't handle.")]
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
            "kafkaconnectors": lambda found: [
                _row(resource, resource.name, f"KafkaConnect {resource.cluster}", resource.spec) for resource in found
            ],
            "kafkamirrormaker2s": lambda found: [row for resource in found for row in _mirrors(resource)],
        },
    )


def _mirrors(one: Declared) -> list[StrimziConnector]:
    return [
        _row(
            one,
            f"{_alias(mirror, 'source')}->{_alias(one.spec, 'target') or text(mirror, 'targetCluster')}",
            f"KafkaMirrorMaker2 {one.name}",
            {"class": "MirrorSourceConnector"} | part(mirror, "sourceConnector"),
        )
        for mirror in many(one.spec, "mirrors")
    ]


def _alias(spec: dict[str, Any], end: str) -> str:
    """How a mirror calls one of its ends, in v1; until v1beta2 it names the source's cluster."""
    return text(spec, end, "alias") or (text(spec, "sourceCluster") if end == "source" else "")


def _row(one: Declared, connector: str, connect: str, spec: dict[str, Any]) -> StrimziConnector:
    config = part(spec, "config")
    unset = 2 if text(spec, "class").endswith("MirrorSourceConnector") else -1
    return row_of(
        StrimziConnector,
        spec,
        resource=one.name,
        connector=connector,
        connect=connect,
        source=one.source,
        state=text(spec, "state") or ("paused" if flag(spec, "pause") else "running"),
        restarts="autoRestart" in spec and flag(spec, "autoRestart", "enabled", default=True),
        replication=whole_number(config, "replication.factor", unset),
        errors_tolerated=config_value(config, "errors.tolerance", "none") == "all",
    )
