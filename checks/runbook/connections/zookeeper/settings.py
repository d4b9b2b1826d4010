"""The inventory's settings for ZooKeeper: `servers`, by name, Kafka's `chroot`, and how to log in where asked."""

import re
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from runbook.connections._http import address, check_names
from runbook.formats.addresses import host_port
from runbook.formats.zookeeper import ServerAddress
from runbook.model.errors import Misconfigured, did_you_mean

_OF_ONE = ("address", "admin", "rack", "machine")
_ADDRESS = re.compile(r"(?:\[(?P<six>[0-9A-Fa-f:.%]+)\]|(?P<host>[^\[\]:\s/@]+)):(?P<port>[0-9]{1,5})")
_LARGEST_PORT = 65535


class ReachedServer(Struct, frozen=True):
    """One server: where it is, and the address of its admin server, "" where it is asked by four-letter words."""

    place: ServerAddress
    admin: str

    @property
    def where(self) -> str:
        """The address that is asked."""
        return self.admin or host_port(self.place.host, self.place.port)

    @property
    def label(self) -> str:
        """How sentences name it."""
        return f"ZooKeeper server {self.place.name} ({self.where})"


def read_settings(settings: Mapping[str, Any]) -> list[ReachedServer]:
    """Read them.

    Raises:
        Misconfigured: they can't be used; the message says which, and what to write instead.
    """
    check_names(settings, ("servers", "chroot"), "zookeeper")
    chroot = settings.get("chroot", "/")
    if not isinstance(chroot, str) or not chroot.startswith("/"):
        raise Misconfigured(
            "`chroot` of zookeeper must be a path such as /kafka: what follows the addresses in zookeeper.connect"
        )
    given = settings.get("servers")
    if not isinstance(given, Mapping) or not given:
        raise Misconfigured("zookeeper needs `servers`, as in {zk-1: {address: zk-1.example:2181}}")
    return [_server(str(name), entry, settings) for name, entry in given.items()]


def _server(name: str, given: Any, settings: Mapping[str, Any]) -> ReachedServer:
    entry = {"address": given} if isinstance(given, str) else given
    if not isinstance(entry, Mapping):
        raise Misconfigured(f"server {name} of zookeeper must have an `address`, as in zk-1.example:2181")
    for key in entry:
        if key not in _OF_ONE:
            raise Misconfigured(
                f'server {name} of zookeeper has no setting "{key}": {did_you_mean(str(key), list(_OF_ONE))}'
            )
    match = _ADDRESS.fullmatch(str(entry.get("address", "")))
    if match is None or not 0 < int(match["port"]) <= _LARGEST_PORT:
        raise Misconfigured(f"server {name} of zookeeper has no usable `address`: write host:port of its clients' port")
    host = match["six"] or match["host"]
    place = ServerAddress(name, host, int(match["port"]), str(entry.get("rack", "")), str(entry.get("machine", host)))
    admin = address(entry["admin"], "/commands", settings, f"admin of server {name}") if entry.get("admin") else ""
    return ReachedServer(place, admin.rstrip("/"))
