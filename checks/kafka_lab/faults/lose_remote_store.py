"""Takes the remote store of tiered storage away while a topic is written to and read. Needs tiered."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from kafka_lab import processes, tools
from kafka_lab.content import write_ballast
from kafka_lab.parts import tiered
from kafka_lab.state import LabState
from kafka_lab.waiting import wait_until

SEEN_IN = "capacity"

_WITHIN: Final = 120.0


def inject(lab: LabState) -> None:
    """Put a file where the folder was, write more than a segment to each partition, and read it from the beginning."""
    store, away = _places(lab)
    if store.is_dir():
        store.rename(away)
        store.touch()
    write_ballast(lab, tiered.TOPIC, [*range(tiered.PARTITIONS)], 2 * tiered.SEGMENT)
    tiered.stop(lab, lab.parts[tiered.PART])  # what an earlier try has left
    _start_reading(lab)


def heal(lab: LabState) -> None:
    """Bring the folder back; return when all is uploaded. The reader goes on by itself."""
    if tiered.PART not in lab.parts:
        return
    store, away = _places(lab)
    if away.is_dir():
        store.unlink(missing_ok=True)
        away.rename(store)
    wait_until(lambda: tiered.uploaded(lab), "the upload of what waited", within=_WITHIN)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether there is no folder, and closed segments wait."""
    tiered.required(lab)
    store, _ = _places(lab)
    return {
        "the remote store is gone": not store.is_dir(),
        "closed segments are not uploaded": not tiered.uploaded(lab),
    }


def _places(lab: LabState) -> tuple[Path, Path]:
    tiered.required(lab)
    store = Path(lab.parts[tiered.PART]["store"])
    return store, store.with_name(f"{store.name}.away")


def _start_reading(lab: LabState) -> None:
    """Read the topic from its beginning, as a new consumer does; it asks again and again while it gets nothing."""
    asks = ["--bootstrap-server", lab.bootstrap, "--topic", tiered.TOPIC, "--from-beginning"]
    reader = processes.start(
        [*tools.java_of(lab, "kafka-console-consumer.sh"), *asks],
        output=Path(lab.folder, "logs", "archive-reader.out"),
        folder=Path(lab.folder),
    )
    lab.parts[tiered.PART]["reader"] = msgspec.to_builtins(reader)
    lab.save()
