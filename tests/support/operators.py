"""Who walks a procedure in a test: types what is shown, starts and stops applications, and has every record counted."""

import logging
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import kafka_lab as labs
from kafka_lab import LabState
from kafka_lab.content import create_topics, delete_topics
from kafka_lab.recovery import bring_back
from kafka_lab.tools import write_tools
from kafka_lab.waiting import wait_until
from runbook.procedure.walk_record import Ended, Judged, Record
from support.careful_walker import Hand, types
from support.lost_records import told_of_lost
from support.numbered_records import GROUP, PARTITIONS, TOPIC, Ledger, Reader, Writer, settled
from support.two_sites_move import forget, place

_LOG = logging.getLogger(__name__)
_GETS_ON, _COMES_THROUGH = 60.0, 60.0  # seconds; a busy machine takes its time


class Operator:
    """Who walks, with Kafka's tools on the path of a folder that has an inventory.

    Attributes:
        folder: where it all happens.
        ledger: what was acknowledged, and what was worked on.
        path: the folder with Kafka's tools.
        writer: the producers, while they run.
        reader: the consumers, while they run.
        output: what the command that was typed last printed.
    """

    def __init__(self, lab: LabState, folder: Path) -> None:
        """Nothing runs yet."""
        self.folder = folder
        self.ledger = Ledger()
        self.path = write_tools(lab, folder / "bin")
        self.writer: Writer | None = None
        self.reader: Reader | None = None
        self.output = ""

    def types(self, *fillings: dict[str, str]) -> Hand:
        """Run the commands that a step shows."""
        return types(self.folder, self.path, *fillings, reads=self._reads)

    def counts(self) -> None:
        """Stop the applications, which get on to the last: each acknowledged record was worked on.

        Raises:
            AssertionError: one was lost.
        """
        ledger, before = self.ledger, len(self.ledger.acknowledged)
        wait_until(lambda: len(ledger.acknowledged) > before, "records to be acknowledged still", within=_GETS_ON)
        assert self.writer is not None
        self.writer.stop()
        settled(ledger, _COMES_THROUGH)
        self.stops()
        counts = (len(ledger.acknowledged), len(ledger.lost), len(ledger.doubled))
        _LOG.info("%s acknowledged, %s lost, %s worked on twice", *counts)
        assert not ledger.lost, told_of_lost(ledger)

    def _reads(self, output: str) -> None:
        self.output = output

    def starts_writing(self, lab: LabState) -> None:
        """Start the producers at a cluster; those of before have ended by then."""
        if self.writer is not None:
            self.writer.stop()
        self.writer = Writer(self.ledger, lab)
        self.writer.__enter__()

    def starts_reading(self, lab: LabState, pattern: str = f"^{TOPIC}$") -> None:
        """Start the consumers at a cluster, with a subscription."""
        self.reads_by(Reader(self.ledger, lab, pattern))

    def reads_by(self, reader: Reader) -> None:
        """Start these consumers; those of before have ended by then."""
        if self.reader is not None:
            self.reader.stop()
        self.reader = reader
        reader.__enter__()

    def stops(self) -> None:
        """Stop all applications."""
        for reader in (self.writer, self.reader):
            if reader is not None:
                reader.stop()


@contextmanager
def at_work(lab: LabState, folder: Path) -> Iterator[Operator]:
    """Somebody at a lab, where numbered records are written and read in a topic of two copies; gone in the end."""
    inventory = labs.running_inventory(Path(lab.folder).parent)
    assert inventory is not None
    (folder / "environments.yaml").write_bytes(inventory.read_bytes())
    create_topics(lab, {TOPIC: (PARTITIONS, 2, {"min.insync.replicas": "1"})})
    place(lab, GROUP, TOPIC, [0] * PARTITIONS)
    try:
        with under_load(Operator(lab, folder), lab) as person:
            yield person
    finally:
        bring_back(lab)
        forget(lab, GROUP)
        delete_topics(lab, [TOPIC])


def with_numbered_topic(lab: LabState, copies: int = 3) -> LabState:
    """A lab of the test's own, once it has the topic of numbered records, and their group stands at its beginning.

    One copy less than there are is needed for a write.
    """
    create_topics(lab, {TOPIC: (PARTITIONS, copies, {"min.insync.replicas": str(copies - 1)})})
    place(lab, GROUP, TOPIC, [0] * PARTITIONS)
    return lab


@contextmanager
def under_load(person: Operator, lab: LabState, within: float = _GETS_ON) -> Iterator[Operator]:
    """Who walks, where numbered records are written and read, and are worked on within so many seconds."""
    try:
        person.starts_reading(lab)
        person.starts_writing(lab)
        wait_until(lambda: person.ledger.read_of(lab.name), "the numbered records to be worked on", within=within)
        yield person
    finally:
        person.stops()


@contextmanager
def at_own_lab(lab: LabState, folder: Path, within: float = _GETS_ON) -> Iterator[Operator]:
    """Somebody at a lab of the test's own, with its inventory in a folder, as numbered records are written and read."""
    shutil.copy(Path(lab.folder, "environments.yaml"), folder)
    with under_load(Operator(lab, folder), lab, within) as person:
        yield person


def gates(record: Record) -> list[Judged]:
    """What the gates of a walk saw, in their order."""
    return [entry for entry in record.entries if isinstance(entry, Judged)]


def completed(record: Record) -> bool:
    """Whether it was walked to its end with every gate open at last."""
    last = record.entries[-1]
    return record.fault is None and isinstance(last, Ended) and last.outcome == "completed"
