"""Spring Boot's `spring.kafka.…`, from application files, as its binder hands it on to Kafka's clients.

Names are bound in a relaxed way (`bootstrapServers` is `bootstrap-servers`), values are converted by their type, and
what a section does not know is dropped, unless it stands under `properties`. What is common to all clients counts for
each kind that is configured; `properties` of a section come after what Spring names itself. Compared with the binder
of Spring Boot 3.4 (`tests/live/test_spring_as_bound.py`); the names are those of 2.3 to 4.0.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Final, NamedTuple

from msgspec import structs

from runbook.formats.client_files.setting import SettingOfClient, setting
from runbook.formats.client_files.spring_values import NotConvertedError, converted
from runbook.formats.client_files.written import Settings, WrittenSetting
from runbook.formats.setting_names import CLIENT, unknown
from runbook.safety.secret import is_secret

PREFIX: Final = "spring.kafka."
_KINDS: Final = ("producer", "consumer", "admin", "streams")
_SSL: Final = {
    "ssl.key-password": "ssl.key.password",
    "ssl.key-store-certificate-chain": "ssl.keystore.certificate.chain",
    "ssl.key-store-key": "ssl.keystore.key",
    "ssl.key-store-location": "ssl.keystore.location:resource",
    "ssl.key-store-password": "ssl.keystore.password",
    "ssl.key-store-type": "ssl.keystore.type",
    "ssl.protocol": "ssl.protocol",
    "ssl.trust-store-certificates": "ssl.truststore.certificates",
    "ssl.trust-store-location": "ssl.truststore.location:resource",
    "ssl.trust-store-password": "ssl.truststore.password",
    "ssl.trust-store-type": "ssl.truststore.type",
    "security.protocol": "security.protocol",
    "client-id": "client.id",
}
_SERVERS: Final = {"bootstrap-servers": "bootstrap.servers:list"}
# Spring's name -> Kafka's, with its type if that is no text (KafkaProperties of Spring Boot 2.3 to 4.0).
_NAMES: Final[Mapping[str, Mapping[str, str]]] = {
    "": _SSL | _SERVERS,
    "producer": _SSL
    | _SERVERS
    | {
        "acks": "acks",
        "batch-size": "batch.size:bytes",
        "buffer-memory": "buffer.memory:bytes",
        "compression-type": "compression.type",
        "key-serializer": "key.serializer:class",
        "retries": "retries:int",
        "transaction-id-prefix": "transactional.id",
        "value-serializer": "value.serializer:class",
    },
    "consumer": _SSL
    | _SERVERS
    | {
        "auto-commit-interval": "auto.commit.interval.ms:ms",
        "auto-offset-reset": "auto.offset.reset",
        "enable-auto-commit": "enable.auto.commit:bool",
        "fetch-max-wait": "fetch.max.wait.ms:ms",
        "fetch-min-size": "fetch.min.bytes:bytes",
        "group-id": "group.id",
        "heartbeat-interval": "heartbeat.interval.ms:ms",
        "isolation-level": "isolation.level:isolation",
        "key-deserializer": "key.deserializer:class",
        "max-poll-interval": "max.poll.interval.ms:ms",
        "max-poll-records": "max.poll.records:int",
        "value-deserializer": "value.deserializer:class",
    },
    "admin": _SSL,
    "streams": _SSL
    | _SERVERS
    | {
        "application-id": "application.id",
        "cache-max-size-buffering": "cache.max.bytes.buffering:bytes",
        "replication-factor": "replication.factor:int",
        "state-dir": "state.dir",
        "state-store-cache-max-size": "statestore.cache.max.bytes:bytes",
    },
}
# What Spring keeps for itself: sections, and settings of sections.
_OWN: Final = ("listener", "template", "retry", "jaas", "ssl.bundle", "streams.cleanup", "bootstrapservers.")
_BUNDLE: Final = ("ssl.bundle",)  # of each section since 3.1 (KafkaProperties.Ssl.bundle)
_OWN_NAMES: Final = {
    "producer": _BUNDLE,
    "consumer": _BUNDLE,
    "admin": (*_BUNDLE, "auto-create", "close-timeout", "fail-fast", "modify-topic-configs", "operation-timeout"),
    "streams": (*_BUNDLE, "auto-startup"),
}
_OF_LOGIN: Final = "jaas.options."
_BY_RELEASE: Final = frozenset({"max-poll-interval", "cache-max-size-buffering", "state-store-cache-max-size"})
"""Which releases differ about: bound since 3.5, until 3.3, and since 3.2; what others do is to drop them."""
_ALWAYS: Final = {
    "producer": ("key.serializer", "value.serializer"),
    "consumer": ("key.deserializer", "value.deserializer", "isolation.level"),
}
"""What Spring names of a kind even where no file does, so that what is common to all kinds never holds."""
_INDEX: Final = re.compile(r"\[[0-9]+\]$")
_KEY: Final = re.compile(r"\.?\[([^\[\]]*[^\[\]0-9][^\[\]]*)\]")
"""A key in brackets, as `properties[linger.ms]` has it: all between them is the key, as it stands."""


_MISSPELT: Final = 0.88  # of difflib.SequenceMatcher.ratio: a letter of eight may differ. Our judgement


class _Place(NamedTuple):
    """Where a setting is bound: by its section, and whether it is handed on as it is."""

    section: str
    name: str
    handed_on: bool


def is_spring(name: str) -> bool:
    """Whether a setting, by its written name, is one of Spring's for Kafka."""
    return _uniform(name[: len(PREFIX) + 9]).startswith(PREFIX)


