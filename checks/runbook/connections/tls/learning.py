"""Endpoints that speak TLS, learned from the other connections of the same environment."""

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from runbook.answers.tls import Endpoint
from runbook.connections import kafka
from runbook.connections.kafka.properties import bootstrap_servers
from runbook.formats.addresses import split
from runbook.formats.listeners import controllers, controllers_encrypted, host_and_port, listeners
from runbook.model.errors import CannotLook
from runbook.model.fact import Gap
from runbook.model.probe import Deadline

_HTTPS = 443
_TELLING = {
    "jolokia": "/version",
    "prometheus": "/metrics",
    "server": "/api/v1/status/buildinfo",
    "schema_registry": "/config",
    "connect": "/",
}
"""What is asked for: it tells that the system serves us, and hardly anything of it."""


def of_web(name: str, settings: Mapping[str, Any]) -> Iterator[Endpoint]:
    """Every https address among the settings of a connection."""
    for text in _texts(settings):
        parts = urlsplit(text) if text.startswith("https://") else None
        if parts is not None and parts.hostname:
            yield Endpoint(parts.hostname, parts.port or _HTTPS, origins=(name,))


def of_zookeeper(settings: Mapping[str, Any]) -> Iterator[Endpoint]:
    """The clients' ports of the servers, where TLS is spoken to them."""
    servers = settings.get("servers") if settings.get("ca") else None
    for entry in servers.values() if isinstance(servers, Mapping) else ():
        address = entry.get("address", "") if isinstance(entry, Mapping) else entry
        if found := host_and_port(str(address)):
            yield Endpoint(*found, origins=("zookeeper",))


def web_addresses(name: str, settings: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Each address that a connection over HTTP is given, and whose it is; completed to what tells least."""
    given = settings.get("url") or []
    texts = [("", str(text)) for text in (given if isinstance(given, list) else [given])]
    for part in ("agents", "scrape", "applications", "workers"):
        named = settings.get(part)
        for key, entry in named.items() if isinstance(named, Mapping) else ():
            texts.append((str(key), str(entry.get("address", "") if isinstance(entry, Mapping) else entry)))
    scheme = "https" if settings.get("ca") else "http"
    for owner, text in texts:
        whole = text if "://" in text else f"{scheme}://{text}"
        path = _TELLING["server" if name == "prometheus" and not owner else name]
        if name == "jolokia" and not urlsplit(whole).path.strip("/"):
            path = f"/jolokia{path}"
        page = name == "prometheus" and owner and urlsplit(whole).path.strip("/")
        yield owner, whole if page else whole.rstrip("/") + path


def of_kafka(settings: Mapping[str, Any], clock: Deadline) -> tuple[list[Endpoint], list[Gap]]:
    """The listeners of all brokers and the controllers that speak TLS, and what keeps them from being known.

    Raises:
        Misconfigured: the connection to Kafka can't be made as it is given.
    """
    found = []
    if str(settings.get("security.protocol", "")).upper().endswith("SSL"):
        found = [Endpoint(*split(server), origins=("bootstrap",)) for server in bootstrap_servers(settings)]
    connection = kafka.connect(settings, clock)
    try:
        by_broker, gaps = connection.broker_settings()
    except CannotLook as error:
        return found, [Gap.of(error, says=f"the listeners of Kafka are not known: {error}")]
    finally:
        connection.close()
    for broker, entries in by_broker.items():
        values = {name: entry.value for name, entry in entries.items()}
        own = listeners(values)
        if own is None:
            gaps = [*gaps, Gap(f"broker {broker} does not tell its listeners", {"broker": broker})]
        found += [
            Endpoint(listener.host, listener.port, broker, listener.name, ("advertised",))
            for listener in own or ()
            if listener.encrypted
        ]
        if controllers_encrypted(values):
            found += [Endpoint(*controller, origins=("controller",)) for controller in controllers(values)]
    return found, gaps


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (Mapping, list)):
        for inner in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(inner)
