"""Topics as they are declared: by Strimzi, Confluent's operator, jikkou, plans of Terraform and values of a chart."""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import lru_cache
from typing import Annotated, Any, Final

from runbook.answers.kubernetes.objects import number, part, text
from runbook.answers.kubernetes.strimzi import is_managed
from runbook.answers.manifests import UnreadManifest
from runbook.formats.declared import Means, at, by
from runbook.formats.kafka_settings import judged
from runbook.formats.kafka_settings.by_release import verdict
from runbook.formats.kafka_settings.facts import releases, settings
from runbook.formats.statements import TopicStated, setting_text, together
from runbook.formats.statements import whole_number as plain_number
from runbook.model.errors import Garbled
from runbook.model.fact import Gap, Observed
from runbook.model.row import Cell, Row, row_of
from runbook.probes._other_tools import with_others
from runbook.probes._strimzi import (
    SOURCE,
    Declared,
    Declares,
    PlacedRow,
    declared_if_any,
    each,
    observed,
    probe_of,
    unread,
    whole_number,
    without_kafka,
)

STRIMZI: Final = "Strimzi"
_MINIMUM: Final = "min.insync.replicas"
_UNCLEAN: Final = "unclean.leader.election.enable"
_OF_OTHERS: Final = ("confluent.", "redpanda.", "automq.", "x.")
"""Beginnings of settings that servers other than Apache's have."""
_NO_DEFAULT: Final = "no file says the cluster's {}, which counts where a topic sets none"


class TopicDeclaration(PlacedRow):
    """A topic as it is declared; what it leaves out is what its Kafka resource says."""

    resource: Annotated[str, Cell("Name of the resource, or its address in Terraform.", key=True)] = at("name")
    tool: Annotated[str, Cell("The tool that makes it so, as Strimzi or Terraform.")]
    topic: Annotated[str, Cell("Name of the topic.", entity="topic", written="spec.topicName")]
    kafka: Annotated[
        str,
        Cell(
            "The cluster it belongs to: Strimzi's Kafka resource, by its label, or the file of values; empty for none."
        ),
    ] = at("cluster")
    version: Annotated[str, Cell("Version of the API it is written in, such as v1; empty for no API.")] = at("version")
    source: Annotated[str, SOURCE] = at("source")
    managed: Annotated[bool, Cell("Whether Strimzi's operator acts on it (annotation strimzi.io/managed).")] = by(
        is_managed, "whole"
    )
    partitions: Annotated[
        int | None, Cell("Partitions; -1 where the broker decides.", unit="partitions", why="why")
    ] = at("spec.partitions", absent=Means(-1, "the broker decides"))
    replicas: Annotated[
        int | None, Cell("Replicas of each partition.", unit="replicas", why="why", written="spec.replicas")
    ]
    min_insync: Annotated[
        int | None,
        Cell("min.insync.replicas.", unit="replicas", why="why", written="spec.config['min.insync.replicas']"),
    ]
    why: Annotated[str, Cell("Why something of it is not known; empty where all is.")]
    unclean_election: Annotated[
        bool | None,
        Cell(
            "Whether the topic itself sets unclean.leader.election.enable.",
            why="why",
            written="spec.config['unclean.leader.election.enable']",
        ),
    ]
    keeps_everything: Annotated[
        bool | None,
        Cell(
            "Whether it turns off retention.ms, nothing bounds its bytes, and it is not compacted.",
            why="why",
            written="spec.config['retention.ms']",
        ),
    ]
    refused: Annotated[
        list[str], Cell("Its settings that every release of Kafka refuses, and why.", written="spec.config")
    ]


PROBE = probe_of(
    TopicDeclaration,
    "kafkas",
    "kafkatopics",
    help=(
        "One row per topic that is declared: by Strimzi, Confluent for Kubernetes, jikkou, a plan of Terraform or "
        "values of Bitnami's chart."
    ),
)


def observe(strimzi: Declares) -> Observed:
    """Observe the topics that are declared."""

    def rows(found: list[Declared]) -> Iterator[Row | Gap]:
        kafkas = {kafka.home: kafka for kafka in declared_if_any(strimzi, "kafkas")} if found else {}
        lost = unread(strimzi, "kafkas") if found else []
        return each(found, lambda one: _row(one, kafkas.get(one.home), lost))

    seen = observed(strimzi, {"kafkatopics": rows})
    return with_others(strimzi, seen, "topic", lambda files: map(_of_other, files.topics()))


