"""The file of a dedicated MirrorMaker: the connectors that it runs, what each is given, and the keys that nobody reads.

The rules are those of MirrorMakerConfig (clusterPairs, clusterProps, workerConfig, connectorBaseConfig) in
org.apache.kafka:connect-mirror 4.3.0. A key counts where it stands: at the top it reaches the connectors if one of
them knows it, behind an alias (`us.`) the clients of that cluster, behind a flow (`us->eu.`) its connectors.
"""

from collections.abc import Iterator

from msgspec import Struct

from runbook.formats.client_files.setting import setting
from runbook.formats.java_properties import read_properties
from runbook.formats.mirror_maker.clients import (
    SOURCE_CONSUMER,
    TARGET_ADMIN,
    TARGET_PRODUCER,
    Prefixes,
    SettingOfLink,
    client_of,
    client_settings,
    earlier,
    in_vain,
)
from runbook.formats.mirror_maker.given import Configuration, GivenSettings, listed, switch, text
from runbook.formats.mirror_maker.known import (
    CONNECTOR,
    EARLIER,
    OF_FILE,
    OF_WORKER_ONLY,
    WORKERS_PREFIXES,
    is_connection,
)
from runbook.formats.mirror_maker.link import CLASSES
from runbook.model.errors import Garbled

_ROLES = ("consumer.", "producer.", "admin.")
_OF_ROLE = {"consumer.": SOURCE_CONSUMER, "producer.": TARGET_PRODUCER, "admin.": TARGET_ADMIN}


class Flow(Struct, frozen=True):
    """From one cluster to another, by their aliases; `prefixes` is what to write before settings of its clients."""

    source: str
    target: str

    @property
    def name(self) -> str:
        """As the file writes it."""
        return f"{self.source}->{self.target}"

    @property
    def prefixes(self) -> Prefixes:
        """What to write before a setting of a client of the flow."""
        return Prefixes(f"{self.source}.consumer.", f"{self.target}.producer.", f"{self.target}.admin.")


class Deployed(Struct, frozen=True):
    """A connector that a dedicated MirrorMaker runs.

    Attributes:
        flow: that it belongs to.
        kind: one of CLASSES.
        given: its configuration.
        worker: the configuration of the worker that runs it.
    """

    flow: Flow
    kind: str
    given: Configuration
    worker: Configuration

    @property
    def name(self) -> str:
        """What tells it from the others: its flow and its class."""
        return f"{self.flow.name} {CLASSES[self.kind]}"

    @property
    def group(self) -> str | None:
        """The group of its workers."""
        return text(self.worker, "group.id", f"{self.flow.source}-mm2")

    @property
    def exactly_once(self) -> str | None:
        """Whether its workers write each record once: disabled, preparing or enabled."""
        return text(self.worker, "exactly.once.source.support", "disabled")

    def settings(self) -> list[SettingOfLink]:
        """What becomes of the settings of its clients."""
        return client_settings(self.kind, self.given, self.worker, self.flow.prefixes)


class Dedicated(Struct, frozen=True):
    """What a file has: connectors, the keys that nobody reads, and whether several such processes work together."""

    connectors: tuple[Deployed, ...]
    unread: tuple[SettingOfLink, ...]
    internal_rest: bool | None


def read_dedicated(content: str, path: str) -> Dedicated:
    """Read the file of a dedicated MirrorMaker.

    Raises:
        Garbled: it names no clusters.
    """
    raw = {
        entry.name: GivenSettings(setting("", entry.name, entry.value, entry.line).value, entry.name)
        for entry in read_properties(content)
    }
    clusters = listed(raw, "clusters")
    if not clusters:
        raise Garbled(f"{path} names no clusters, as in `clusters = us, eu`: a dedicated MirrorMaker needs them")
    flows = _flows(raw, clusters)
    connectors = tuple(
        Deployed(flow, kind, _connector(raw, flow, kind), _worker(raw, flow)) for flow in flows for kind in CLASSES
    )
    wanted = [flow for flow in flows if switch(raw, f"{flow.name}.enabled", default=False)]
    return Dedicated(
        connectors,
        tuple(_unread(raw, clusters, wanted or flows)),
        switch(raw, "dedicated.mode.enable.internal.rest", default=False),
    )


