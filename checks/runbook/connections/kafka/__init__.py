"""A Kafka cluster: how it is reached, and what is read from it; nothing is ever written here."""

import importlib
from collections.abc import Mapping
from typing import Any, Final

from runbook.connections.kafka.confluent_client import ConfluentClient
from runbook.connections.kafka.properties import for_kafka_python, security_protocol
from runbook.connections.kafka.reader import Kafka
from runbook.connections.kafka.reads import READS, artefacts, described
from runbook.connections.kafka.timed_client import TimedClient
from runbook.connections.kafka.writes import WRITES
from runbook.model.errors import Misconfigured
from runbook.model.probe import Deadline
from runbook.recording.question import opened

__all__ = [
    "ADDRESS",
    "OF_ITS_OWN",
    "OF_THE_ENVIRONMENT",
    "READS",
    "WRITES",
    "Kafka",
    "artefacts",
    "connect",
    "described",
    "prepare",
    "settings_at",
    "tls_settings",
]

ADDRESS: Final = "bootstrap.servers"
"""The setting that says where to begin."""

OF_THE_ENVIRONMENT: Final = ("may_read",)
"""What it gets of the environment's own entry: the patterns of topics whose records may be read."""

OF_ITS_OWN: Final = ("DescribeConfigs", "SaslAuthenticate", "SaslHandshake")
"""Requests that it makes by itself, whatever it is asked: to be sure which broker answers, and to log in."""


def prepare() -> None:
    """Load both client libraries, which takes longer than the first request."""
    for library in ("confluent_kafka.admin", "kafka.admin"):
        importlib.import_module(library)


def connect(settings: Mapping[str, Any], clock: Deadline) -> Kafka:
    """Prepare a connection; nothing is sent before the first question.

    Args:
        settings: librdkafka properties, secrets already resolved, and `may_read`.
        clock: the time for everything that will be asked.

    Raises:
        Misconfigured: librdkafka does not take the settings, or one of them is no plain value.
    """
    may_read = settings.get("may_read", ())
    settings = {name: value for name, value in settings.items() if name not in OF_THE_ENVIRONMENT}
    for name, value in settings.items():
        if isinstance(value, (Mapping, list)):
            raise Misconfigured(f"{name} must be a value or a reference such as {{env: NAME}}")
    python: TimedClient | Misconfigured
    try:
        python = opened(
            clock,
            "kafka-python",
            lambda: TimedClient(for_kafka_python(settings, clock), clock),
            lambda: TimedClient.of_recording(security_protocol(settings), clock),
        )
    except Misconfigured as error:
        python = error
    try:
        confluent = opened(
            clock,
            "librdkafka",
            lambda: ConfluentClient(settings, clock),
            lambda: ConfluentClient.of_recording(clock),
        )
    except Misconfigured:
        if isinstance(python, TimedClient):
            python.close()
        raise
    return Kafka(confluent, python, may_read)


def settings_at(address: str) -> dict[str, Any]:
    """Return the settings for a cluster of which one broker is at host:port."""
    return {ADDRESS: address}


def tls_settings(authority: str) -> dict[str, Any]:
    """Return the settings that turn TLS on, trusting the certificates in one PEM file."""
    return {"security.protocol": "ssl", "ssl.ca.location": authority}
