"""Which names of settings Kafka does not know: misspelt ones, and those of another time; it leaves them aside.

The names are in `setting_names.json`, by kind and release, read from Kafka's own classes and librdkafka
(`tests/support/setting_names.py` makes it again). What a plugin reads is in none of them. So a name counts as unknown
only where it begins as one of Kafka's does (`ssl.`, `fetch.`) or is nearly one of them (`lingr.ms`), and does not begin
as plugins' own are known to.
"""

import json
import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Final

_ALIKE = 0.75  # of difflib.SequenceMatcher.ratio, from 0 to 1: one word of four may differ
_MISSPELT = 0.9  # the same: a letter of ten may differ
_A_LETTER = 0.85  # the same, of names of one word: ack is acks
BROKER: Final = ("broker",)
CLIENT: Final = ("producer", "consumer", "admin", "librdkafka")
WORKER: Final = (*CLIENT, "connect")

# Apache Kafka's notes on upgrading to 3.0: these are gone, and releases before it are still run.
_EARLIER: Final = {
    "advertised.host.name",
    "advertised.port",
    "host.name",
    "port",
    "quota.consumer.default",
    "quota.producer.default",
}
# Prefixes that Kafka hands on unread (listeners, config providers, tiered storage: KIP-405), and those of serializers,
# of Streams (`default.`), of reporters, interceptors and partitioners, and of Spring Boot's own names.
_HANDED_ON: Final = re.compile(
    r"(listener\.name|config\.providers|confluent|metrics|interceptor|partitioner|rsm\.config|rlmm\.config"
    r"|remote\.log\.(storage|metadata)|default|ssl\.key\.store|ssl\.trust\.store|client\.quota\.callback)\."
    r"|(key|value|header)\.[^.]+\.."
    r"|(auto\.(create|register\.schemas)|max\.schemas\.per\.subject|bootstrap\.controllers)$"
)


def unknown(name: str, kinds: Sequence[str]) -> bool:
    """Whether no release whose names are known here has a setting, and no plugin is known to.

    Args:
        name: as written.
        kinds: whose settings may stand there, as BROKER.
    """
    if name in _known(tuple(kinds)) or _HANDED_ON.match(name):
        return False
    if name.partition(".")[0] in _beginnings(tuple(kinds)) or _as_kafka_writes(name) in _known(tuple(kinds)):
        return True
    if "." not in name:
        return bool(get_close_matches(name, [one for one in _known(tuple(kinds)) if "." not in one], 1, _A_LETTER))
    return bool(get_close_matches(name, _known(tuple(kinds)), 1, _MISSPELT))


def is_of_java(name: str) -> bool:
    """Whether Kafka's Java clients know a setting and librdkafka does not."""
    return name in _known(("producer", "consumer", "admin")) - _known(("librdkafka",))


def is_of_librdkafka(name: str) -> bool:
    """Whether librdkafka knows a setting and none of Kafka's Java clients does."""
    return name in _known(("librdkafka",)) - _known(("producer", "consumer", "admin"))


def releases(kinds: Sequence[str]) -> str:
    """Those whose names are known here, as "Kafka 3.9.1 and 4.3.0"."""
    of_kafka = sorted({release for kind in kinds if kind != "librdkafka" for release in names()[kind]})
    others = [f"librdkafka {release}" for release in names()["librdkafka"]] if "librdkafka" in kinds else []
    return " and ".join([f"Kafka {' and '.join(of_kafka)}", *others])


def alike(name: str, kinds: Sequence[str]) -> str:
    """The known name that is most like it; "" if none is."""
    found = get_close_matches(_as_kafka_writes(name), sorted(_known(tuple(kinds))), 1, _ALIKE)
    return found[0] if found else ""


def _as_kafka_writes(name: str) -> str:
    return name.lower().replace("-", ".").replace("_", ".")


@cache
def _known(kinds: tuple[str, ...]) -> frozenset[str]:
    known = {name for kind in kinds for of in names()[kind].values() for name in of}
    return frozenset(known | _EARLIER if "broker" in kinds else known)


@cache
def _beginnings(kinds: tuple[str, ...]) -> frozenset[str]:
    """The first words of all known names."""
    return frozenset(name.partition(".")[0] for name in _known(kinds))


@cache
def names() -> Mapping[str, Mapping[str, Sequence[str]]]:
    """Kind -> release -> names."""
    said: dict[str, dict[str, list[str]]] = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
    return said
