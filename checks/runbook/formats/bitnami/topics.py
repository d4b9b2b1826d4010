"""The topics that values of Bitnami's chart declare: its job makes those that are not there, and changes none."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from runbook.formats.bitnami.release import BY, place_of, settings_of
from runbook.formats.chart_values import Open, Values, as_settings, small_number
from runbook.formats.nested import list_of, part_of
from runbook.formats.statements import NotStated, TopicStated, together

_MINIMUM: Final = "min.insync.replicas"
_ACLS: Final = "kafka-acls"
_COMMANDS: Final = ("extraProvisioningCommands", "preScript", "postScript")


def topics(values: Values) -> Iterator[TopicStated]:
    """The topics."""
    if topics_unmade(values):
        return
    settings = Open().known(lambda: settings_of(values)) or {}
    least = small_number(settings.get(_MINIMUM))
    for at, one in enumerate(list_of(part_of(values.said, "provisioning"), "topics")):
        yield _topic(values, ("provisioning", "topics", at), one, least)


def topics_unmade(values: Values) -> str:
    """Why the chart may make none of the topics that they list; empty where it makes them, or there are none."""
    if not values.given("provisioning", "topics"):
        return ""
    try:
        made = values.flag("provisioning", "enabled", default=False)
    except NotStated as reason:
        return str(reason)
    return "" if made else "provisioning.enabled is not true: the chart makes none of these topics"


def commands_unread(values: Values) -> str:
    """Where commands change ACLs, which are not read here; empty for nowhere."""
    found = [key for key in _COMMANDS if _ACLS in str(values.given("provisioning", key))]
    return f"provisioning.{found[0]} calls {_ACLS}, which is not read here" if found else ""


def _topic(values: Values, path: tuple[Any, ...], one: Mapping[str, Any], least: int | None) -> TopicStated:
    seen, config = Open(), as_settings(one.get("config"))

    def count(own: str, common: str) -> int | None:
        given = one.get(own)  # 0 counts as not set
        return small_number(given) if given else seen.known(lambda: values.number("provisioning", common, default=1))

    replicas = (*path, "replicationFactor") if one.get("replicationFactor") else ("provisioning", "replicationFactor")
    return TopicStated(
        by=BY,
        resource=f"{values.name} {one.get('name', '')}",
        source=values.place(*path).rpartition(":")[0],
        places={
            "": values.place(*path, "name"),
            "topic": values.place(*path, "name"),
            "replicas": values.place(*replicas),
            "min_insync": values.place(*path, "config", _MINIMUM) if _MINIMUM in config else place_of(values, _MINIMUM),
            "partitions": values.place(*path, "partitions"),
        },
        topic=str(one.get("name", "")),
        kafka=values.name,
        partitions=count("partitions", "numPartitions"),
        replicas=count("replicationFactor", "replicationFactor"),
        config=config,
        minimum=least,
        why=together(seen.reasons),
    )
