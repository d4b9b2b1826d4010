"""What a consumer does where its files say nothing: the defaults of its library, by its release."""

import re
from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Final, NamedTuple

from runbook.formats.release_numbers import numbers
from runbook.model.errors import Misconfigured
from runbook.model.parameter import Parameter

LIBRARIES: Final = Parameter(
    type="list[string]",
    help="libraries of clients with their releases, as in [billing-*=java-4.3, shop=librdkafka-2.3, desk=spring-3.1]; "
    "the first that matches holds. Without, a default is known only where all libraries have the same",
)


class Library(NamedTuple):
    """A library of clients; of an unknown release if that is empty."""

    name: str
    release: tuple[int, ...]


class _Default(NamedTuple):
    library: str
    since: tuple[int, ...]
    value: str


def _in_all(value: str) -> tuple[_Default, ...]:
    return tuple(_Default(name, (), value) for name in ("java", "librdkafka", "spring"))


# KIP-735 and KIP-726 (clients 3.0, which Spring for Apache Kafka 2.8 brings); CONFIGURATION.md of librdkafka's
# releases; reference of Spring for Apache Kafka, enable.auto.commit (2.3).
_DEFAULTS: Final[Mapping[str, tuple[_Default, ...]]] = {
    "auto.commit.interval.ms": _in_all("5000"),
    "auto.offset.reset": _in_all("latest"),
    "client.rack": _in_all(""),
    "enable.auto.commit": (
        _Default("java", (), "true"),
        _Default("librdkafka", (), "true"),
        _Default("spring", (), "true"),
        _Default("spring", (2, 3), "false"),
    ),
    "fetch.max.bytes": _in_all("52428800"),
    "fetch.max.wait.ms": _in_all("500"),
    "fetch.min.bytes": _in_all("1"),
    "group.instance.id": _in_all(""),
    "group.protocol": _in_all("classic"),
    "heartbeat.interval.ms": _in_all("3000"),
    "isolation.level": (
        _Default("java", (), "read_uncommitted"),
        _Default("spring", (), "read_uncommitted"),
        _Default("librdkafka", (), "read_uncommitted"),
        _Default("librdkafka", (1, 2), "read_committed"),
    ),
    "max.partition.fetch.bytes": _in_all("1048576"),
    "max.poll.interval.ms": _in_all("300000"),
    "max.poll.records": (_Default("java", (), "500"), _Default("spring", (), "500")),
    "metadata.recovery.strategy": (  # KIP-899 and KIP-1102; Spring for Apache Kafka 4.0 brings clients of 4.1
        _Default("java", (), "none"),
        _Default("java", (4, 0), "rebootstrap"),
        _Default("spring", (), "none"),
        _Default("spring", (4, 0), "rebootstrap"),
    ),
    "partition.assignment.strategy": (
        _Default("java", (), "range"),
        _Default("java", (3, 0), "range,cooperative-sticky"),
        _Default("spring", (), "range"),
        _Default("spring", (2, 8), "range,cooperative-sticky"),
        _Default("librdkafka", (), "range,roundrobin"),
    ),
    "session.timeout.ms": (
        _Default("java", (), "10000"),
        _Default("java", (3, 0), "45000"),
        _Default("spring", (), "10000"),
        _Default("spring", (2, 8), "45000"),
        _Default("librdkafka", (), "10000"),
        _Default("librdkafka", (1, 7), "45000"),
    ),
}
# Kafka Streams sets these for its consumers (StreamsConfig, CONSUMER_DEFAULT_OVERRIDES); its assignor is its own.
_OF_STREAMS: Final = {
    "auto.offset.reset": "earliest",
    "enable.auto.commit": "false",
    "max.poll.records": "1000",
    "partition.assignment.strategy": "stream",
}
_NAMES: Final = ("java", "librdkafka", "spring")
_RELEASE: Final = re.compile(r"([a-z]+)(?:-([0-9]+(?:\.[0-9]+)*))?")


def libraries(entries: Sequence[str]) -> Callable[[str], Library | None]:
    """A function from the name of a client to its library; None for one of which nobody says it.

    Raises:
        Misconfigured: an entry is not written CLIENT=LIBRARY-RELEASE, or names a library that is not known here.
    """
    pairs = [_pair(entry) for entry in entries]
    return lambda client: next((library for pattern, library in pairs if fnmatchcase(client, pattern)), None)


def _pair(entry: str) -> tuple[str, Library]:
    pattern, _, words = entry.partition("=")
    match = _RELEASE.fullmatch(words.strip())
    if not match or match[1] not in _NAMES:
        raise Misconfigured(f"libraries: {entry!r} names no library that is known here; write billing=java-4.3")
    release = numbers(match[2]) if match[2] else ()
    return pattern.strip(), Library(match[1], release)


def possible(setting: str, library: Library | None, *, streams: bool = False) -> list[str]:
    """The values that a setting may have where no file says it, sorted; none for a setting that is not known here."""
    if streams and setting in _OF_STREAMS:
        return [_OF_STREAMS[setting]]
    known = [default for default in _DEFAULTS.get(setting, ()) if library is None or default.library == library.name]
    if library is not None and library.release:
        reached = [default for default in known if default.since <= library.release]
        known = reached[-1:]
    return sorted({default.value for default in known})
