"""What KafkaConfig and what it is made of ask of several settings of a broker together."""

import re
from collections.abc import Callable, Sequence
from operator import ge, gt, le
from typing import Any, Final

from runbook.formats.kafka_settings.facts import Rule

_GROUPS = "GroupCoordinatorConfig"
_KINDS_OF_GROUPS = ("group.consumer.", "group.share.", "group.streams.")
_SHARES = "ShareGroupConfig.validate"
_VALUES = "KafkaConfig.validateValues"
_HOUR, _MINUTE = 3_600_000, 60_000
_OVERRIDE = re.compile(r"[0-9a-zA-Z\-%._:]*:\s*[+-]?[0-9]+")


def _pair(source: str, left: str, way: Callable[[Any, Any], bool], right: str) -> Rule:
    words = {ge: "greater than or equal to", le: "less than or equal to", gt: "greater than"}[way]
    return Rule(
        kinds=("broker",),
        settings=(left, right),
        holds=way,
        says=f"{left} must be {words} {right}",
        source=source,
    )


def _between(group: str, name: str) -> list[Rule]:
    """What members may choose is between the least and the most of it, and so is the broker's own value."""
    least, own, most = f"{group}min.{name}", f"{group}{name}", f"{group}max.{name}"
    return [_pair(_GROUPS, most, ge, least), _pair(_GROUPS, own, ge, least), _pair(_GROUPS, own, le, most)]


def _first(*choices: tuple[int | None, int]) -> int:
    """The first value that is set, in milliseconds; the last one has a default."""
    return next(value * unit for value, unit in choices if value is not None)


def _parts(names: str | Sequence[str] | None) -> list[str]:
    """A list that older releases have as text."""
    every = names.split(",") if isinstance(names, str) else names or []
    return [one.strip() for one in every if one.strip()]


def _names(listeners: str | Sequence[str] | None) -> list[str]:
    return [one.partition("://")[0].upper() for one in _parts(listeners)]


def _voters_have_addresses(
    voters: Sequence[str],
    listeners: Sequence[str],
    names: Sequence[str],
    roles: Sequence[str],
    advertised: Sequence[str],
) -> bool:
    """Whether voters are at addresses, where a controller that advertises none takes its own from there."""
    if "controller" not in roles or not names or names[0].upper() in _names(advertised):
        return True
    wild = any(re.match(rf"{re.escape(names[0])}://(0\.0\.0\.0)?:", one, re.IGNORECASE) for one in listeners)
    return not wild or not any("@0.0.0.0:" in voter for voter in voters)


