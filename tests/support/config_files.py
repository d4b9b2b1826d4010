"""Properties files of brokers and clients, made by spoiling real ones, and what Kafka's own classes say of each.

The verdicts are kept in `tests/recorded/config_files.json.xz`, so that no Java runs in most tests. To renew them, from
the top folder: `PYTHONPATH=checks:tests python -m support.config_files FOLDER`, where FOLDER/RELEASE holds the jars of
each release that is judged (`support/setting_facts.py` says how they are had).
"""

import base64
import json
import lzma
import random
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from runbook.formats import setting_names
from runbook.formats.kafka_settings import judged
from runbook.formats.kafka_settings.facts import settings
from runbook.formats.kafka_settings.rules import RULES
from runbook.java import find_java
from support.config_samples import EDITS, REAL, WORDS

RECORDED: Final = Path(__file__).parents[1] / "recorded" / "config_files.json.xz"
CLASSES: Final = {
    "broker": "kafka.server.KafkaConfig",
    "producer": "org.apache.kafka.clients.producer.ProducerConfig",
    "consumer": "org.apache.kafka.clients.consumer.ConsumerConfig",
    "admin": "org.apache.kafka.clients.admin.AdminClientConfig",
    "connect": "org.apache.kafka.connect.runtime.distributed.DistributedConfig",
}
COUNTS: Final = {"broker": 400, "producer": 80, "consumer": 80, "admin": 20, "connect": 40}
_JUDGE = Path(__file__).with_name("java") / "ConfigFiles.java"


class ConfigFile(Struct, frozen=True):
    """A file, and what the class of each release says: "ok", or why it refuses."""

    kind: str
    settings: dict[str, str]
    said: dict[str, str] = {}


def config_files(seed: int = 1) -> Iterator[ConfigFile]:
    """Real files spoiled by a mistake that people make, then by chance; always the same for a seed."""
    for kind, count in COUNTS.items():
        real, edits = REAL[kind], EDITS[kind]
        by_hand = [(base, edit) for edit in edits for base in _unlike(real)]
        for base, edit in by_hand:
            merged = {**base, **edit}
            yield ConfigFile(kind, {name: value for name, value in merged.items() if value is not None})
        if kind == "broker":
            yield from (ConfigFile(kind, {**real[0], **edit}) for edit in _against_rules())
        for number in range(count):
            dice = random.Random(f"{seed} {kind} {number}")
            yield ConfigFile(kind, _spoiled(dice, dict(dice.choice(real)), kind))


def _against_rules() -> Iterator[dict[str, str]]:
    """The least and the most that two numbers may be, either way round, for each rule between two."""
    facts = settings("broker", judged("broker")[-1])
    for rule in RULES:
        ranges = [facts[name].validator or {} for name in rule.settings if name in facts and "broker" in rule.kinds]
        if len(ranges) == 2 and all(of.get("is") == "Range" for of in ranges):
            least, most = ([str(of.get(end, other)) for of in ranges] for end, other in (("min", 1), ("max", 10**6)))
            yield dict(zip(rule.settings, (least[0], most[1]), strict=True))
            yield dict(zip(rule.settings, (most[0], least[1]), strict=True))


def _unlike(real: Sequence[Mapping[str, str]]) -> list[Mapping[str, str]]:
    return [one for place, one in enumerate(real) if one not in real[:place]]


def _spoiled(dice: random.Random, given: dict[str, str], kind: str) -> dict[str, str]:
    names = sorted({name for of in setting_names.names()[kind].values() for name in of})
    for _ in range(dice.choice([1, 1, 2])):
        name = dice.choice(list(given)) if dice.random() < 0.4 else dice.choice(names)
        if name in given and not dice.randrange(4):
            del given[name]
        elif name in given and given[name] and not dice.randrange(3):
            value = given[name]
            given[name] = dice.choice(
                [value.upper(), f'"{value}"', f"{value} # as told", f"{value},", f" {value} ", value * 3]
            )
        else:
            given[name] = dice.choice(WORDS)
    return given


def kafka_says(files: Iterable[ConfigFile], jars: Path) -> list[str]:
    """What a release's own class says of each: "ok", or why it refuses.

    Raises:
        JavaError: there is no Java that runs it.
        CalledProcessError: Java ended with an error.
    """
    asked = "".join(f"{CLASSES[file.kind]} {_written(file.settings)}\n" for file in files)
    words = [str(find_java(17)), "-Xmx256m", "-XX:TieredStopAtLevel=1", "-cp", f"{jars}/*", str(_JUDGE)]
    done = subprocess.run(words, input=asked, capture_output=True, text=True, check=True, timeout=600)
    return [line.removeprefix("said ") for line in done.stdout.splitlines() if line.startswith("said ")]


def _written(settings: Mapping[str, str]) -> str:
    text = "".join(f"{name}={value}\n" for name, value in settings.items())
    return base64.b64encode(text.encode()).decode()


def recorded() -> list[ConfigFile]:
    """The files that are kept, with what each release said."""
    kept = json.loads(lzma.decompress(RECORDED.read_bytes()))
    said = {release: [kept["texts"][place] for place in places] for release, places in kept["said"].items()}
    return [
        ConfigFile(kind, settings, {release: texts[number] for release, texts in said.items()})
        for number, (kind, settings) in enumerate(kept["files"])
    ]


def _record(folder: Path) -> None:
    files = list(config_files())
    said = {release: kafka_says(files, folder / release) for release in judged("producer")}
    texts = sorted({text for every in said.values() for text in every})
    places = {text: place for place, text in enumerate(texts)}
    kept = {
        "files": [(file.kind, file.settings) for file in files],
        "texts": texts,
        "said": {release: [places[text] for text in every] for release, every in said.items()},
    }
    RECORDED.write_bytes(lzma.compress(json.dumps(kept).encode(), preset=9))


if __name__ == "__main__":
    _record(Path(sys.argv[1]))
