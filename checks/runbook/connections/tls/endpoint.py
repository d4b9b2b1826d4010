"""An endpoint: an address somebody may connect to, and how it came to be known."""

from collections.abc import Iterable

from msgspec.structs import replace

from runbook.answers.tls import NOBODY, Endpoint


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
