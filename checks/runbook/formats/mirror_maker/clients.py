"""Which settings reach the clients of a connector, and which reach none.

MirrorConnectorConfig gives each client the settings of several prefixes, of which a later one holds. Records are not
written by the connector but by the worker, whose producer takes `producer.override.` from the connector and nothing
else (Worker.baseProducerConfigs).
"""

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from runbook.formats.mirror_maker.given import Configuration, GivenSettings
from runbook.formats.mirror_maker.known import ADMIN, CONNECTOR, CONSUMER, EARLIER, PRODUCER, WORKER, is_connection
from runbook.formats.mirror_maker.link import CHECKPOINT, SOURCE

SOURCE_CONSUMER: Final = "source consumer"
TARGET_CONSUMER: Final = "target consumer"
TARGET_PRODUCER: Final = "target producer"
SYNCS_PRODUCER: Final = "offset-syncs producer"
SOURCE_ADMIN: Final = "source admin"
TARGET_ADMIN: Final = "target admin"

Layer = tuple[Configuration, str]
"""Settings, and the prefix of those that a client gets of them."""

# Of ConsumerConfig 4.3.0, but for auto.offset.reset, which MirrorConnectorConfig sets where nobody else does.
_OF_CONSUMER = {
    "fetch.min.bytes": "1",
    "fetch.max.wait.ms": "500",
    "fetch.max.bytes": "52428800",
    "max.partition.fetch.bytes": "1048576",
    "max.poll.records": "500",
    "auto.offset.reset": "earliest",
}
# Of ProducerConfig 4.3.0, and of Worker.baseProducerConfigs for acks.
_OF_PRODUCER = {"acks": "all", "batch.size": "16384", "compression.type": "none", "max.request.size": "1048576"}
_FORCED = {"enable.auto.commit": "false"}
_CLUSTERS = ("source.cluster.", "target.cluster.")
_SIDES = (*_CLUSTERS, "source.", "target.")


class SettingOfLink(Struct, frozen=True):
    """One setting, and what became of it.

    Attributes:
        client: who is to have it; empty if nothing says.
        name: as the client calls it.
        value: as text; None where it is not known, hidden if it is a credential.
        given: the key that was written; empty for what holds because nothing was.
        in_force: whether the client has this value.
        reason: why it has not, and what to write instead; empty if it has.
    """

    client: str
    name: str
    value: str | None
    given: str
    in_force: bool
    reason: str = ""


class Prefixes(Struct, frozen=True):
    """What to write before a setting, so that the client which copies gets it."""

    consumer: str = "source.consumer."
    producer: str = "producer.override."
    admin: str = "target.admin."

    def right(self, name: str) -> str:
        """The keys with which a setting of a client is read."""
        known = ((self.consumer, CONSUMER), (self.producer, PRODUCER), (self.admin, ADMIN - CONSUMER - PRODUCER))
        return " or ".join(f"{prefix}{name}" for prefix, names in known if name in names)


def client_settings(
    kind: str, connector: Configuration, worker: Configuration | None, prefixes: Prefixes
) -> list[SettingOfLink]:
    """Tell what becomes of the client settings of one connector.

    Args:
        kind: of connector.
        connector: its configuration.
        worker: of the worker that runs it; None where that is not told, as over REST.
        prefixes: with which a setting reaches its client.
    """
    settings = [setting for client, layers in _layers(kind, connector, worker) for setting in _held(client, layers)]
    if kind == SOURCE:  # which copies: what is misplaced in the others slows nothing down
        unsaid = dict.fromkeys(_OF_PRODUCER) if worker is None else _OF_PRODUCER
        settings += _defaults(settings, SOURCE_CONSUMER, _OF_CONSUMER) + _defaults(settings, TARGET_PRODUCER, unsaid)
        settings += _unread(connector, worker, {(setting.client, setting.given) for setting in settings}, prefixes)
    return settings


def client_of(name: str) -> str:
    """The client that is meant by a setting without a word of whose it is."""
    return SOURCE_CONSUMER if name in CONSUMER else TARGET_PRODUCER if name in PRODUCER else TARGET_ADMIN


def _layers(
    kind: str, connector: Configuration, worker: Configuration | None
) -> Iterator[tuple[str, tuple[Layer, ...]]]:
    def of(side: str, role: str) -> tuple[Layer, ...]:
        return (
            (_connections(connector, f"{side}.cluster."), f"{side}.cluster."),
            (connector, f"{role}."),
            (connector, f"{side}.{role}."),
        )

    location = connector.get("offset-syncs.topic.location", GivenSettings("source", "")).value
    yield TARGET_PRODUCER, ((worker or {}, "producer."), (connector, "producer.override."))
    yield TARGET_ADMIN, of("target", "admin")
    if kind in (SOURCE, CHECKPOINT):
        yield SOURCE_ADMIN, of("source", "admin")
    if kind == SOURCE:
        yield SOURCE_CONSUMER, of("source", "consumer")
        yield SYNCS_PRODUCER, of(location if location == "target" else "source", "producer")
    if kind == CHECKPOINT:
        yield TARGET_CONSUMER, of("target", "consumer")
        if location != "target":
            yield SOURCE_CONSUMER, of("source", "consumer")