def by_variable(name: str) -> str:
    """The property that an environment variable such as SPRING_KAFKA_PRODUCER_ACKS stands for."""
    words = name.lower().split("_")[2:]
    for own in _OWN:  # which is Spring's own, and needs no spelling
        parts = own.split(".")
        if words[: len(parts)] == parts:
            return f"{PREFIX}{own}.{'.'.join(words[len(parts) :])}".rstrip(".")
    entry = f"[{words.pop()}]" if len(words) > 1 and words[-1].isdecimal() else ""  # of a list
    section = words[0] if words[0] in _KINDS and len(words) > 1 else ""
    rest = words[1:] if section else words
    below = f"{PREFIX}{section}." if section else PREFIX
    if rest[0] == "properties":
        return f"{below}properties.{'.'.join(rest[1:])}"
    spellings = {one.replace("-", "").replace(".", ""): one for one in _known(section)}
    return below + spellings.get("".join(rest), "-".join(rest)) + entry


def spring_settings(documents: Iterable[Settings], kind: str) -> list[SettingOfClient]:
    """Turn Spring's settings into those of clients.

    Args:
        documents: of one application, of which later ones come before earlier ones; names with dots. Those of others
            are left out.
        kind: of client that is meant; empty for all that are configured.
    """
    bound: dict[_Place, list[WrittenSetting]] = {}
    for document in documents:
        bound |= _bound(document)
    by_section: dict[str, list[tuple[_Place, list[WrittenSetting]]]] = {of: [] for of in ("", *_KINDS)}
    for place in sorted(bound, key=lambda place: place.handed_on):  # what is handed on comes last
        by_section[place.section].append((place, bound[place]))
    kinds = [kind] if kind else [of for of in _KINDS if by_section[of]] or [""]
    return [
        found
        for of in kinds
        for place, items in by_section[""] + (by_section.get(of, []) if of else [])
        if (found := _setting(of, place, items)) is not None
    ]


def _bound(document: Settings) -> dict[_Place, list[WrittenSetting]]:
    """What one document sets; a list written entry by entry (`bootstrap-servers[0]`) is one setting."""
    found: dict[_Place, list[WrittenSetting]] = {}
    for item in document:
        if is_spring(item.name):
            bare = _KEY.sub(r".\1", _INDEX.sub("", item.name))
            place = _place(bare.split(".", 2)[2])
            if _INDEX.search(item.name) and place in found and _INDEX.search(found[place][0].name):
                found[place].append(item)
            else:
                found[place] = [item]
    return found