def _flows(raw: Configuration, clusters: tuple[str, ...]) -> list[Flow]:
    """The flows with connectors: those switched on, and those with heartbeats, which are on where nothing is said."""
    beats = _true(raw, "emit.heartbeats.enabled", default=True)
    pairs = [Flow(source, target) for source in clusters for target in clusters if source != target]
    return [
        flow
        for flow in pairs
        if _true(raw, f"{flow.name}.enabled", default=False)
        or _true(raw, f"{flow.name}.emit.heartbeats.enabled", default=beats)
    ]


def _true(raw: Configuration, name: str, *, default: bool) -> bool:
    """As Java's Boolean.parseBoolean: what is not `true` is false."""
    return bool(switch(raw, name, default=default)) if name in raw else default


def _stripped(raw: Configuration, prefix: str) -> dict[str, GivenSettings]:
    return {name.removeprefix(prefix): given for name, given in raw.items() if name.startswith(prefix)}


def _cluster(raw: Configuration, alias: str) -> dict[str, GivenSettings]:
    """What a cluster's clients get: of the alias, then of the top, how to reach it goes to each of them."""
    given = _stripped(raw, f"{alias}.")
    for name in [name for name in given if is_connection(name)]:
        for role in _ROLES:
            given.setdefault(f"{role}{name}", given[name])
    for name in [name for name in raw if is_connection(name)]:
        for role in (*_ROLES, ""):
            given.setdefault(f"{role}{name}", raw[name])
    return given


def _worker(raw: Configuration, flow: Flow) -> dict[str, GivenSettings]:
    top = {name: given for name, given in raw.items() if name.startswith(WORKERS_PREFIXES)}
    return _cluster(raw, flow.target) | top


def _connector(raw: Configuration, flow: Flow, kind: str) -> dict[str, GivenSettings]:
    given = {name: given for name, given in raw.items() if name in CONNECTOR or _secures(name)}
    given |= {name: given for name, given in raw.items() if name.startswith(("config.providers", "replication.policy"))}
    for side, alias in (("source", flow.source), ("target", flow.target)):
        for name, settings in _cluster(raw, alias).items():
            given[
                f"{side}.{name}" if name.startswith(("consumer", "producer", "admin")) else f"{side}.cluster.{name}"
            ] = settings
    own = {
        "name": CLASSES[kind],
        "source.cluster.alias": flow.source,
        "target.cluster.alias": flow.target,
    }
    for name, value in own.items():
        given.setdefault(name, GivenSettings(value, ""))
    given |= _stripped(raw, f"{flow.name}.")
    given.setdefault("enabled", GivenSettings("false", ""))
    return given


def _secures(name: str) -> bool:
    return name.startswith(("ssl.", "sasl."))


def _unread(raw: Configuration, clusters: tuple[str, ...], flows: list[Flow]) -> Iterator[SettingOfLink]:
    """The keys that belong to no cluster and no flow, and that nothing reads at the top."""
    starts = tuple(f"{alias}." for alias in clusters)
    pairs = tuple(f"{source}->{target}." for source in clusters for target in clusters if source != target)
    for name, given in raw.items():
        if name.startswith((*starts, *pairs, *WORKERS_PREFIXES)) or name in CONNECTOR | OF_FILE or is_connection(name):
            continue
        if name in EARLIER:
            yield earlier(name, given, flows[0].prefixes)
            continue
        client, said, keys = _meant(name, flows)
        if keys:
            reason = f"at the top of the file it reaches no client and no worker: write {' or '.join(keys)}"
        elif "->" in name:
            reason = f"it belongs to no flow between the clusters {', '.join(clusters)}, so nothing reads it"
        else:
            reason = "nothing reads it: it is no setting of a connector, and no cluster or flow stands before it"
        yield in_vain(client, said, given, reason)


def _meant(name: str, flows: list[Flow]) -> tuple[str, str, list[str]]:
    """Who is meant by a key at the top, the setting's own name, and the keys with which it would be read."""
    if name in OF_WORKER_ONLY:
        return "worker", name, [*dict.fromkeys(f"{flow.target}.{name}" for flow in flows)]
    side = next((prefix for prefix in ("source.", "target.") if name.startswith(prefix)), "")
    role = next((role for role in _ROLES if name.startswith(side + role)), "")
    said = name.removeprefix(side + role)
    keys = [*dict.fromkeys(key for flow in flows if (key := flow.prefixes.right(said)))]
    if not keys:
        return "", name, []
    return _OF_ROLE.get(role) or client_of(said), said, keys
