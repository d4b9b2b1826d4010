"""Settings: any librdkafka property, and what each means to kafka-python.

librdkafka gets the settings as they are. kafka-python gets them through the one table here. A security property
that the table does not know is refused, so that the second library never makes a weaker connection than the first.
"""

import re
import ssl
from collections.abc import Mapping
from typing import Any, Final

from runbook.model.errors import Misconfigured
from runbook.model.probe import Deadline

SECURITY_PREFIXES: Final = ("sasl.", "ssl.", "security.", "enable.ssl", "enable.sasl", "oauth", "https.")
"""How the names of security properties begin (librdkafka's CONFIGURATION.md)."""

SERVERS: Final = "bootstrap.servers"
_OLD_SERVERS: Final = "metadata.broker.list"  # librdkafka's other name for it
_KAFKAS_PORT: Final = 9092
_SERVER: Final = re.compile(r"(?P<host>\[[0-9A-Fa-f:.%]+\]|[^\s:/\[\]]+)(:(?P<port>\d{1,5}))?")
_PLAIN: Final = {
    "client.id": "client_id",
    "sasl.username": "sasl_plain_username",
    "sasl.password": "sasl_plain_password",
}
_TLS: Final = {
    "ssl.ca.location",
    "ssl.ca.pem",
    "ssl.crl.location",
    "ssl.certificate.location",
    "ssl.key.location",
    "ssl.key.password",
    "ssl.endpoint.identification.algorithm",
    "enable.ssl.certificate.verification",
}
_READ_APART: Final = {"security.protocol", "sasl.mechanism", "sasl.mechanisms"}
_MECHANISMS: Final = {"PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"}
_PROTOCOLS: Final = {"PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"}
_FALSE: Final = {"false", "f", "0"}


def for_librdkafka(settings: Mapping[str, Any], clock: Deadline) -> dict[str, Any]:
    """Return the settings with what a short, quiet, read-only look needs on top.

    Raises:
        Misconfigured: there is no bootstrap server.
    """
    bootstrap_servers(settings)
    patience = max(10, int(clock.request() * 1000))
    return {
        "client.id": "runbook",
        "topic.metadata.refresh.interval.ms": -1,
        **{name: value for name, value in settings.items() if name != _OLD_SERVERS},
        "allow.auto.create.topics": False,  # a Metadata request may otherwise create a topic
        "enable.metrics.push": False,  # no telemetry pushed to the brokers
        "log_level": 0,
        "log.connection.close": False,
        "socket.timeout.ms": patience,
        "socket.connection.setup.timeout.ms": max(1000, patience),  # librdkafka's least value
        "reconnect.backoff.ms": 50,
        "reconnect.backoff.max.ms": 250,
    }


def for_kafka_python(settings: Mapping[str, Any], clock: Deadline) -> dict[str, Any]:
    """Translate the settings for kafka-python's connections.

    Raises:
        Misconfigured: a security property or value has no equal there, or a TLS file can't be used.
    """
    for name in settings:
        if name.startswith(SECURITY_PREFIXES) and name not in _PLAIN.keys() | _TLS | _READ_APART:
            raise _unmapped(name)
    patience = int(clock.request() * 1000)
    options: dict[str, Any] = {
        "client_id": "runbook",
        "bootstrap_servers": bootstrap_servers(settings),
        "security_protocol": _protocol(settings),
        "request_timeout_ms": patience,
        "socket_connection_setup_timeout_ms": patience,
        "reconnect_backoff_ms": 50,
        "reconnect_backoff_max_ms": 250,
        "receive_message_max_bytes": 500_000_000,
        "max_in_flight_requests_per_connection": 10_000,  # beyond it kafka-python refuses instead of queueing
    }
    options.update({_PLAIN[name]: str(value) for name, value in settings.items() if name in _PLAIN})
    if options["security_protocol"].startswith("SASL_"):
        options["sasl_mechanism"] = _mechanism(settings)
    if options["security_protocol"].endswith("SSL"):
        options["ssl_context"] = _tls(settings)
    return options


def bootstrap_servers(settings: Mapping[str, Any]) -> list[str]:
    """Return the addresses to begin with, as host:port; a server without a port has Kafka's own, as for librdkafka.

    Raises:
        Misconfigured: there is none, or one is no address.
    """
    given = str(settings.get(SERVERS) or settings.get(_OLD_SERVERS) or "")
    servers = [part.strip().rpartition("://")[2] for part in given.split(",") if part.strip()]
    if not servers:
        raise Misconfigured("the kafka connection has no bootstrap.servers: name at least one as host:port")
    addresses = []
    for server in servers:
        if not (found := _SERVER.fullmatch(server)):
            raise Misconfigured(f"bootstrap.servers has {server!r}, which is not of the form host:port")
        addresses.append(f"{found['host']}:{found['port'] or _KAFKAS_PORT}")
    return addresses


def security_protocol(settings: Mapping[str, Any]) -> str:
    """Return how listeners are spoken to, as Kafka writes it; librdkafka speaks plain text where nothing is set."""
    return str(settings.get("security.protocol", "plaintext")).upper()


def _unmapped(what: str) -> Misconfigured:
    return Misconfigured(
        f"{what} has no equal in kafka-python, which asks what librdkafka can't (fenced brokers, log dirs, quorum, "
        "features, reassignments); nothing is asked over a weaker connection"
    )


def _protocol(settings: Mapping[str, Any]) -> str:
    protocol = security_protocol(settings)
    if protocol not in _PROTOCOLS:
        raise _unmapped(f"security.protocol={protocol.lower()}")
    return protocol


def _mechanism(settings: Mapping[str, Any]) -> str:
    mechanism = str(settings.get("sasl.mechanism") or settings.get("sasl.mechanisms") or "GSSAPI").upper()
    if mechanism not in _MECHANISMS:
        raise _unmapped(f"sasl.mechanism={mechanism}")
    return mechanism


def _tls(settings: Mapping[str, Any]) -> ssl.SSLContext:
    authority = settings.get("ssl.ca.location")
    try:
        context = ssl.create_default_context(cafile=authority, cadata=settings.get("ssl.ca.pem"))
        if crl := settings.get("ssl.crl.location"):
            context.load_verify_locations(crl)
            context.verify_flags |= ssl.VERIFY_CRL_CHECK_LEAF
        if certificate := settings.get("ssl.certificate.location"):
            context.load_cert_chain(
                certificate, settings.get("ssl.key.location"), password=settings.get("ssl.key.password", "")
            )
    except (OSError, ValueError) as error:
        files = [str(settings[name]) for name in sorted(_TLS) if name.endswith(".location") and name in settings]
        raise Misconfigured(f"the TLS files can't be used ({', '.join(files)}): {error}") from None
    if str(settings.get("ssl.endpoint.identification.algorithm", "https")).lower() == "none":
        context.check_hostname = False
    if str(settings.get("enable.ssl.certificate.verification", "true")).lower() in _FALSE:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    context.sslsocket_class = ClosingSocket
    return context


class ClosingSocket(ssl.SSLSocket):
    """A TLS socket that closes itself if its handshake fails, for a context's `sslsocket_class`.

    kafka-python leaves the socket of a handshake that failed to the garbage collector.
    """

    def do_handshake(self, block: bool = False) -> None:  # noqa: FBT001, FBT002 - the signature of the class above
        """Shake hands, or go on with it.

        Raises:
            OSError: it failed, and the socket is closed; or it must wait, and is not.
        """
        try:
            super().do_handshake(block)
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            raise
        except OSError:
            self.close()
            raise
