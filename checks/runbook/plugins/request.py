"""The list of every request that may be made, collected from what connections and probes declare.

A connection's `READS` are all it may send; `WRITES`, if there are any, are what a drill's canary sends to such a
system, with consent, and nothing else does. Its function `described(request)`, if it has one, gives a request in parts
that programs can use; `artefacts(rights)`, if it has one, gives what an administrator sets so that the system itself
refuses all else: name -> text, made from the rights that probes declare.
"""

from collections.abc import Iterator
from types import ModuleType
from typing import Any

from msgspec import Struct

from runbook.plugins.catalog import catalog


class Request(Struct, frozen=True):
    """One request.

    Attributes:
        connection: the kind of connection that makes it.
        request: as the connection publishes it.
        parts: the same for programs, in the words of its protocol: an API and its key, method and path, a command.
        probes: those that need it; none, if the connection itself does.
    """

    connection: str
    request: str
    parts: dict[str, Any]
    probes: list[str]


CANARY = "canary"
"""Under which the requests of a drill's canary are listed, apart from those of connections."""


def requests(kinds: list[str] | None = None) -> list[Request]:
    """Every request of these kinds of connection, of all without; in the order in which they are published.

    The canary's are listed without kinds, and under the kind `canary`.

    Raises:
        UsageError: there is no such kind, or a user's module can't be loaded.
    """
    found = []
    for kind in catalog("connections").names() if kinds is None else [kind for kind in kinds if kind != CANARY]:
        module = catalog("connections").load(kind)
        mine = [(name, probe) for name, probe in _probes() if kind in probe.connections]
        reads = dict.fromkeys((*getattr(module, "READS", ()), *_declared_by_users(module, mine)))
        for request in reads:
            users = [name for name, probe in mine if request in probe.requests]
            parts = module.described(request) if hasattr(module, "described") else {}
            found.append(Request(kind, request, parts, users))
    return found + (_of_the_canary() if kinds is None or CANARY in kinds else [])


def _of_the_canary() -> list[Request]:
    modules = [catalog("connections").load(kind) for kind in catalog("connections").names()]
    return [
        Request(CANARY, request, module.described(request), [])
        for module in modules
        for request in getattr(module, "WRITES", ())
    ]


def artefacts() -> dict[str, str]:
    """What an administrator sets so that a system refuses all that is not on the list: name -> text."""
    found: dict[str, str] = {}
    for kind in catalog("connections").names():
        module = catalog("connections").load(kind)
        if hasattr(module, "artefacts"):
            rights = [right for _, probe in _probes() if kind in probe.connections for right in probe.rights]
            found |= module.artefacts(list(dict.fromkeys(rights)))
    return found


def _declared_by_users(module: ModuleType, probes: list[tuple[str, Any]]) -> Iterator[str]:
    """The requests of probes over a connection that publishes no list: a user's own."""
    if not hasattr(module, "READS"):
        for _, probe in probes:
            yield from probe.requests


def _probes() -> Iterator[tuple[str, Any]]:
    for name in catalog("probes").names():
        yield name, catalog("probes").load(name).PROBE