def _row(one: Declared, kafka: Declared | None, lost: list[UnreadManifest]) -> TopicDeclaration:
    defaults = None if kafka is None else part(kafka.spec, "kafka", "config")
    config = part(one.spec, "config")
    replicas = number(one.spec, "replicas", default=-1)
    least = whole_number(config, _MINIMUM, -1)
    known = defaults is not None or (replicas > 0 and least > 0)
    given = {str(key): setting_text(value) for key, value in config.items() if value is not None}
    refused = _refused(given)
    return row_of(
        TopicDeclaration,
        one,
        tool=STRIMZI,
        places=_places(one, kafka, {"replicas": replicas, "min_insync": least}, [*refused][:1]),
        topic=text(one.spec, "topicName") or one.name,
        replicas=replicas if replicas > 0 else _default(defaults, "default.replication.factor"),
        min_insync=least if least > 0 else _default(defaults, _MINIMUM),
        why="" if known else without_kafka(one, lost),
        unclean_election=_is_unclean(given),
        keeps_everything=_keeps_everything(given, defaults or {}),
        refused=[*refused.values()],
    )


_DEFAULTS: Final = {"replicas": "default.replication.factor", "min_insync": _MINIMUM}


def _places(one: Declared, kafka: Declared | None, given: Mapping[str, int], refused: list[str]) -> dict[str, str]:
    """Where the cells stand: what the topic leaves out, at the default that its Kafka resource sets."""
    own = one.places(TopicDeclaration, refused=("spec", "config", *refused))
    inherited = {
        column: kafka.place("spec", "kafka", "config", _DEFAULTS[column])
        for column, value in given.items()
        if kafka is not None and value <= 0
    }
    return own | inherited if own else {}


def _default(defaults: dict[str, Any] | None, key: str) -> int | None:
    return None if defaults is None else whole_number(defaults, key, 1)


def _of_other(one: TopicStated) -> TopicDeclaration:
    """The row of a topic that another tool is to make: no file says the defaults of its cluster."""
    least = _whole(one, _MINIMUM) if _MINIMUM in one.config else one.minimum
    replicas = one.replicas if one.replicas is None or one.replicas > 0 else None
    defaults = [
        "default.replication.factor" if one.replicas is not None and replicas is None else "",
        _MINIMUM if _MINIMUM not in one.config and one.config_whole and one.minimum is None else "",
    ]
    refused = _refused(one.config, names_checked=one.names_checked)
    return TopicDeclaration(
        namespace=one.namespace,
        resource=one.resource,
        tool=one.by,
        topic=one.topic,
        kafka=one.kafka,
        version="",
        source=one.source,
        managed=False,
        partitions=one.partitions,
        replicas=replicas,
        min_insync=least,
        why=together([one.why, *(_NO_DEFAULT.format(key) for key in defaults if key)]),
        unclean_election=_is_unclean(one.config) if one.config_whole or _UNCLEAN in one.config else None,
        keeps_everything=_keeps_everything(one.config, {}) if one.config_whole else None,
        refused=[*refused.values()],
        places=one.places,
    )


def _whole(one: TopicStated, key: str) -> int | None:
    value = one.config.get(key)
    if value is None:
        return None
    found = plain_number(value)
    if found is None:
        raise Garbled(f"{one.resource} has {value[:40]!r} as {key}, which should be a whole number")
    return found


def _is_unclean(config: Mapping[str, str | None]) -> bool | None:
    value = config.get(_UNCLEAN, "false")
    return None if value is None else value.lower() == "true"


def _keeps_everything(config: Mapping[str, str | None], defaults: Mapping[str, Any]) -> bool | None:
    """Whether no record ever goes, by the topic's own decision; a default of the brokers is a matter of theirs."""
    policy = config.get("cleanup.policy", setting_text(defaults.get("log.cleanup.policy", "delete")))
    time = config.get("retention.ms", "0")
    size = config.get("retention.bytes", setting_text(defaults.get("log.retention.bytes", -1)))
    if None in (policy, time, size):
        return None
    return "compact" not in str(policy) and time == "-1" and size == "-1"


def _refused(config: Mapping[str, str | None], *, names_checked: bool = False) -> dict[str, str]:
    """Setting → what every release of Kafka says against it.

    Args:
        config: of the topic.
        names_checked: whether its tool takes only settings that the service has, which may be others than Kafka's.
    """
    return _refused_of(tuple(config.items()), names_checked=names_checked)


@lru_cache(maxsize=4096)  # thousands of topics have some dozens of configurations
def _refused_of(given: tuple[tuple[str, str | None], ...], *, names_checked: bool) -> dict[str, str]:
    config = dict(given)
    found = verdict("topic", config, judged("topic"), whole=False)
    strange = [] if names_checked else [name for name in config if not _is_known(name)]
    return {name: f"{name}: {'; '.join(says)}" for name, says in found.refused.items()} | {
        name: f"{name}: Kafka has no such topic setting{_meant(name)}" for name in strange
    }


def _is_known(name: str) -> bool:
    return name.startswith(_OF_OTHERS) or any(name in settings("topic", release) for release in releases())


def _meant(name: str) -> str:
    alike = get_close_matches(name, settings("topic", releases()[-1]), 1)
    return f"; did you mean {alike[0]}?" if alike else ""
