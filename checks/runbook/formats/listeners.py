"""The listeners of a broker, as its settings tell them."""

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct

_ADDRESS = re.compile(r"(?:\[(?P<six>[0-9A-Fa-f:.%]+)\]|(?P<host>[^\[\]\s/@]*)):(?P<port>[0-9]{1,5})")
_ENCRYPTED = frozenset({"SSL", "SASL_SSL"})

Settings = Mapping[str, str | None]


class Listener(Struct, frozen=True):
    """One listener of a broker.

    Attributes:
        name: as in `listeners`, in upper case.
        protocol: PLAINTEXT, SSL, SASL_PLAINTEXT or SASL_SSL; "" where the map does not tell.
        host, port: where clients are told to come; of a controller's listener, where it listens.
        bound_host: the address it listens on; "" for whatever the machine prefers.
        mechanisms: of SASL, that are enabled there; none where no SASL is spoken.
        client_certificate: none, requested or required; "" where no TLS is spoken.
        between_brokers: whether brokers replicate over it.
        for_controllers: whether it is one of the metadata quorum's.
    """

    name: str
    protocol: str
    host: str
    port: int
    bound_host: str
    mechanisms: tuple[str, ...]
    client_certificate: str
    between_brokers: bool
    for_controllers: bool

    @property
    def encrypted(self) -> bool:
        """Whether TLS is spoken there."""
        return self.protocol in _ENCRYPTED


def listeners(settings: Settings) -> list[Listener] | None:
    """Read a broker's listeners out of all its settings; None where these do not tell them."""
    listed = settings.get("listeners")
    if not listed:
        return None
    protocols = protocol_map(settings)
    advertised = dict(_addresses(settings.get("advertised.listeners") or listed))
    controllers = set(_names(settings.get("controller.listener.names")))
    inter = (settings.get("inter.broker.listener.name") or "").upper()
    between = settings.get("security.inter.broker.protocol") or "PLAINTEXT"
    found = []
    for name, (bound, port) in _addresses(listed):
        protocol = protocols.get(name, name if not protocols else "")
        host, shown = advertised.get(name, (bound, port))
        found.append(
            Listener(
                name=name,
                protocol=protocol,
                host=host or bound,
                port=shown,
                bound_host=bound,
                mechanisms=_mechanisms(settings, name) if protocol.startswith("SASL_") else (),
                client_certificate=_client_certificate(settings, name, protocol),
                between_brokers=name not in controllers and (name == inter if inter else protocol == between),
                for_controllers=name in controllers,
            )
        )
    return found


def protocol_map(settings: Settings) -> dict[str, str]:
    """Listener name -> security protocol."""
    pairs = (pair.partition(":") for pair in (settings.get("listener.security.protocol.map") or "").split(","))
    return {name.strip().upper(): protocol.strip().upper() for name, colon, protocol in pairs if colon}


def controllers(settings: Settings) -> list[tuple[str, int]]:
    """Where the controllers of the metadata quorum are, as a broker knows them; none in ZooKeeper mode."""
    servers = settings.get("controller.quorum.bootstrap.servers") or settings.get("controller.quorum.voters") or ""
    addresses = (host_and_port(part.strip().rpartition("@")[2]) for part in servers.split(","))
    return [address for address in addresses if address]


def to_controllers(settings: Settings) -> tuple[str, str | None] | None:
    """The listener by which a broker comes to controllers, and its protocol; None where the settings name none.

    It is the first of `controller.listener.names`, and PLAINTEXT where no map has it
    (KafkaConfig.effectiveListenerSecurityProtocolMap). A hidden name is "", a hidden protocol None.
    """
    listed = settings.get("controller.listener.names", "")
    if listed is None:
        return "", None
    names = _names(listed)
    if not names:
        return None
    hidden = settings.get("listener.security.protocol.map", "") is None
    return names[0], None if hidden else protocol_map(settings).get(names[0], "PLAINTEXT")


def controllers_encrypted(settings: Settings) -> bool | None:
    """Whether controllers are spoken to in TLS; None where what tells that is hidden."""
    channel = to_controllers(settings)
    if channel is None:
        return False
    return None if channel[1] is None else channel[1] in _ENCRYPTED


def host_and_port(text: str) -> tuple[str, int] | None:
    """Host and port of `host:port`; None if it is not written so."""
    found = _ADDRESS.fullmatch(text)
    return (found["six"] or found["host"], int(found["port"])) if found else None


def _addresses(listed: str) -> Iterator[tuple[str, tuple[str, int]]]:
    for part in listed.split(","):
        name, _, address = part.strip().partition("://")
        if found := host_and_port(address):
            yield name.upper(), found


def _names(text: str | None) -> list[str]:
    return [part.strip().upper() for part in (text or "").split(",") if part.strip()]


def _of_listener(settings: Settings, name: str, key: str) -> str | None:
    return settings.get(f"listener.name.{name.lower()}.{key}")


def _mechanisms(settings: Settings, name: str) -> tuple[str, ...]:
    key = "sasl.enabled.mechanisms"
    return tuple(_names(_of_listener(settings, name, key) or settings.get(key)))


def _client_certificate(settings: Settings, name: str, protocol: str) -> str:
    """With SASL_SSL only the listener's own setting counts (KIP-684)."""
    key = "ssl.client.auth"
    if protocol not in _ENCRYPTED:
        return ""
    general = settings.get(key) if protocol == "SSL" else None
    return (_of_listener(settings, name, key) or general or "none").lower()
