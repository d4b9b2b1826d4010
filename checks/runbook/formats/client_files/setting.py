"""One setting of one client, whatever kind of file it stands in, and what is the same in all of them."""

import re

from msgspec import Struct

from runbook.safety.secret import HIDDEN, is_secret

_ELSEWHERE = re.compile(r"\$\{|\$\(|\{\{|#\{|<%|@[\w.]+@")
_LOGIN = re.compile(r"(://)[^/@\s]+@")

# librdkafka's own names for what Kafka's Java clients call otherwise (librdkafka, CONFIGURATION.md).
JAVA_NAMES = {
    "metadata.broker.list": "bootstrap.servers",
    "queue.buffering.max.ms": "linger.ms",
    "compression.codec": "compression.type",
    "message.send.max.retries": "retries",
    "request.required.acks": "acks",
    "message.timeout.ms": "delivery.timeout.ms",
    "max.in.flight": "max.in.flight.requests.per.connection",
    "fetch.message.max.bytes": "max.partition.fetch.bytes",
    "fetch.wait.max.ms": "fetch.max.wait.ms",
    "sasl.mechanisms": "sasl.mechanism",
}


class SettingOfClient(Struct, frozen=True):
    """A setting as it is in force.

    Attributes:
        kind: producer, consumer, admin, streams, connect, mirrormaker; empty if nothing says.
        name: as Kafka's Java clients call it.
        value: as text; None where the file leaves it to a variable, hidden if it is a credential.
        line: where it stands, from 1.
        spring: whether it is one of Spring Boot's, which converts values: `yes` is true to it.
    """

    kind: str
    name: str
    value: str | None
    line: int
    spring: bool = False


def setting(kind: str, name: str, value: str, line: int, *, spring: bool = False) -> SettingOfClient:
    """Make a setting of what a file says, without credentials and without guesses at variables."""
    known: str | None = _LOGIN.sub(rf"\1{HIDDEN}@", value)
    if is_secret(name) and value:
        known = HIDDEN
    elif _ELSEWHERE.search(value):
        known = None
    return SettingOfClient(kind=kind, name=JAVA_NAMES.get(name, name), value=known, line=line, spring=spring)
