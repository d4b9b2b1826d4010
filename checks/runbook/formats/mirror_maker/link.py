"""What one connector of MirrorMaker does: the values in force, Kafka's own where nothing is given.

The defaults are those of MirrorSourceConfig, MirrorCheckpointConfig, MirrorHeartbeatConfig, DefaultTopicFilter,
DefaultGroupFilter and DefaultConfigPropertyFilter in org.apache.kafka:connect-mirror, read from the classes of 2.8.2,
3.4.1, 3.9.1, 4.0.0, 4.1.1, 4.2.0 and 4.3.0; where releases differ it is said.
"""

from typing import Final

from msgspec import Struct

from runbook.formats.mirror_maker.given import Configuration, listed, number, switch, text

SOURCE: Final = "source"
CHECKPOINT: Final = "checkpoint"
HEARTBEAT: Final = "heartbeat"
CLASSES: Final = {
    SOURCE: "MirrorSourceConnector",
    CHECKPOINT: "MirrorCheckpointConnector",
    HEARTBEAT: "MirrorHeartbeatConnector",
}
"""Kind of connector -> its class in the package org.apache.kafka.connect.mirror."""

NEVER: Final = -1
"""Seconds between looks for what is new, where no such look is taken."""

_PACKAGE = "org.apache.kafka.connect.mirror."
_ALL = (".*",)
_REPLICAS = 3  # of each internal topic
_LOOK_SECONDS = 600
_GROUPS_EXCLUDE = ("console-consumer-.*", "connect-.*", "__.*")
_POLICIES = {f"{_PACKAGE}DefaultReplicationPolicy": "default", f"{_PACKAGE}IdentityReplicationPolicy": "identity"}
_FOUR = (4, 0)  # KIP-1074: from this release on only MirrorMaker's own internal topics are left out by default
_STAMPS_SINCE = (4, 3)

Release = tuple[int, ...]
Names = tuple[str, ...] | None


class MirrorLink(Struct, frozen=True, kw_only=True):
    """The values in force of one connector; None for what its kind has not, and for what can't be known.

    The attributes are named as the columns of `mirror_connector` that show them.
    """

    kind: str
    source: str | None
    target: str | None
    enabled: bool | None
    tasks_max: int | None
    policy: str | None
    separator: str | None
    source_bootstrap: Names
    target_bootstrap: Names
    topics: Names = None
    topics_exclude: Names = None
    groups: Names = None
    groups_exclude: Names = None
    config_properties_exclude: Names = None
    replication_factor: int | None = None
    offset_syncs_replication_factor: int | None = None
    checkpoints_replication_factor: int | None = None
    heartbeats_replication_factor: int | None = None
    sync_topic_configs: bool | None = None
    sync_topic_acls: bool | None = None
    sync_group_offsets: bool | None = None
    emit_heartbeats: bool | None = None
    emit_checkpoints: bool | None = None
    emit_offset_syncs: bool | None = None
    heartbeats_replication: bool | None = None
    refresh_topics_seconds: int | None = None
    refresh_groups_seconds: int | None = None
    sync_group_offsets_seconds: int | None = None
    emit_checkpoints_seconds: int | None = None
    emit_heartbeats_seconds: int | None = None
    offset_lag_max: int | None = None
    offset_syncs_location: str | None = None


def kind_of(class_name: str) -> str | None:
    """The kind of a connector of MirrorMaker by its class, which Connect also takes without package and ending."""
    bare = class_name.removeprefix(_PACKAGE)
    return next((kind for kind, name in CLASSES.items() if bare in (name, name.removesuffix("Connector"))), None)


def read_link(kind: str, given: Configuration, release: Release | None = None) -> MirrorLink:
    """Tell what a connector does.

    Args:
        kind: one of CLASSES.
        given: its configuration.
        release: of MirrorMaker; the newest where nothing tells.
    """
    policy = text(given, "replication.policy.class", f"{_PACKAGE}DefaultReplicationPolicy")
    own = {SOURCE: _source, CHECKPOINT: _checkpoint, HEARTBEAT: _heartbeat}[kind](given, release)
    return MirrorLink(
        kind=kind,
        source=text(given, "source.cluster.alias", None),
        target=text(given, "target.cluster.alias", "target"),
        enabled=switch(given, "enabled", default=True),
        tasks_max=number(given, "tasks.max", 1),
        policy=None if policy is None else _POLICIES.get(policy, policy),
        separator=text(given, "replication.policy.separator", "."),
        source_bootstrap=_addresses(given, "source"),
        target_bootstrap=_addresses(given, "target"),
        **own,  # type: ignore[arg-type]
    )


