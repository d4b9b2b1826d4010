"""What a producer does where its files say nothing: the defaults of its library, or of the framework around it."""

from collections.abc import Mapping, Sequence
from typing import Final

from runbook.formats.kafka_settings.facts import releases, settings
from runbook.formats.release_numbers import numbers
from runbook.views._client_defaults import Library

_IDEMPOTENCE: Final = "enable.idempotence"
# librdkafka, CONFIGURATION.md and CHANGELOG (1.0.0: acks was 1; 1.5.0: linger.ms was 0.5, batch.size was not there;
# 1.5.2: retries were 2, request.timeout.ms 5000): release from which on → default; before the first one it is unknown.
_LIBRDKAFKA: Final[Mapping[str, Sequence[tuple[tuple[int, ...], str]]]] = {
    "acks": (((), "1"), ((1, 0), "-1")),
    "batch.size": (((1, 5), "1000000"),),
    "compression.type": (((), "none"),),
    "delivery.timeout.ms": (((), "300000"),),
    _IDEMPOTENCE: (((), "false"),),
    "linger.ms": (((1, 5), "5"),),
    "max.in.flight.requests.per.connection": (((), "1000000"),),
    "message.max.bytes": (((), "1000000"),),
    "partitioner": (((), "consistent_random"),),
    "queue.buffering.max.kbytes": (((), "1048576"),),
    "queue.buffering.max.messages": (((), "100000"),),
    "request.timeout.ms": (((), "5000"), ((1, 5, 2), "30000")),
    "retries": (((), "2"), ((1, 5, 2), "2147483647")),
    "transaction.timeout.ms": (((1, 4), "60000"),),
}
# Java's clients before the oldest release whose ConfigDef is known here: KIP-679 (3.0), KIP-91 (2.1).
_BEFORE: Final = (2, 8)
_OF_OLD_JAVA: Final[Mapping[str, Sequence[tuple[tuple[int, ...], str]]]] = {
    "acks": (((), "1"),),
    _IDEMPOTENCE: (((), "false"),),
    "retries": (((), "0"), ((2, 1), "2147483647")),
}
_OF_OLD_SPRING: Final = {name: _OF_OLD_JAVA[name] for name in ("acks", _IDEMPOTENCE)}  # before 2.8: clients before 3.0
# What Streams (StreamsConfig, PRODUCER_DEFAULT_OVERRIDES) and Connect (Worker.baseProducerConfigs) give producers.
WITHIN: Final[Mapping[str, Mapping[str, str]]] = {
    "streams": {"linger.ms": "100"},
    "connect": {
        "acks": "all",
        "delivery.timeout.ms": "2147483647",
        _IDEMPOTENCE: "false",
        "max.block.ms": "9223372036854775807",
        "max.in.flight.requests.per.connection": "1",
    },
}
# Spring for Apache Kafka from this release on → Kafka's clients from this one on.
_CLIENTS_OF_SPRING: Final = (((3, 0), (3, 3)), ((2, 8), (3, 0)))
_DEFECT: Final = ((3, 0, 0), (3, 1, 0))  # KAFKA-13598: idempotence was documented as the default, and was off


def possible(setting: str, library: Library | None, within: str = "") -> list[str]:
    """The values that a setting may have where no file says it, sorted; none for a setting that is not known here.

    Args:
        setting: name, as Kafka's Java clients call it, or one of librdkafka's own.
        library: of the client, if known.
        within: "streams" or "connect", for a producer inside.
    """
    if setting in WITHIN.get(within, {}):
        return [WITHIN[within][setting]]
    found: set[str] = set()
    if library is None or library.name != "librdkafka" or within:
        found |= _of_java(setting, library)
    if not within and (library is None or library.name == "librdkafka"):
        found |= _of_librdkafka(setting, () if library is None else library.release)
    return sorted(found)


def _of_librdkafka(setting: str, release: tuple[int, ...]) -> set[str]:
    return _by_release(_LIBRDKAFKA.get(setting, ()), release)


def _by_release(known: Sequence[tuple[tuple[int, ...], str]], release: tuple[int, ...]) -> set[str]:
    if not release:
        return {value for _, value in known}
    return {value for since, value in known if since <= release and not _overtaken(known, since, release)}


def _overtaken(known: Sequence[tuple[tuple[int, ...], str]], since: tuple[int, ...], release: tuple[int, ...]) -> bool:
    return any(since < later <= release for later, _ in known)


def _of_java(setting: str, library: Library | None) -> set[str]:
    release = library.release if library and library.name == "java" else ()
    if library and library.name != "librdkafka" and () < library.release < _BEFORE:
        old = _OF_OLD_JAVA if library.name == "java" else _OF_OLD_SPRING
        if setting in old:
            return _by_release(old[setting], library.release)
    if setting == _IDEMPOTENCE and library and library.name == "spring" and (2, 8) <= library.release < (3, 0):
        return {"true", "false"}  # its clients may have the defect
    if setting == _IDEMPOTENCE and release[:2] in {defect[:2] for defect in _DEFECT}:
        return {"true", "false"} if len(release) < len(_DEFECT[0]) else {"false" if release in _DEFECT else "true"}
    of = [settings("producer", each).get(setting) for each in _releases(library, release)]
    return {one.default or "" for one in of if one is not None}


def _releases(library: Library | None, release: tuple[int, ...]) -> list[str]:
    """The releases whose defaults are known and which it may be, or the two beside it."""
    all_of_them = releases()
    if library is not None and library.name == "spring":
        first = next((clients for since, clients in _CLIENTS_OF_SPRING if library.release >= since), ())
        return [each for each in all_of_them if numbers(each) >= first]
    if not release:
        return all_of_them
    if same := [each for each in all_of_them if numbers(each)[:2] == release[:2]]:
        return same
    below = [each for each in all_of_them if numbers(each) < release][-1:]
    above = [each for each in all_of_them if numbers(each) > release][:1]
    return [*below, *above] if below else []
