"""Makes `runbook/formats/kafka_settings/facts.json.xz` again: what Kafka's classes define of each setting, by release.

By hand, from the top folder: `PYTHONPATH=checks:tests python -m support.setting_facts FOLDER`. FOLDER/RELEASE holds the
jars of each release, as Maven's `dependency:copy-dependencies` puts them there for kafka_2.13, connect-runtime and
kafka-streams (without rocksdbjni). The Java class is `tests/support/java/SettingFacts.java`.
"""

import json
import lzma
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from runbook.formats.kafka_settings.facts import FACTS
from runbook.formats.release_numbers import numbers
from runbook.java import find_java

_PROGRAM = Path(__file__).with_name("java") / "SettingFacts.java"
_CLASSES: Final = {
    "kafka.server.KafkaConfig": "broker",
    "org.apache.kafka.clients.producer.ProducerConfig": "producer",
    "org.apache.kafka.clients.consumer.ConsumerConfig": "consumer",
    "org.apache.kafka.clients.admin.AdminClientConfig": "admin",
    "org.apache.kafka.connect.runtime.distributed.DistributedConfig": "connect",
    "org.apache.kafka.connect.runtime.standalone.StandaloneConfig": "connect-standalone",
    "org.apache.kafka.streams.StreamsConfig": "streams",
}
_OF_TOPICS: Final = ("kafka.log.LogConfig", "org.apache.kafka.storage.internals.log.LogConfig")  # until 3.4, and since
_MOVED = "3.5.0"

Said = dict[str, dict[str, list[Any]]]
"""Kind -> setting -> its type, default, importance and validator."""


def said_by(release: str, jars: Path) -> Said:
    """What the classes of a release say.

    Raises:
        CalledProcessError: Java ended with an error, as where the jars are not there.
    """
    topics = _OF_TOPICS[numbers(release) >= numbers(_MOVED)]
    classes = _CLASSES | {topics: "topic"}
    words = [str(find_java(17)), "-Xmx256m", "-cp", f"{jars}/*", str(_PROGRAM), *classes]
    done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=800)
    said: Said = {kind: {} for kind in classes.values()}
    for line in done.stdout.splitlines():
        of, name, kind, default, importance, validator = line.split("\t")
        said[classes[of]][name] = [kind, default, importance, json.loads(validator)]
    return said


def joined(by_release: Mapping[str, Said]) -> dict[str, Any]:
    """The same over releases: of each setting the spans of releases in which it is the same."""
    releases = sorted(by_release, key=numbers)
    kinds: dict[str, dict[str, list[list[Any]]]] = {}
    for place, release in enumerate(releases):
        for kind, settings in by_release[release].items():
            for name, facts in settings.items():
                spans = kinds.setdefault(kind, {}).setdefault(name, [])
                if spans and spans[-1][1] == place - 1 and spans[-1][2:] == facts:
                    spans[-1][1] = place
                else:
                    spans.append([place, place, *facts])
    return {"releases": releases, "kinds": kinds}


def made(folder: Path) -> dict[str, Any]:
    """The whole, of the releases whose jars are there."""
    return joined({jars.name: said_by(jars.name, jars) for jars in folder.iterdir()})


if __name__ == "__main__":
    text = json.dumps(made(Path(sys.argv[1])), separators=(",", ":"))
    FACTS.write_bytes(lzma.compress(text.encode(), preset=9))
