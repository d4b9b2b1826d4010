"""What ProducerConfig, ConsumerConfig and AdminClientConfig ask of several settings of a client together."""

import re
from collections.abc import Sequence
from typing import Final

from runbook.formats.kafka_settings.facts import Kind, Rule

_IDEMPOTENCE = "ProducerConfig.postProcessAndValidateIdempotenceConfigs"
_IN_FLIGHT = "max.in.flight.requests.per.connection"
_MOST = 5  # requests in flight of an idempotent producer
_CLIENTS: Final[Sequence[Kind]] = ("producer", "consumer", "admin")


def _acks_of_all(acks: str) -> bool:
    return acks.strip().lower() in ("all", "-1")


def _is_topic_name(name: str) -> bool:
    return name not in (".", "..") and re.fullmatch(r"[a-zA-Z0-9._-]{1,249}", name) is not None


def _unlike(names: str, protocol: str, since: str) -> list[Rule]:
    """Settings that consumers of a group protocol do not take."""
    return [
        Rule(
            kinds=("consumer",),
            settings=(name, "group.protocol"),
            holds=lambda value, of: value in (None, "", []) or of.lower() != protocol.lower(),
            says=f"{name} cannot be set when group.protocol={protocol}",
            source="ConsumerConfig.checkUnsupportedConfigsPostProcess",
            since=since,
            given=(name,),
        )
        for name in names.split()
    ]


CLIENT_RULES: Final[Sequence[Rule]] = (
    Rule(
        kinds=("producer",),
        settings=("retries", "enable.idempotence"),
        holds=lambda retries, idempotent: not idempotent or retries != 0,
        says="Must set retries to non-zero when using the idempotent producer.",
        source=_IDEMPOTENCE,
        given=("enable.idempotence",),
    ),
    Rule(
        kinds=("producer",),
        settings=("acks", "enable.idempotence"),
        holds=lambda acks, idempotent: not idempotent or _acks_of_all(acks),
        says="Must set acks to all in order to use the idempotent producer. Otherwise we cannot guarantee idempotence.",
        source=_IDEMPOTENCE,
        given=("enable.idempotence",),
    ),
    Rule(
        kinds=("producer",),
        settings=(_IN_FLIGHT, "enable.idempotence"),
        holds=lambda requests, idempotent: not idempotent or requests <= _MOST,
        says=f"To use the idempotent producer, {_IN_FLIGHT} must be set to at most 5. Current value is {{0}}.",
        source=_IDEMPOTENCE,
        since="4.0.0",
    ),
    Rule(
        kinds=("producer",),
        settings=(_IN_FLIGHT, "enable.idempotence"),
        holds=lambda requests, idempotent: not idempotent or requests <= _MOST,
        says=f"Must set {_IN_FLIGHT} to at most 5 to use the idempotent producer.",
        source=_IDEMPOTENCE,
        until="3.9.99",
        given=("enable.idempotence",),
    ),
    Rule(
        kinds=("producer",),
        settings=("transactional.id", "enable.idempotence", "acks", "retries", _IN_FLIGHT),
        holds=lambda _, idempotent, acks, retries, requests: (
            idempotent and _acks_of_all(acks) and retries != 0 and requests <= _MOST
        ),
        says="Cannot set a transactional.id without also enabling idempotence.",
        source=_IDEMPOTENCE,
        given=("transactional.id",),
    ),
    Rule(
        kinds=("producer",),
        settings=("transaction.timeout.ms", "transaction.two.phase.commit.enable"),
        holds=lambda _, two_phases: not two_phases,
        says="Cannot set transaction.timeout.ms when transaction.two.phase.commit.enable is set to true. Transactions "
        "will not expire with two-phase commit enabled.",
        source=_IDEMPOTENCE,
        given=("transaction.timeout.ms",),
    ),
    Rule(
        kinds=("consumer",),
        settings=("enable.auto.commit", "group.id"),
        holds=lambda commits, group: not commits or group is not None,
        says="enable.auto.commit cannot be set to true when default group id (null) is used.",
        source="ConsumerConfig.maybeOverrideEnableAutoCommit",
        since="3.7.0",
        given=("enable.auto.commit",),
    ),
    Rule(
        kinds=("consumer",),
        settings=("group.instance.id", "client.id"),
        holds=lambda instance, client: instance is None or bool(client) or _is_topic_name(instance),
        says="Group instance id is invalid: {0}",
        source="ConsumerConfig.maybeOverrideClientId, Topic.validate",
    ),
    *_unlike("partition.assignment.strategy heartbeat.interval.ms session.timeout.ms", "CONSUMER", "4.0.0"),
    *_unlike("group.remote.assignor", "CLASSIC", "3.9.0"),
    Rule(
        kinds=_CLIENTS,
        settings=("sasl.mechanism", "security.protocol"),
        holds=lambda mechanism, protocol: bool(mechanism) or not protocol.upper().startswith("SASL_"),
        says="Invalid value null for configuration sasl.mechanism: When the security.protocol configuration enables "
        "SASL, mechanism must be non-null and non-empty string.",
        source="CommonClientConfigs.postValidateSaslMechanismConfig",
        since="3.4.0",
    ),
)