def _source(given: Configuration, release: Release | None) -> dict[str, object]:
    return {
        **_topics(given, release),
        "config_properties_exclude": _filter(
            given, "config.property.filter.class", "config.properties.exclude", _properties(release)
        ),
        "replication_factor": number(given, "replication.factor", 2),
        "offset_syncs_replication_factor": number(given, "offset-syncs.topic.replication.factor", _REPLICAS),
        "sync_topic_configs": switch(given, "sync.topic.configs.enabled", default=True),
        "sync_topic_acls": switch(given, "sync.topic.acls.enabled", default=True),
        "emit_offset_syncs": switch(given, "emit.offset-syncs.enabled", default=True),
        "heartbeats_replication": switch(given, "heartbeats.replication.enabled", default=True),
        "refresh_topics_seconds": _interval(given, "refresh.topics"),
        "offset_lag_max": number(given, "offset.lag.max", 100),
        "offset_syncs_location": text(given, "offset-syncs.topic.location", "source"),
    }


def _checkpoint(given: Configuration, release: Release | None) -> dict[str, object]:
    return {
        **_topics(given, release),
        "groups": _filter(given, "group.filter.class", "groups", _ALL),
        "groups_exclude": _excluded(given, "group", _GROUPS_EXCLUDE, release),
        "checkpoints_replication_factor": number(given, "checkpoints.topic.replication.factor", _REPLICAS),
        "sync_group_offsets": switch(given, "sync.group.offsets.enabled", default=False),
        "emit_checkpoints": switch(given, "emit.checkpoints.enabled", default=True),
        "refresh_groups_seconds": _interval(given, "refresh.groups"),
        "sync_group_offsets_seconds": number(given, "sync.group.offsets.interval.seconds", 60),
        "emit_checkpoints_seconds": number(given, "emit.checkpoints.interval.seconds", 60),
        "offset_syncs_location": text(given, "offset-syncs.topic.location", "source"),
    }


def _heartbeat(given: Configuration, _: Release | None) -> dict[str, object]:
    return {
        "heartbeats_replication_factor": number(given, "heartbeats.topic.replication.factor", _REPLICAS),
        "emit_heartbeats": switch(given, "emit.heartbeats.enabled", default=True),
        "emit_heartbeats_seconds": number(given, "emit.heartbeats.interval.seconds", 1),
    }


def _topics(given: Configuration, release: Release | None) -> dict[str, object]:
    """Which topics pass: checkpoints have the same filter as the copies."""
    internal = r".*[\-\.]internal" if release is not None and release < _FOUR else r"mm2.*\.internal"
    return {
        "topics": _filter(given, "topic.filter.class", "topics", _ALL),
        "topics_exclude": _excluded(given, "topic", (internal, r".*\.replica", "__.*"), release),
    }


def _excluded(given: Configuration, of: str, default: tuple[str, ...], release: Release | None) -> Names:
    """What does not pass; not known where an earlier name is used that only releases before 4.0 read."""
    if f"{of}s.blacklist" in given and f"{of}s.exclude" not in given and (release is None or release < _FOUR):
        return None
    return _filter(given, f"{of}.filter.class", f"{of}s.exclude", default)


def _filter(given: Configuration, by: str, name: str, default: tuple[str, ...]) -> Names:
    """The patterns of a filter; a class of one's own may read them or not."""
    built_in = {
        "topic.filter.class": "DefaultTopicFilter",
        "group.filter.class": "DefaultGroupFilter",
        "config.property.filter.class": "DefaultConfigPropertyFilter",
    }[by]
    chosen = text(given, by, f"{_PACKAGE}{built_in}")
    return listed(given, name, default) if chosen == f"{_PACKAGE}{built_in}" else None


def _properties(release: Release | None) -> tuple[str, ...]:
    """Settings of topics that are not copied; before 4.3 with backslashes before the dots, to the same effect."""
    stamps = ("log.message.timestamp.before.max.ms", "log.message.timestamp.after.max.ms")
    return (
        "follower.replication.throttled.replicas",
        "leader.replication.throttled.replicas",
        "message.timestamp.difference.max.ms",
        *(stamps if release is None or release >= _STAMPS_SINCE else ()),
        "message.timestamp.type",
        "unclean.leader.election.enable",
        "min.insync.replicas",
    )


def _interval(given: Configuration, what: str) -> int | None:
    taken = switch(given, f"{what}.enabled", default=True)
    return (
        NEVER if taken is False else None if taken is None else number(given, f"{what}.interval.seconds", _LOOK_SECONDS)
    )


def _addresses(given: Configuration, side: str) -> Names:
    name = f"{side}.cluster.bootstrap.servers"
    return listed(given, name) if name in given else None
