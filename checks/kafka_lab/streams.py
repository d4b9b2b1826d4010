"""Kafka's own word count, a small Streams application that comes with it, in groups of both protocols.

Its state is kept in memory, so that RocksDB, by far its largest part, need not be fetched.
"""

from pathlib import Path
from typing import Any, Final

from kafka_lab.jars import KAFKA_VERSION, Jar, Wanted
from kafka_lab.state import LabState

JARS: Final = Wanted(
    f"Kafka Streams {KAFKA_VERSION} and its word count",
    f"kafka-streams-{KAFKA_VERSION}",
    "3 MB",
    (
        Jar("org.apache.kafka", "kafka-streams-examples", KAFKA_VERSION, transitive=False),
        Jar("org.apache.kafka", "kafka-streams", KAFKA_VERSION, transitive=False),
    ),
)
MAIN: Final = "org.apache.kafka.streams.examples.wordcount.WordCountDemo"
READS: Final = "streams-plaintext-input"
"""The topic that it reads; the names are its own."""
WRITES: Final = "streams-wordcount-output"
PARTITIONS: Final = 2
GROUPS: Final = {"words": "streams", "words-classic": "classic"}
"""Application id, which is the group's, → protocol of the group."""
_SETTINGS: Final[dict[str, Any]] = {
    "replication.factor": 3,
    "commit.interval.ms": 1000,
    "dsl.store.suppliers.class": "org.apache.kafka.streams.state.BuiltInDslStoreSuppliers$InMemoryDslStoreSuppliers",
    "topic.segment.bytes": 104857600,
}


def settings_file(lab: LabState, group: str) -> Path:
    """Write the settings of one of the applications."""
    own = {
        "application.id": group,
        "bootstrap.servers": lab.bootstrap,
        "group.protocol": GROUPS[group],
        "state.dir": str(Path(lab.folder, "data", group)),
    }
    file = Path(lab.folder, f"{group}.properties")
    file.write_text("".join(f"{name}={value}\n" for name, value in (own | _SETTINGS).items()), "utf-8")
    return file
