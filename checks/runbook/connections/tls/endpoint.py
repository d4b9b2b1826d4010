"""An endpoint: an address somebody may connect to, and how it came to be known."""

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from runbook.connections._address import host_port
from runbook.model.quantity import BrokerId

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


def merged(found: Iterable[Endpoint]) -> list[Endpoint]:
    """Each address once, with all its origins; whose it is, the first tells that knows."""
    by_address: dict[str, Endpoint] = {}
    for endpoint in found:
        before = by_address.get(endpoint.address)
        if before is None:
            by_address[endpoint.address] = endpoint
            continue
        known = before if before.broker != NOBODY else endpoint
        origins = tuple(dict.fromkeys((*before.origins, *endpoint.origins)))
        by_address[endpoint.address] = replace(before, broker=known.broker, listener=known.listener, origins=origins)
    return list(by_address.values())
