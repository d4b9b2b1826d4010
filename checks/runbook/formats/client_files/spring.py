"""Spring Boot's `spring.kafka.…`, from application.yaml or application.properties, by the names of Kafka's clients.

Spring writes names with hyphens, some of its own, and times and sizes with units. What is common to all clients
counts for each kind that is configured.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from runbook.formats.client_files.setting import SettingOfClient, setting


class WrittenSetting(NamedTuple):
    """A setting as a file has it, under its own name there."""

    name: str
    value: str
    line: int


PREFIX = "spring.kafka."
_KINDS = ("producer", "consumer", "admin", "streams")
# Where Spring's name is not Kafka's with hyphens for dots (Spring Boot reference, application properties).
_OWN = {
    "auto-commit-interval": "auto.commit.interval.ms",
    "fetch-max-wait": "fetch.max.wait.ms",
    "fetch-min-size": "fetch.min.bytes",
    "heartbeat-interval": "heartbeat.interval.ms",
    "max-poll-interval": "max.poll.interval.ms",
    "transaction-id-prefix": "transactional.id",
    "ssl.key-password": "ssl.key.password",
    "ssl.key-store-location": "ssl.keystore.location",
    "ssl.key-store-password": "ssl.keystore.password",
    "ssl.key-store-type": "ssl.keystore.type",
    "ssl.trust-store-location": "ssl.truststore.location",
    "ssl.trust-store-password": "ssl.truststore.password",
    "ssl.trust-store-type": "ssl.truststore.type",
    "application-id": "application.id",
    "state-store-cache-max-size": "statestore.cache.max.bytes",
}
_TIME = re.compile(r"([0-9]+)(ms|s|m|h|d)")
_SIZE = re.compile(r"([0-9]+)(B|KB|MB|GB)")
_MS = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}
_BYTES = {"B": 1, "KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30}
_INDEX = re.compile(r"\[[0-9]+\]$")
_NOT_CLIENTS = tuple(f"{PREFIX}{part}" for part in ("listener.", "template.", "retry.", "jaas.", "ssl.bundle"))


def spring_settings(written: Iterable[WrittenSetting], kind: str) -> list[SettingOfClient]:
    """Turn Spring's settings into those of clients.

    Args:
        written: every setting of the file, names with dots; those of others are left out.
        kind: of client that is meant; empty for all that are configured.
    """
    by_kind: dict[str, list[WrittenSetting]] = {of: [] for of in ("", *_KINDS)}
    for item in written:
        if item.name.startswith(PREFIX) and not item.name.startswith(_NOT_CLIENTS):
            of, _, rest = item.name.removeprefix(PREFIX).partition(".")
            inner = of in _KINDS
            name = rest if inner else item.name.removeprefix(PREFIX)
            by_kind[of if inner else ""].append(WrittenSetting(name=name, value=item.value, line=item.line))
    kinds = [kind] if kind else [of for of in _KINDS if by_kind[of]] or [""]
    return [setting for of in kinds for setting in _joined(of, by_kind[""] + (by_kind.get(of, []) if of else []))]


def _joined(kind: str, written: Iterable[WrittenSetting]) -> Iterator[SettingOfClient]:
    """Settings of a kind; a list written entry by entry (`bootstrap-servers[0]`) becomes one with commas."""
    lists: dict[str, tuple[list[str], int]] = {}
    for item in written:
        bare = _INDEX.sub("", item.name)
        if bare == item.name or bare not in lists:
            lists[bare] = ([], item.line)
        lists[bare][0].append(item.value)
    for name, (values, line) in lists.items():
        yield setting(kind, _kafka_name(name), _plain(",".join(values)), line, spring=True)


def _kafka_name(name: str) -> str:
    if name.startswith("properties."):
        return name.removeprefix("properties.")
    return _OWN.get(name, name.replace("-", "."))


def _plain(value: str) -> str:
    """Times in milliseconds and sizes in bytes, as Kafka's clients have them."""
    if time := _TIME.fullmatch(value):
        return str(int(time[1]) * _MS[time[2]])
    if size := _SIZE.fullmatch(value):
        return str(int(size[1]) * _BYTES[size[2]])
    return value
