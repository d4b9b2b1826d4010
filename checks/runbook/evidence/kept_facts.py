"""The facts of scheduled runs and of looks at incidents, kept beside their results for as long as the inventory says.

    STORE/facts/ENVIRONMENT/YYYY-MM-DD/RUN.json.gz
    STORE/facts/ENVIRONMENT/YYYY-MM-DD/RUN.incident.json.gz

Each is the bundle of one environment. The last look, with which later ones are compared, is the newest scheduled one:
in an incident everything has changed already. Results are kept for ever and prove themselves; facts are bulky, tell an
attacker where to begin, and answer one question, what changed since. So they have a retention, and whoever keeps new
ones removes those that are older.
"""

import datetime as dt
import gzip
import re
import zlib
from typing import Protocol, runtime_checkable

import msgspec
from msgspec.structs import replace

from runbook.evidence.bundle import Bundle, read_bundle
from runbook.evidence.store_layout import FACTS
from runbook.model.errors import UsageError

_ENDING = ".json.gz"
_OF_INCIDENT = f".incident{_ENDING}"
_WRITTEN = re.compile(r"\d{8}T\d{6}Z")
_LARGEST = 2**30  # bytes of a bundle; what unpacks to more is none of ours


@runtime_checkable
class FactStore(Protocol):
    """Where facts can be kept: a store of results that is a folder or a file system."""

    name: str

    def write(self, path: str, content: bytes) -> None:
        """Keep a file, as a Store does."""

    def facts(self) -> list[str]:
        """Where facts are kept, in the order of the paths.

        Raises:
            UsageError: it can't be looked at.
        """

    def fetch(self, path: str) -> bytes:
        """What is kept there.

        Raises:
            UsageError: it can't be read.
        """

    def forget(self, path: str) -> None:
        """Remove what is kept there.

        Raises:
            UsageError: it can't be removed.
        """


def fact_store(store: object) -> FactStore:
    """A store that facts can be kept in.

    Raises:
        UsageError: it is one through which results only pass.
    """
    if not isinstance(store, FactStore):
        raise UsageError(f"{getattr(store, 'name', store)} is no place for facts: a folder or a file system is")
    return store


def keep_facts(store: FactStore, bundle: Bundle, retention: dt.timedelta, *, of_incident: bool = False) -> None:
    """Keep the facts of a run, a file for each environment, and remove what is older than the retention.

    Args:
        store: where.
        bundle: what was collected.
        retention: how long facts are kept.
        of_incident: the run looked at an incident: later runs are not compared with it.

    Raises:
        UsageError: something could not be written or removed; what was written before it is kept.
    """
    for name in bundle.selected or list(bundle.environments):
        own = replace(
            bundle,
            environments={name: bundle.environments[name]},
            connections={connection: kinds for connection, kinds in bundle.connections.items() if connection == name},
            mirrors=[],
            kept=[kept for kept in bundle.kept if kept.ask.environment == name],
            selected=[name],
        )
        content = gzip.compress(msgspec.json.encode(own, order="deterministic"), mtime=0)
        ending = _OF_INCIDENT if of_incident else _ENDING
        store.write(f"{FACTS}/{name}/{bundle.started_at[:10]}/{bundle.run}{ending}", content)
    oldest = dt.datetime.fromisoformat(bundle.started_at) - retention
    for path in store.facts():
        if path.split("/")[1] in bundle.environments and moment_of(path) < oldest:
            store.forget(path)


def kept_runs_of(store: FactStore, environment: str, *, of_incidents: bool = False) -> list[str]:
    """The runs whose facts are kept of an environment, the oldest first; those of incidents too, if they are meant."""
    paths = [path for path in store.facts() if path.split("/")[1] == environment]
    return [_run(path) for path in paths if of_incidents or not path.endswith(_OF_INCIDENT)]


def kept_facts(store: FactStore, environment: str, run: str) -> Bundle:
    """The facts of a run of an environment.

    Raises:
        UsageError: there are none, or they are not as they were written.
    """
    path = next((fact for fact in store.facts() if (fact.split("/")[1], _run(fact)) == (environment, run)), None)
    if path is None:
        raise UsageError(f"{store.name} keeps no facts of the run {run} of {environment}")
    bundle = unpacked(store.fetch(path), f"{store.name}/{path}")
    if [*bundle.environments] != [environment] or bundle.run != run:
        raise UsageError(f"{store.name}/{path} holds facts of another run or environment")
    return bundle


def unpacked(content: bytes, name: str) -> Bundle:
    """The bundle that is kept in a file; `name` is what messages call it.

    Raises:
        UsageError: it is not as it was written.
    """
    unpacking = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)  # of gzip
    try:
        whole = unpacking.decompress(content, _LARGEST)
    except zlib.error as error:
        raise UsageError(f"{name} is not as it was written: {error}") from error
    if not unpacking.eof:
        raise UsageError(f"{name} is not as it was written: it is cut off, or larger than facts are")
    return read_bundle(whole, name)


def _run(path: str) -> str:
    """The id of the run whose facts are kept there."""
    return path.rpartition("/")[2].removesuffix(_OF_INCIDENT).removesuffix(_ENDING)


def moment_of(path: str) -> dt.datetime:
    """When the run began whose facts are kept there; the end of time where the name does not say it."""
    found = _WRITTEN.match(path.rpartition("/")[2])
    return dt.datetime.fromisoformat(found[0]) if found else dt.datetime.max.replace(tzinfo=dt.UTC)
