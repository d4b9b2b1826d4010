"""TLS as it is seen from outside: what is tried at an endpoint, and what it offers."""

import ipaddress
from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct

from runbook.formats.addresses import host_port
from runbook.model.quantity import BrokerId, Moment

NOBODY = BrokerId(-1)  # of no broker


class Endpoint(Struct, frozen=True):
    """A host and port.

    Attributes:
        host, port: where it is, as it is given or advertised.
        broker: whose it is; -1 where that is not known, or it is no broker's.
        listener: its name there, "" likewise.
        origins: how it came to be known: advertised, bootstrap, controller, inventory, or the name of a connection.
    """

    host: str
    port: int
    broker: BrokerId = NOBODY
    listener: str = ""
    origins: tuple[str, ...] = ()

    @property
    def address(self) -> str:
        """How it is written."""
        return host_port(self.host, self.port)

    @property
    def label(self) -> str:
        """How sentences name it."""
        if self.broker == NOBODY:
            return f"{self.origins[0]} {self.address}" if self.origins else self.address
        return f"{self.listener} of broker {self.broker} ({self.address})"


HANDSHAKE: Final = "TLS handshake with {endpoint}"
WEB_REQUEST: Final = "GET {address} without credentials"


class OfferedTls(Struct, frozen=True):
    """What an endpoint offers.

    Attributes:
        protocols, refused: versions it accepts, and those that it says it does not.
        cipher: that it agrees to in the newest version.
        weak: kind -> cipher, of the weak ones that it accepts.
        chain: the certificates it shows, in DER.
        asks_certificate: whether it asks for a client's.
        demands_certificate: whether it refuses a client that has none; None where it did not come to show.
        open: what could not be found out, each with the reason.
    """

    protocols: tuple[str, ...]
    refused: tuple[str, ...]
    cipher: str
    weak: dict[str, str]
    chain: tuple[bytes, ...]
    asks_certificate: bool
    demands_certificate: bool | None
    open: tuple[str, ...] = ()


class Certificate(Struct, frozen=True, kw_only=True):
    """One certificate. `names` are its DNS names and addresses; `key_bits` is 0 where the type has one size."""

    subject: str
    issuer: str
    serial: str
    fingerprint: str
    names: tuple[str, ...]
    key_type: str
    key_bits: int
    signature_hash: str
    not_before: Moment
    not_after: Moment
    self_signed: bool
    authority: bool
    for_servers: bool
    ocsp: tuple[str, ...]
    crl: tuple[str, ...]


def named(host: str, names: Sequence[str]) -> bool:
    """Whether a host is among a certificate's names, as RFC 9525 has it: no common name, a `*` for one whole label."""
    if (address := _address(host)) is not None:
        return any(_address(name) == address for name in names)
    wanted = host.rstrip(".").lower()
    first, _, rest = wanted.partition(".")
    lower = {name.rstrip(".").lower() for name in names if _address(name) is None}
    return wanted in lower or (bool(first) and "." in rest and f"*.{rest}" in lower)


def _address(text: str) -> Any:
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None
