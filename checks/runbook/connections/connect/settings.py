"""The inventory's settings for Connect: `workers`, by name, and how to log in where that is asked for.

A worker is an address, or a mapping of `address` and `id`: the host:port under which the cluster knows it, where that
is another than the one it is reached at (`rest.advertised.host.name`).
"""

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from msgspec import Struct

from runbook.connections._http import address, check_names
from runbook.model.errors import Misconfigured, did_you_mean

WORKERS: Final = "workers"
_OF_WORKER = ("address", "id")


class WorkerAddress(Struct, frozen=True):
    """A worker: its name in the inventory, its address without a slash at the end, and its id in the cluster."""

    name: str
    url: str
    id: str


def read_settings(settings: Mapping[str, Any]) -> list[WorkerAddress]:
    """Read the workers, in the order of the inventory.

    Raises:
        Misconfigured: they can't be used; the message says which, and what to write instead.
    """
    check_names(settings, (WORKERS,), "connect")
    workers = settings.get(WORKERS)
    if not isinstance(workers, Mapping) or not workers:
        raise Misconfigured("connect needs `workers`, as in {connect-1: http://connect-1:8083}")
    return [_place(str(name), given, settings) for name, given in workers.items()]


def _place(name: str, given: Any, settings: Mapping[str, Any]) -> WorkerAddress:
    parts = given if isinstance(given, Mapping) else {"address": given}
    for part in parts:
        if part not in _OF_WORKER:
            raise Misconfigured(f'worker {name} has no setting "{part}": {did_you_mean(str(part), [*_OF_WORKER])}')
    url = address(parts.get("address"), "/", settings, f"{WORKERS}.{name}").rstrip("/")
    return WorkerAddress(name, url, str(parts.get("id") or urlsplit(url).netloc.rpartition("@")[2]))