def _place(name: str) -> _Place:
    """Where a name behind `spring.kafka.` is bound, in Spring's own spelling where it has one."""
    first, _, rest = name.partition(".")
    section = _uniform(first) if rest and _uniform(first) in _KINDS else ""
    inner = rest if section else name
    head, _, key = inner.partition(".")
    if key and _uniform(head) == "properties":
        return _Place(section, key, handed_on=True)
    spellings = {_uniform(one): one for one in _known(section)}
    return _Place(section, spellings.get(_uniform(inner), inner), handed_on=False)


def _known(section: str) -> Iterator[str]:
    """What Spring defines in a section, for clients and for itself."""
    yield from _NAMES[section]
    yield from _OWN_NAMES.get(section, ())


def _uniform(name: str) -> str:
    """A name as Spring compares names (ConfigurationPropertyName, Form.UNIFORM)."""
    return name.lower().replace("-", "").replace("_", "")


def _setting(kind: str, place: _Place, items: Sequence[WrittenSetting]) -> SettingOfClient | None:
    first, value = items[0], ",".join(item.value for item in items)
    if place.handed_on:
        made = _made(kind, place.name, value, first)
        overruled = not place.section and place.name in _ALWAYS.get(kind, ())
        return structs.replace(made, name=first.name, ignored_because=_overruled(kind, place)) if overruled else made
    if place.name in _OWN_NAMES.get(place.section, ()) or _of_spring(place):
        in_login = place.name.startswith(_OF_LOGIN) and is_secret(place.name.removeprefix(_OF_LOGIN))
        return _made(kind, f"{PREFIX}{place.name}", value, first) if in_login else None
    known = _NAMES[place.section].get(place.name)
    if known is None:
        dropped = _made(kind, _INDEX.sub("", first.name), value, first)
        return structs.replace(dropped, ignored_because=_dropped(place))
    name, _, of_type = known.partition(":")
    if _made(kind, name, value, first).value is None or place.name in _BY_RELEASE:
        return structs.replace(_made(kind, name, value, first), value=None)
    try:
        given = converted(value, of_type)
    except NotConvertedError as error:
        says = f"Spring Boot can't bind {first.name}: {error}"
        return structs.replace(_made(kind, name, value, first), refused=says)
    return None if given is None else _made(kind, name, given, first)


def _of_spring(place: _Place) -> bool:
    whole = _uniform(f"{place.section}.{place.name}" if place.section else place.name)
    return any(whole == own or whole.startswith(f"{own}.") for own in _OWN)


def _dropped(place: _Place) -> str:
    below = f"{PREFIX}{place.section}." if place.section else PREFIX
    name = place.name.replace("-", ".")
    spellings = {_uniform(one): one for one in _known(place.section)}
    like = get_close_matches(_uniform(place.name), [*spellings], 1, _MISSPELT) if unknown(name, CLIENT) else []
    if like:
        return f"Spring Boot has no {below}{place.name}; did you mean {below}{spellings[like[0]]}?"
    return f"Spring Boot has no {below}{place.name}: write {below}properties.{name}, if {name} is Kafka's"


def _overruled(kind: str, place: _Place) -> str:
    name = f"{PREFIX}{kind}.{place.name.replace('.', '-')}"
    return f"Spring Boot gives each {kind} {place.name} of its own: write {name}"


def _made(kind: str, name: str, value: str, at: WrittenSetting) -> SettingOfClient:
    made = setting(kind, name, value, at.line, spring=True)
    return structs.replace(made, column=at.column, file=at.file, framework="spring")


def profiles(documents: Iterable[tuple[str, Settings]]) -> Iterator[tuple[str, list[Settings]]]:
    """An application without a profile, and with each that is named: what its documents say in their order.

    Args:
        documents: each with the profile of its file, empty for none.
    """
    every = [(of or _activated(document), document) for of, document in documents]
    every.sort(key=lambda each: bool(each[0]) and each[0] != _activated(each[1]))  # a profile's own file comes last
    named = dict.fromkeys(of for of, _ in every if of)
    for profile in ("", *named):
        chosen = [document for of, document in every if of in ("", profile)]
        if any(is_spring(item.name) for document in chosen for item in document):
            yield profile, chosen


def _activated(document: Settings) -> str:
    """The profiles for which a document is meant; empty for all."""
    names = ("spring.config.activate.on-profile", "spring.profiles")
    return ",".join(item.value for item in document if _INDEX.sub("", item.name) in names)