def _connections(connector: Configuration, prefix: str) -> Configuration:
    return {
        name: given
        for name, given in connector.items()
        if name.startswith(prefix) and is_connection(name.removeprefix(prefix))
    }


def _held(client: str, layers: tuple[Layer, ...]) -> Iterator[SettingOfLink]:
    """What each layer gives to a client; what a later one gives again does not hold."""
    by_name: dict[str, list[GivenSettings]] = {}
    for settings, prefix in layers:
        for name, given in settings.items():
            rest = name.removeprefix(prefix)
            if name.startswith(prefix) and name not in CONNECTOR and not rest.startswith("override."):
                by_name.setdefault(rest, []).append(given)
    for name, (*earlier, last) in by_name.items():
        forced = _FORCED.get(name, "") if client in (SOURCE_CONSUMER, TARGET_CONSUMER) else ""
        reason = f"MirrorMaker sets it to {forced} itself" if forced else ""
        yield SettingOfLink(client, name, last.value, last.key, in_force=not forced, reason=reason)
        for before in {given.key: given for given in earlier if given.key != last.key}.values():
            yield SettingOfLink(
                client, name, before.value, before.key, in_force=False, reason=f"{last.key} is read after it and holds"
            )


def _defaults(settings: list[SettingOfLink], client: str, unsaid: Mapping[str, str | None]) -> list[SettingOfLink]:
    there = {setting.name for setting in settings if setting.client == client}
    return [
        SettingOfLink(client, name, value, "", in_force=True) for name, value in unsaid.items() if name not in there
    ]


def _unread(
    connector: Configuration, worker: Configuration | None, read: set[tuple[str, str]], prefixes: Prefixes
) -> Iterator[SettingOfLink]:
    """The client settings that no client gets, or not the client that copies."""
    keys = {key for _, key in read}
    for name, given in connector.items():
        said = name
        for side in ("target.", ""):
            if name.startswith(f"{side}producer.") and not name.startswith("producer.override."):
                said = name.removeprefix(f"{side}producer.")
        if said != name:
            if (TARGET_PRODUCER, given.key) not in read:
                reason = f"records are written by the worker's producer, which has not this: write {prefixes.producer}"
                yield SettingOfLink(
                    TARGET_PRODUCER, said, given.value, given.key, in_force=False, reason=f"{reason}{said}"
                )
            continue
        if given.key not in keys and (misplaced := _misplaced(name, given, worker, prefixes)):
            yield misplaced


def _misplaced(
    name: str, given: GivenSettings, worker: Configuration | None, prefixes: Prefixes
) -> SettingOfLink | None:
    if name in CONNECTOR or name.endswith(".cluster.alias"):
        return None
    if name in EARLIER:
        return earlier(name, given, prefixes)
    side = next((side for side in _SIDES if name.startswith(side)), "")
    said = name.removeprefix(side)
    role = next(
        (prefix for prefix in ("consumer.override.", "consumer.", "producer.", "admin.") if said.startswith(prefix)), ""
    )
    said = said.removeprefix(role)
    if worker is not None and side in _CLUSTERS and not role and (said in WORKER or is_connection(said)):
        return None  # the worker has it where this cluster is the target
    right = prefixes.right(said)
    if not right or (side in _CLUSTERS and is_connection(said)):
        return None
    reason = f"no client is given it: write {right}"
    return in_vain(client_of(said), said, given, reason)


def earlier(name: str, given: GivenSettings, prefixes: Prefixes) -> SettingOfLink:
    """What became of a name that MirrorMaker read once."""
    now = EARLIER[name]
    key = prefixes.right(now) or now
    client = client_of(now) if prefixes.right(now) else ""
    reason = "MirrorMaker 2 has no such setting from Kafka 4.0 on" if name.endswith("list") else ""
    reason = reason or "it is none of MirrorMaker 2 or of its clients"
    return in_vain(client, name, given, reason + (f": write {key}" if key else ""))


def in_vain(client: str, name: str, given: GivenSettings, reason: str) -> SettingOfLink:
    """A setting that its client has not."""
    return SettingOfLink(client, name, given.value, given.key, in_force=False, reason=reason)
