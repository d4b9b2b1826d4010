"""One setting of one client, whatever kind of file it stands in, and what is the same in all of them."""

import re

from msgspec import Struct

from runbook.formats.jaas_grammar import inline_mistake
from runbook.safety.secret import HIDDEN, is_plain, is_secret

# References (Spring, Kafka, charts, templates, Maven, INI files), and what is written encrypted (Jasypt, Spring Cloud).
_ELSEWHERE = re.compile(r"\$\{|\{\{|#\{|<%|@[\w.-]+@|%\([\w.-]+\)s|^ENC\(|^\{cipher\}")
_REFERENCE = re.compile(r"\{\{.*\}\}|#\{.*\}|<%.*%>|@[\w.-]+@|%\([\w.-]+\)s|ENC\(.*\)|(?:'|\")?\{cipher\}.*", re.DOTALL)
_PASSWORD = re.compile(
    r"\b(?:password|clientSecret)\s*=\s*[\"']?"
    r"(?!\$\{|\{\{|#\{|<%|@[\w.-]+@[\"'\s;]|%\([\w.-]+\)s|ENC\(|\{cipher\})[^\s\"';]",
    re.IGNORECASE,
)
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
        column: where it stands in that line, from 1.
        file: in which it stands; empty for the one that was read.
        client: of several in one file, such as that of a profile or a service; empty for the one.
        framework: that hands it on to Kafka's Java clients: spring, quarkus or micronaut; empty for none.
        plain: whether a credential stands there as plain text.
        refused: why what reads it does so, such as Spring's binder or the parser of logins; empty if it does not.
        ignored_because: why it reaches no client, and what to write instead; its name is then as written.
    """

    kind: str
    name: str
    value: str | None
    line: int
    spring: bool = False
    column: int = 1
    file: str = ""
    client: str = ""
    framework: str = ""
    plain: bool = False
    refused: str = ""
    ignored_because: str = ""


def setting(kind: str, name: str, value: str, line: int, *, spring: bool = False) -> SettingOfClient:
    """Make a setting of what a file says, without credentials and without guesses at variables."""
    known: str | None = _LOGIN.sub(rf"\1{HIDDEN}@", value)
    if is_secret(name) and value:
        known = HIDDEN
    elif _ELSEWHERE.search(value):
        known = None
    login = name.endswith("sasl.jaas.config") and not _ELSEWHERE.search(value)
    return SettingOfClient(
        kind=kind,
        name=JAVA_NAMES.get(name, name),
        value=known,
        line=line,
        spring=spring,
        plain=_holds_credential(name, value),
        refused=inline_mistake(value) if login else "",
    )


def credential(login: str) -> re.Match[str] | None:
    """Where a login has a credential in plain text."""
    return _PASSWORD.search(login)


def _holds_credential(name: str, value: str) -> bool:
    """Whether a value has a credential in it, rather than a reference to one or the place of one."""
    if name.endswith("jaas.config"):
        return credential(value) is not None and not value.startswith(("ENC(", "{cipher}"))
    if _REFERENCE.fullmatch(value.strip()):
        return False
    return is_plain(name, value) or (_LOGIN.search(value) is not None and not _ELSEWHERE.search(value))
