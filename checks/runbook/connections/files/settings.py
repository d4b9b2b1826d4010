"""The inventory's settings for files."""

import re
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from runbook.connections._client_files import client_name
from runbook.model.errors import Misconfigured, did_you_mean
from runbook.model.quantity import BrokerId

_LOGGING = "{broker: 1, path: /etc/kafka/log4j2.yaml}"
_NUMBER = re.compile("[0-9]{1,9}")


class FilesEntry(Struct, frozen=True):
    """Files that belong to one broker or one client.

    Attributes:
        broker: node id, for the GC log of a broker; None for a client's files.
        name: of the client.
        kind: of the client, one of KINDS; empty if the file is to tell.
        patterns: absolute paths; `*` and `?` stand for parts of a name.
    """

    patterns: tuple[str, ...]
    broker: BrokerId | None = None
    name: str = ""
    kind: str = ""


class FilesSettings:
    """What the inventory says of files."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        """Read them.

        Raises:
            Misconfigured: they can't be used as they are.
        """
        _refuse_unknown(
            settings, ("broker_logging", "clients", "gc_logs", "logs", "mirror_maker"), "the files settings"
        )
        self.gc_logs = [_log(entry) for entry in _entries(settings, "gc_logs", "{broker: 1, path: /var/log/…}")]
        self.clients = [_client(entry) for entry in _entries(settings, "clients", "{name: billing, path: /etc/…}")]
        self.broker_logging = [_broker_file(entry) for entry in _entries(settings, "broker_logging", _LOGGING)]
        _refuse_twice("broker_logging", [f"broker {entry.broker}" for entry in self.broker_logging])
        self.logs = [_client_log(entry) for entry in _entries(settings, "logs", "{client: billing, path: /var/log/…}")]
        _refuse_twice("logs", [f"client {log.name}" for log in self.logs])
        self.mirror_maker = _mirror_maker(settings.get("mirror_maker", []))
        seen = [f"client {log.name}" if log.broker is None else f"broker {log.broker}" for log in self.gc_logs]
        _refuse_twice("gc_logs", seen)


def _refuse_twice(setting: str, owners: list[str]) -> None:
    twice = sorted({owner for owner in owners if owners.count(owner) > 1})
    if twice:
        raise Misconfigured(f"{setting} of files has {twice[0]} twice: give one entry a list of paths")


def _entries(settings: Mapping[str, Any], name: str, sample: str) -> list[Mapping[str, Any]]:
    found = settings.get(name, [])
    if not isinstance(found, list) or not all(isinstance(entry, Mapping) for entry in found):
        raise Misconfigured(f"{name} of files must be a list of entries such as {sample}")
    return found


def _log(entry: Mapping[str, Any]) -> FilesEntry:
    _refuse_unknown(entry, ("broker", "client", "path"), "an entry of gc_logs")
    broker, client = entry.get("broker"), entry.get("client")
    if isinstance(client, str) and client and broker is None:
        return FilesEntry(_patterns(entry, f"gc_logs, client {client}"), name=client)
    if client is not None or isinstance(broker, bool) or not _NUMBER.fullmatch(str(broker)):
        raise Misconfigured(
            f"an entry of gc_logs has broker {broker!r} and client {client!r}: write the node id of one, as in "
            "{broker: 1}, or the name of the other, as in {client: billing}"
        )
    return FilesEntry(_patterns(entry, f"gc_logs, broker {broker}"), broker=BrokerId(int(str(broker))))


def _broker_file(entry: Mapping[str, Any]) -> FilesEntry:
    _refuse_unknown(entry, ("broker", "path"), "an entry of broker_logging")
    broker = entry.get("broker")
    if isinstance(broker, bool) or not _NUMBER.fullmatch(str(broker)):
        raise Misconfigured(f"an entry of broker_logging has broker {broker!r}: write its node id, as in {_LOGGING}")
    return FilesEntry(_patterns(entry, f"broker_logging, broker {broker}"), broker=BrokerId(int(str(broker))))


def _client_log(entry: Mapping[str, Any]) -> FilesEntry:
    _refuse_unknown(entry, ("client", "path"), "an entry of logs")
    name = entry.get("client")
    if not isinstance(name, str) or not name:
        raise Misconfigured("an entry of logs has no client: write {client: billing, path: /var/log/…}")
    return FilesEntry(_patterns(entry, f"logs, client {name}"), name=name)


def _mirror_maker(given: Any) -> list[FilesEntry]:
    """Each file by itself: several processes of a dedicated MirrorMaker may have different ones."""
    paths = [given] if isinstance(given, str) else given
    if not isinstance(paths, list):
        raise Misconfigured("mirror_maker of files must be a list of paths such as [/etc/kafka/mm2.properties]")
    return [FilesEntry(_patterns({"path": path}, "mirror_maker"), name=str(path)) for path in paths]


def _client(entry: Mapping[str, Any]) -> FilesEntry:
    client = client_name(entry, ("kind", "name", "path"))
    return FilesEntry(_patterns(entry, f"clients, {client.name}"), name=client.name, kind=client.kind)


def _patterns(entry: Mapping[str, Any], where: str) -> tuple[str, ...]:
    given = entry.get("path")
    paths = [given] if isinstance(given, str) else given
    if not isinstance(paths, list) or not paths or not all(isinstance(path, str) for path in paths):
        raise Misconfigured(f"{where} of files: `path:` must be a path or a list of paths, not {given!r}")
    for path in paths:
        folder = path.rpartition("/")[0]
        if not path.startswith("/") or any(char in folder for char in "*?["):
            raise Misconfigured(
                f"{where} of files: {path} must be an absolute path, with patterns in its last part only"
            )
    return tuple(paths)


def _refuse_unknown(given: Mapping[str, Any], known: tuple[str, ...], where: str) -> None:
    for name in given:
        if name not in known:
            raise Misconfigured(f'unknown setting "{name}" in {where}; {did_you_mean(str(name), list(known))}')
