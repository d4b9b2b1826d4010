"""Quarkus and Micronaut: what their application files hand on to Kafka's clients.

Quarkus gives each channel of SmallRye's Kafka connector `kafka.…`, then the connector's settings, then the channel's
own, and two of its own where none says them. Micronaut gives each client `kafka.…`, then those of its id.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Final

from msgspec import structs

from runbook.formats.client_files.setting import SettingOfClient, setting
from runbook.formats.client_files.written import Settings, WrittenSetting
from runbook.formats.setting_names import names

_PROFILE: Final = re.compile(r"%([\w,-]+)\.")
_CHANNEL: Final = re.compile(r'mp\.messaging\.(incoming|outgoing)\.("[^"]*"|[^.]+)\.(.+)')
_CONNECTOR: Final = "mp.messaging.connector.smallrye-kafka."
_OF_MICRONAUT: Final = re.compile(r"kafka\.(producers|consumers|streams)\.([^.]+)\.(.+)")
_COMMON: Final = "kafka."
_KINDS: Final = {
    "incoming": "consumer",
    "outgoing": "producer",
    "consumers": "consumer",
    "producers": "producer",
    "streams": "streams",
}
# What SmallRye sets where no file says it (KafkaConnector's attributes; ReactiveKafkaProducer, ReactiveKafkaConsumer).
_GIVEN: Final = {"producer": {"acks": "1"}, "consumer": {"enable.auto.commit": "false"}}
_OWN: Final = re.compile(r"(dead-letter-queue|delayed-retry-topic|throttled|checkpoint|health|tracing)[.-]")


def is_framework(name: str) -> bool:
    """Whether a setting, by its written name, can only be one that is handed on to Kafka's clients."""
    bare = _PROFILE.sub("", name)
    if bare.startswith(_CONNECTOR) or bare == "kafka.bootstrap.servers":
        return True
    inner = _CHANNEL.fullmatch(bare) or _OF_MICRONAUT.fullmatch(bare)
    return inner is not None and inner[3] in _known()


def framework_settings(documents: Iterable[Settings]) -> list[SettingOfClient]:
    """Turn the settings of an application, of all its profiles, into those of clients."""
    written = [item for document in documents for item in document]
    profiles = dict.fromkeys(name for item in written for name in _profiles(item.name) if name)
    found: list[SettingOfClient] = []
    for profile in ("", *profiles):
        chosen = {_PROFILE.sub("", i.name): i for of in ("", profile) for i in written if of in _profiles(i.name)}
        found += _of_profile(chosen, profile)
    return found


def _profiles(name: str) -> list[str]:
    of = _PROFILE.match(name)
    return of[1].split(",") if of else [""]


def _of_profile(written: Mapping[str, WrittenSetting], profile: str) -> Iterator[SettingOfClient]:
    clients: dict[tuple[str, str, str], dict[str, WrittenSetting]] = {}
    for name, item in written.items():
        if match := _CHANNEL.fullmatch(name) or _OF_MICRONAUT.fullmatch(name):
            clients.setdefault((match[1], match[2].strip('"'), name.partition(".")[0]), {})[match[3]] = item
    of_kafka = {key: own for key, own in clients.items() if key[2] == "kafka" or _is_kafka(own, written)}
    common = {name.removeprefix(_COMMON): item for name, item in written.items() if _is_common(name)}
    connector = {name.removeprefix(_CONNECTOR): i for name, i in written.items() if name.startswith(_CONNECTOR)}
    for (way, client, framework), own in of_kafka.items():
        of_channel = framework == "mp"
        given = {**common, **(connector if of_channel else {}), **own}
        first = next(iter(own.values()))
        if of_channel:
            given |= {n: first._replace(value=v) for n, v in _GIVEN[_KINDS[way]].items() if n not in given}
        part = f"{client}, {profile}" if profile else client
        called = "quarkus" if of_channel else "micronaut"
        yield from (_made(_KINDS[way], name, item, part, called) for name, item in given.items() if _is_handed_on(name))
    if not of_kafka:
        yield from (_made("", name, item, profile, "quarkus") for name, item in common.items())


def _is_kafka(own: Mapping[str, WrittenSetting], written: Mapping[str, WrittenSetting]) -> bool:
    """Whether a channel is one of Kafka's: its connector says so, or there is no other in the file."""
    if "connector" in own:
        return own["connector"].value == "smallrye-kafka"
    return any(map(_is_common, written)) or any(name in _known() for name in own)


def _is_common(name: str) -> bool:
    return name.startswith(_COMMON) and name.removeprefix(_COMMON) in _known()


def _is_handed_on(name: str) -> bool:
    return name in _known() or ("." in name and not _OWN.match(name))


def _made(kind: str, name: str, item: WrittenSetting, client: str, framework: str) -> SettingOfClient:
    made = setting(kind, name, item.value, item.line)
    return structs.replace(made, column=item.column, file=item.file, client=client, framework=framework)


@cache
def _known() -> frozenset[str]:
    return frozenset(name for kind in ("producer", "consumer") for of in names()[kind].values() for name in of)