BROKER_RULES: Final[Sequence[Rule]] = (
    Rule(
        kinds=("broker",),
        settings=("log.roll.ms", "log.roll.hours"),
        holds=lambda ms, hours: _first((ms, 1), (hours, _HOUR)) >= 1,
        says="log.roll.ms must be greater than or equal to 1",
        source=_VALUES,
    ),
    Rule(
        kinds=("broker",),
        settings=("log.roll.jitter.ms", "log.roll.jitter.hours"),
        holds=lambda ms, hours: _first((ms, 1), (hours, _HOUR)) >= 0,
        says="log.roll.jitter.ms must be greater than or equal to 0",
        source=_VALUES,
    ),
    Rule(
        kinds=("broker",),
        settings=("log.retention.ms", "log.retention.minutes", "log.retention.hours"),
        holds=lambda ms, minutes, hours: _first((ms, 1), (minutes, _MINUTE), (hours, _HOUR)) != 0,
        says="log.retention.ms must be unlimited (-1) or, greater than or equal to 1",
        source=_VALUES,
    ),
    Rule(
        kinds=("broker",),
        settings=("log.cleaner.dedupe.buffer.size", "log.cleaner.threads"),
        holds=lambda size, threads: threads > 0 and size // threads > 1 << 20,
        says="log.cleaner.dedupe.buffer.size must be at least 1MB per cleaner thread.",
        source=_VALUES,
    ),
    Rule(
        kinds=("broker",),
        settings=("replica.fetch.wait.max.ms", "replica.socket.timeout.ms"),
        holds=le,
        says="replica.socket.timeout.ms should always be at least replica.fetch.wait.max.ms to prevent unnecessary "
        "socket timeouts",
        source=_VALUES,
    ),
    Rule(
        kinds=("broker",),
        settings=("replica.fetch.wait.max.ms", "replica.lag.time.max.ms"),
        holds=le,
        says="replica.fetch.wait.max.ms should always be less than or equal to replica.lag.time.max.ms to prevent "
        "frequent changes in ISR",
        source=_VALUES,
    ),
    Rule(
        kinds=("broker",),
        settings=("queued.max.request.bytes", "socket.request.max.bytes"),
        holds=lambda queued, largest: queued <= 0 or queued >= largest,
        says="queued.max.request.bytes must be larger or equal to socket.request.max.bytes",
        source=_VALUES,
    ),
    Rule(
        kinds=("broker",),
        settings=("max.connections.per.ip", "max.connections.per.ip.overrides"),
        holds=lambda most, overrides: most != 0 or bool(overrides),
        says="max.connections.per.ip can be set to zero only if max.connections.per.ip.overrides property is set.",
        source=_VALUES,
    ),
    Rule(
        kinds=("broker",),
        settings=("connection.failed.authentication.delay.ms", "connections.max.idle.ms"),
        holds=lambda delay, idle: idle < 0 or delay < idle,
        says="connection.failed.authentication.delay.ms={0} should always be less than connections.max.idle.ms={1} to "
        "prevent failed authentication responses from timing out",
        source=_VALUES,
    ),
    Rule(
        kinds=("broker",),
        settings=("offsets.commit.required.acks", "offsets.topic.replication.factor"),
        holds=lambda acks, replicas: -1 <= acks <= replicas,
        says="offsets.commit.required.acks must be greater or equal to -1 and less or equal to "
        "offsets.topic.replication.factor",
        source=_GROUPS,
    ),
    *(
        rule
        for group in _KINDS_OF_GROUPS
        for name in ("heartbeat.interval.ms", "session.timeout.ms", "assignment.interval.ms")
        for rule in _between(group, name)
    ),
    *(
        Rule(
            kinds=("broker",),
            settings=(f"{group}heartbeat.interval.ms", f"{group}session.timeout.ms"),
            holds=lambda beat, session: beat < session,
            says=f"{group}heartbeat.interval.ms must be less than {group}session.timeout.ms",
            source=_GROUPS,
            since="4.0.0",
        )
        for group in _KINDS_OF_GROUPS
    ),
    _pair(_GROUPS, "group.streams.max.standby.replicas", ge, "group.streams.num.standby.replicas"),
    _pair(_SHARES, "group.share.max.delivery.count.limit", ge, "group.share.delivery.count.limit"),
    _pair(_SHARES, "group.share.delivery.count.limit", ge, "group.share.min.delivery.count.limit"),
    _pair(
        _SHARES,
        "group.share.max.partition.max.record.locks",
        ge,
        "group.share.partition.max.record.locks",
    ),
    _pair(
        _SHARES,
        "group.share.partition.max.record.locks",
        ge,
        "group.share.min.partition.max.record.locks",
    ),
    _pair(_SHARES, "group.share.record.lock.duration.ms", ge, "group.share.min.record.lock.duration.ms"),
    _pair(_SHARES, "group.share.max.record.lock.duration.ms", ge, "group.share.record.lock.duration.ms"),
    _pair(_SHARES, "group.share.max.share.sessions", ge, "group.share.max.size"),
    Rule(
        kinds=("broker",),
        settings=("group.share.assignors",),
        holds=lambda assignors: len(assignors) == 1,
        says="group.share.assignors must contain exactly one assignor",
        source=_GROUPS,
    ),
    Rule(
        kinds=("broker",),
        settings=("group.coordinator.rebalance.protocols",),
        holds=lambda protocols: "CLASSIC" in map(str.upper, protocols),
        says="Disabling the 'classic' protocol is not supported.",
        source="KafkaConfig.groupCoordinatorRebalanceProtocols",
    ),
    Rule(
        kinds=("broker",),
        settings=("log.dirs", "log.dir"),
        holds=lambda dirs, single: bool(_parts(single if dirs is None else dirs)),
        says="At least one log directory must be defined via log.dirs or log.dir.",
        source=_VALUES,
    ),
    Rule(
        kinds=("broker",),
        settings=("broker.id", "node.id"),
        holds=lambda broker, node: broker == node,
        says="You must set `node.id` to the same value as `broker.id`.",
        source=_VALUES,
    ),
    Rule(
        kinds=("broker",),
        settings=("inter.broker.protocol.version", "process.roles"),
        holds=lambda version, roles: not roles or int(version.partition(".")[0]) >= 3,  # noqa: PLR2004 - Kafka 3
        says="A non-KRaft version {0} given for inter.broker.protocol.version. The minimum version is 3.0-IV1",
        source="KafkaConfig.interBrokerProtocolVersion",
        given=("inter.broker.protocol.version",),
    ),
    Rule(
        kinds=("broker",),
        settings=(
            "controller.quorum.voters",
            "listeners",
            "controller.listener.names",
            "process.roles",
            "advertised.listeners",
        ),
        holds=_voters_have_addresses,
        says="Host string (0.0.0.0) is not routeable",
        source="QuorumConfig.parseVoterConnections, KafkaConfig.effectiveAdvertisedControllerListeners",
        since="4.3.0",
    ),
    Rule(
        kinds=("broker",),
        settings=("advertised.listeners", "controller.listener.names", "process.roles"),
        holds=lambda advertised, controllers, roles: (
            "broker" not in roles or not set(_names(advertised)) & set(_parts(controllers))
        ),
        says="The advertised.listeners config must not contain KRaft controller listeners from "
        "controller.listener.names when process.roles contains the broker role",
        source=_VALUES,
        until="3.8.99",
    ),
    Rule(
        kinds=("broker",),
        settings=("advertised.listeners", "process.roles"),
        holds=lambda advertised, roles: advertised is None or set(roles) != {"controller"},
        says="The advertised.listeners config must be empty when process.roles=controller",
        source=_VALUES,
        until="3.8.99",
    ),
    Rule(
        kinds=("broker",),
        settings=("early.start.listeners", "listeners"),
        holds=lambda early, listeners: set(_parts(early)) <= set(_names(listeners)),
        says="early.start.listeners contains a listener that is not contained in listeners or "
        "controller.listener.names",
        source="KafkaConfig.earlyStartListeners",
    ),
    Rule(
        kinds=("broker",),
        settings=("max.connections.per.ip.overrides",),
        holds=lambda overrides: all(_OVERRIDE.fullmatch(one.strip()) for one in overrides.split(",") if overrides),
        says="max.connections.per.ip.overrides contains invalid addresses or numbers: {0}",
        source=_VALUES,
    ),
    Rule(
        kinds=("broker",),
        settings=("offsets.topic.compression.codec",),
        holds=lambda codec: 0 <= codec <= 4,  # noqa: PLR2004 - none, gzip, snappy, lz4, zstd
        says="Unknown compression type id: {0}",
        source="CompressionType.forId",
    ),
    Rule(
        kinds=("broker",),
        settings=("cordoned.log.dirs", "log.dirs", "log.dir", "process.roles"),
        holds=lambda cordoned, dirs, single, roles: (
            "broker" not in roles
            or (len(cordoned) == 1 if "*" in cordoned else set(cordoned) <= set(single if dirs is None else dirs))
        ),
        says="All entries in cordoned.log.dirs must be present in log.dirs or log.dir, or it must be * alone",
        source="KafkaConfig.validateCordonedLogDirs",
    ),
)
