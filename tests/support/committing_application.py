"""An application that commits what it has done, and no more: a process of its own, which can be killed in mid-batch."""

import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Final, Self

from confluent_kafka import Consumer, TopicPartition

from kafka_lab import LabState

BATCH: Final = 100
EVERY: Final = 30
"""Records after which it commits within a batch; the rest of a batch is committed after it."""


class CommittingApplication:
    """It runs as a process, works on records one by one and says so after each.

    Attributes:
        file: what it said, a line for each record: partition, offset and value.
    """

    def __init__(self, lab: LabState, settings: Path, group: str, topic: str, file: Path) -> None:
        """Not started yet; it has the settings of a client's file."""
        self.file = file
        self._words = [lab.bootstrap, str(settings), group, topic]
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        with self.file.open("ab") as output:
            self._process = subprocess.Popen(
                [sys.executable, __file__, *self._words], stdout=output, stdin=subprocess.DEVNULL
            )
        return self

    def __exit__(self, *_: object) -> None:
        self._ends(signal.SIGTERM)

    def is_killed(self) -> None:
        """End it as a machine does that loses its power."""
        self._ends(signal.SIGKILL)

    def done(self) -> dict[int, int]:
        """Partition → the offset of the last record that it has worked on."""
        found: dict[int, int] = {}
        for partition, offset, _ in self._lines():
            found[partition] = max(offset, found.get(partition, -1))
        return found

    def worked_on(self) -> Counter[int]:
        """The number of each record that it has worked on, and how often."""
        return Counter(number for _, _, number in self._lines())

    def _ends(self, by: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(by)
        self._process.wait(60)

    def _lines(self) -> list[tuple[int, int, int]]:
        whole = self.file.read_text("ascii").rpartition("\n")[0].splitlines()  # it may be cut off in its last line
        return [(int(partition), int(offset), int(number)) for partition, offset, number in map(str.split, whole)]


def main(servers: str, settings: str, group: str, topic: str) -> None:
    """Work until it is told to end."""
    from runbook.formats.java_properties import read_properties

    said = {entry.name: entry.value for entry in read_properties(Path(settings).read_text("utf-8"))}
    consumer = Consumer(said | {"bootstrap.servers": servers, "group.id": group})
    ended: list[bool] = []
    signal.signal(signal.SIGTERM, lambda *_: ended.append(True))
    done: dict[int, int] = {}

    def commits(*_: object) -> None:
        if done:
            offsets = [TopicPartition(topic, partition, offset + 1) for partition, offset in done.items()]
            consumer.commit(offsets=offsets, asynchronous=False)
            done.clear()

    consumer.subscribe([topic], on_revoke=commits)
    try:
        while not ended:
            batch = [record for record in consumer.consume(BATCH, 0.2) if record.error() is None]
            for count, record in enumerate(batch, 1):
                partition, offset, value = record.partition(), record.offset(), record.value()
                assert partition is not None
                assert offset is not None
                assert value is not None
                sys.stdout.write(f"{partition} {offset} {int(value)}\n")
                sys.stdout.flush()
                done[partition] = offset
                if count % EVERY == 0:
                    commits()
            commits()
    finally:
        commits()
        consumer.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
