"""Files with which applications configure their Kafka clients: what the inventory says of one, and its text."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from msgspec import Struct

from runbook.answers.files import KINDS, ClientFile
from runbook.model.errors import CannotLook, Misconfigured, did_you_mean
from runbook.model.fact import Gap


class ClientEntry(Struct, frozen=True):
    """What the inventory says of a client: its name, its kind, and where its file is, in the system's own words."""

    name: str
    kind: str
    where: Mapping[str, str]


class Named(Protocol):
    """What the inventory calls by a name."""

    @property
    def name(self) -> str:
        """The name."""


E = TypeVar("E", bound=Named)


def each_client(
    entries: Iterable[E], read: Callable[[E], list[ClientFile]], keys: Mapping[str, str | int] | None = None
) -> tuple[list[ClientFile], list[Gap]]:
    """Read the files of every client; one that can't be read leaves a gap, about `keys`, and hides no other."""
    files: list[ClientFile] = []
    gaps = []
    for entry in entries:
        try:
            files += read(entry)
        except CannotLook as failure:
            gaps.append(Gap.of(failure, keys, f"the configuration of client {entry.name}: {failure}"))
    return files, gaps


def client_entries(given: Any, system: str, where: Sequence[str], optional: Sequence[str] = ()) -> list[ClientEntry]:
    """Read the setting `clients` of a connection.

    Args:
        given: its value.
        system: how sentences name the connection.
        where: the settings that say where a client's file is, all of them needed.
        optional: those that may be left out.

    Raises:
        Misconfigured: they can't be used as they are.
    """
    sample = "{name: billing, " + ", ".join(f"{path}: …" for path in where) + "}"
    if not isinstance(given, list) or not all(isinstance(entry, Mapping) for entry in given):
        raise Misconfigured(f"clients of {system} must be a list of entries such as {sample}")
    return [_entry(entry, system, sample, where, optional) for entry in given]


class ClientName(NamedTuple):
    """Whose files an entry names, and of what kind it is; empty if the files are to tell."""

    name: str
    kind: str


def client_name(entry: Mapping[str, Any], known: Sequence[str]) -> ClientName:
    """Read name and kind of an entry of `clients`, which may have the settings in `known`.

    Raises:
        Misconfigured: they can't be used as they are.
    """
    for setting in entry:
        if setting not in known:
            remedy = did_you_mean(str(setting), list(known))
            raise Misconfigured(f'unknown setting "{setting}" in an entry of clients; {remedy}')
    name, kind = entry.get("name"), entry.get("kind", "")
    if not isinstance(name, str) or not name:
        raise Misconfigured("an entry of clients has no name: write {name: billing, …}")
    if kind not in ("", *KINDS):
        raise Misconfigured(f'clients, {name}: unknown kind "{kind}"; {did_you_mean(str(kind), list(KINDS))}')
    return ClientName(name=name, kind=str(kind))


def _entry(
    entry: Mapping[str, Any], system: str, sample: str, where: Sequence[str], optional: Sequence[str]
) -> ClientEntry:
    client = client_name(entry, ("kind", "name", *where, *optional))
    for setting in (*where, *(path for path in optional if path in entry)):
        if not isinstance(entry.get(setting), str) or not entry[setting]:
            raise Misconfigured(f"clients of {system}, {client.name}: it has no {setting}: write {sample}")
    places = {path: entry[path] for path in (*where, *optional) if path in entry}
    return ClientEntry(name=client.name, kind=client.kind, where=places)
