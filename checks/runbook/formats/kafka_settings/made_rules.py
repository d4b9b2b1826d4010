"""What KafkaProducer, KafkaConsumer and the admin client refuse when they are made, beside the classes of settings.

What only the machine of a client tells, such as whether a host resolves, a class is there or a file can be read, is not
among it. Compared with real clients in `tests/live/test_files_as_read.py`.
"""

import re
from collections.abc import Sequence
from typing import Any, Final

from runbook.formats.kafka_settings.facts import Kind, Rule

_CLIENTS: Final[Sequence[Kind]] = ("producer", "consumer", "admin")
_HOST_PORT: Final = re.compile(r"(?:[0-9a-zA-Z\-%._]*://)?\[?[0-9a-zA-Z\-%._:]*]?:([0-9]+)")
_ENDS_IN_PORT: Final = re.compile(r".*:([0-9]+)")
_CLASS: Final = re.compile(r"[\w$]+(\.[\w$]+)+")
_HIGHEST = 65535  # InetSocketAddress


def _is_address(entry: str, pattern: re.Pattern[str]) -> bool:
    found = pattern.fullmatch(entry)
    return not entry or (found is not None and int(found[1]) <= _HIGHEST)


def _is_set(value: Any) -> bool:
    return value not in (None, "")


def _within_session(beat: int, session: int, group: str | None, protocol: str = "classic") -> bool:
    return beat < session or not _is_set(group) or protocol.lower() != "classic"


MADE_RULES: Final[Sequence[Rule]] = (
    Rule(
        kinds=_CLIENTS,
        settings=("bootstrap.servers",),
        holds=lambda servers: all(_is_address(one, _ENDS_IN_PORT) for one in servers),
        says="Invalid url in bootstrap.servers: {0}",
        source="ClientUtils.parseAndValidateAddresses",
        until="4.2.99",
    ),
    Rule(
        kinds=_CLIENTS,
        settings=("bootstrap.servers",),
        holds=lambda servers: all(_is_address(one, _HOST_PORT) for one in servers),
        says="Invalid url in bootstrap.servers: {0}",
        source="ClientUtils.parseAndValidateAddresses",
        since="4.3.0",
    ),
    Rule(
        kinds=_CLIENTS,
        settings=("bootstrap.servers",),
        holds=any,
        says="No resolvable bootstrap urls given in bootstrap.servers",
        source="ClientUtils.parseAndValidateAddresses",
        given=("bootstrap.servers",),
    ),
    Rule(
        kinds=("producer",),
        settings=("delivery.timeout.ms", "linger.ms", "request.timeout.ms"),
        holds=lambda delivery, linger, request: delivery >= min(linger + request, 2**31 - 1),
        says="delivery.timeout.ms should be equal to or larger than linger.ms + request.timeout.ms",
        source="KafkaProducer.configureDeliveryTimeout",
        given=("delivery.timeout.ms",),
    ),
    Rule(
        kinds=("consumer",),
        settings=("heartbeat.interval.ms", "session.timeout.ms", "group.id"),
        holds=_within_session,
        says="Heartbeat must be set lower than the session timeout",
        source="Heartbeat",
        until="3.6.99",
    ),
    Rule(
        kinds=("consumer",),
        settings=("heartbeat.interval.ms", "session.timeout.ms", "group.id", "group.protocol"),
        holds=_within_session,
        says="Heartbeat must be set lower than the session timeout",
        source="Heartbeat",
    ),
    Rule(
        kinds=("consumer",),
        settings=("group.id",),
        holds=lambda group: group is None or bool(group.strip()),
        says="The configured group.id should not be an empty string or whitespace.",
        source="GroupRebalanceConfig, ConsumerUtils",
        since="4.0.0",
        given=("group.id",),
    ),
    Rule(
        kinds=("consumer",),
        settings=("partition.assignment.strategy",),
        holds=lambda assignors: all(_CLASS.fullmatch(one) for one in assignors),
        says="{0} ClassNotFoundException exception occurred",
        source="ConsumerPartitionAssignor.getAssignorInstances",
        given=("partition.assignment.strategy",),
    ),
)
