"""Which settings of brokers are read out of their files: none of them can hold a credential."""

import re
from typing import Final

_NUMBERS_AND_SWITCHES = (
    "acks|bytes|enable|factor|fetchers|groups|hours|isr|jitter|level|limit|locks|messages|minutes|ms|num|partitions|"
    "percentage|rate|ratio|records|relogin|replicas|requests|retries|samples|second|seconds|sessions|size|slots|"
    "snapshot|snapshots|tasks|threads"
)
"""Last words of names: what they are given is a number, true or false."""

_NAMES = (
    *("advertised.listeners", "broker.id", "compression.type", "control.plane.listener.name"),
    *("controller.listener.names", "controller.quorum.bootstrap.servers", "controller.quorum.voters"),
    *("cordoned.log.dirs", "early.start.listeners", "group.consumer.migration.policy"),
    *("group.coordinator.rebalance.protocols", "group.share.assignors", "inter.broker.listener.name"),
    *("inter.broker.protocol.version", "listener.security.protocol.map", "listeners", "log.cleanup.policy"),
    *("log.dir", "log.dirs", "log.message.format.version", "log.message.timestamp.type", "log.preallocate"),
    *("max.connections", "max.connections.per.ip", "max.connections.per.ip.overrides", "metadata.log.dir", "node.id"),
    *("num.recovery.threads.per.data.dir", "offsets.topic.compression.codec", "process.roles"),
    *("reserved.broker.max.id", "sasl.enabled.mechanisms", "sasl.mechanism.inter.broker.protocol"),
    *("security.inter.broker.protocol", "share.coordinator.state.topic.compression.codec", "ssl.client.auth"),
    *("zookeeper.connect", "zookeeper.set.acl"),
)

PATTERN: Final = (
    f"^[[:space:]]*(([a-z0-9]+[.])+({_NUMBERS_AND_SWITCHES})|{'|'.join(_NAMES).replace('.', '[.]')}"
    "|listener[.]name[.][a-z0-9_.-]+[.]sasl[.]enabled[.]mechanisms)[[:space:]]*[=:[:space:]]"
)
"""A line of a properties file that gives one of them a value."""

_ASKED = re.compile(PATTERN.replace("[:space:]", r"\s"))


def is_read(name: str) -> bool:
    """Whether a setting is one of them."""
    return _ASKED.match(f"{name}=") is not None
