"""Settings of the clients that write and read results."""

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from runbook.model.errors import Misconfigured

PATIENCE: Final = 15.0
"""Seconds for a delivery, and for one answer."""

_silent = logging.getLogger("runbook.stores.librdkafka")  # librdkafka's own lines stay off the terminal
_silent.addHandler(logging.NullHandler())
_silent.propagate = False


def properties_file(name: str) -> dict[str, Any]:
    """Read a client's properties file: NAME=VALUE lines, names as librdkafka has them.

    Raises:
        Misconfigured: it can't be read; the message holds nothing of it.
    """
    try:
        text = Path(name).expanduser().read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Misconfigured(f"the properties file {name} can't be read") from error
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), start=1)]
    settings: dict[str, Any] = {}
    for number, line in lines:
        if line and not line.startswith(("#", "!")):
            key, equals, value = line.partition("=")
            if not equals:
                raise Misconfigured(f"line {number} of the properties file {name} is not NAME=VALUE")
            settings[key.strip()] = value.strip()
    return settings


def for_writing(settings: Mapping[str, Any]) -> dict[str, Any]:
    """What a writer needs: every line once, in order, on all replicas in sync, or an error."""
    return {
        "compression.type": "lz4",
        "linger.ms": 5,
        "message.timeout.ms": int(PATIENCE * 1000),
        **for_asking(settings),
        "acks": "all",
        "enable.idempotence": True,
    }


def for_reading(settings: Mapping[str, Any]) -> dict[str, Any]:
    """What a reader needs: it assigns partitions to itself, joins no group and commits nothing.

    librdkafka asks for the group's coordinator all the same, upon which Kafka creates __consumer_offsets in a cluster
    that never had a group. kafka-python needs no group, but can't log in with Kerberos or OAuth as a store may ask.
    """
    return {
        "isolation.level": "read_committed",
        **for_asking(settings),
        "group.id": "runbook-results",  # librdkafka demands a name
        "enable.auto.commit": False,
        "enable.auto.offset.store": False,
        "enable.partition.eof": True,
        "auto.offset.reset": "error",  # retention that outruns the reader must be noticed
        "allow.auto.create.topics": False,
    }


def for_asking(settings: Mapping[str, Any]) -> dict[str, Any]:
    """What every client needs: to end in time, and to keep to itself."""
    return {
        "client.id": "runbook-results",
        **settings,
        "log_level": 0,
        "logger": _silent,
        "enable.metrics.push": False,
        "socket.timeout.ms": int(PATIENCE * 1000),
    }
