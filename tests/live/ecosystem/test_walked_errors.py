"""error-handling.md walked on real Connect workers and a real cluster, by its own text, with every record counted."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import Consumer, Producer, TopicPartition

from kafka_lab import LabState, connect, rights
from kafka_lab.admin import end_offsets, settings
from kafka_lab.content import create_topics, delete_topics, write_records
from kafka_lab.waiting import wait_until
from support.careful_walker import Walked, does_nothing
from support.ecosystem.at_work import operator as somebody
from support.forgetful import Notes, Walker, walkers
from support.kept_walks import Keep
from support.numbered_records import GROUP, PARTITIONS, TOPIC, Ledger, Reader, Writer
from support.operators import Operator, completed
from support.two_sites_move import forget, place

pytestmark = [pytest.mark.live, pytest.mark.thorough]
NAME = "crates-archive"
CRATES = "crates"
LETTERS = f"{CRATES}.dlq"
REPLAY = "replay-of-crates"
COUNT = 12
SAFE = {"min.insync.replicas": "2"}
OF_LETTERS = SAFE | {"retention.ms": str(30 * 86_400_000), "message.timestamp.type": "LogAppendTime"}
SET_ASIDE = f"{TOPIC}.dlq"
WITHIN = 240.0


@pytest.fixture
def crates(ecosystem: LabState, tmp_path: Path) -> Iterator[Path]:
    """A topic whose records a sink is to write to a file in a folder that is not there; all gone in the end."""
    create_topics(ecosystem, {CRATES: (1, 3, SAFE), LETTERS: (1, 3, OF_LETTERS)})
    try:
        yield tmp_path / "not-there" / "crates.txt"
    finally:
        connect.retire_connector(ecosystem, NAME)
        delete_topics(ecosystem, [CRATES, LETTERS])


def archived(file: Path) -> Counter[int]:
    """How often each number stands in what a sink wrote."""
    text = file.read_text("utf-8") if file.exists() else ""
    return Counter(int(number) for number in re.findall(r"crate\D+(\d+)", text))


@pytest.mark.parametrize("walker", walkers((2,), (1, 3, 4)))
def test_a_task_is_restarted_when_its_cause_is_mended(
    ecosystem: LabState, crates: Path, tmp_path: Path, walker: Walker, notes: Notes, keeps: Keep
) -> None:
    connect.configure(ecosystem, NAME, connect.sink(CRATES, crates))
    write_records(ecosystem, CRATES, [f'{{"crate": {number}}}' for number in range(COUNT)])
    connect.wait_for_state(ecosystem, NAME, "FAILED")
    words = {"NAME": NAME}
    operator = somebody(ecosystem, tmp_path)
    types = operator.types(words)

    def mends(commands: Sequence[str]) -> None:
        types(commands)
        crates.parent.mkdir(exist_ok=True)

    person = walker(ecosystem)
    record = person.walks(
        Walked(tmp_path, "error-handling#restart-a-failed-task", ecosystem.name, words=words),
        [types, mends, types, types],
    )
    notes(person.lines("error-handling#restart-a-failed-task"))
    assert completed(record), record.entries[-3:]
    wait_until(lambda: len(archived(crates)) == COUNT, "the records to be written", within=WITHIN)
    assert set(archived(crates).values()) == {1}
    assert "NoSuchFileException" in (tmp_path / "trace.txt").read_text("utf-8") or 1 in person.steps
    keeps(record, "ecosystem", person.way, person.noticed)


def replays(lab: LabState, up_to: int) -> None:
    """Write letters to where they came from, as the procedure says: header, acknowledgement, commit."""
    reader = Consumer(
        settings(lab) | {"group.id": REPLAY, "auto.offset.reset": "earliest", "enable.auto.commit": False}
    )
    writer = Producer(settings(lab) | {"acks": "all"})
    reader.subscribe([LETTERS])
    try:
        [begins] = reader.committed([TopicPartition(LETTERS, 0)])
        place = begins.offset
        while place < up_to:
            for record in (each for each in reader.consume(100, 1.0) if each.error() is None):
                writer.produce(
                    CRATES, record.value(), record.key(), headers=[*(record.headers() or []), ("dlq.replays", b"1")]
                )
                place = int(record.offset() or 0) + 1
            assert writer.flush(WITHIN) == 0
            if place > begins.offset:
                reader.commit(offsets=[TopicPartition(LETTERS, 0, place)], asynchronous=False)
    finally:
        reader.close()


@pytest.mark.parametrize("walker", walkers((1,), (5, 7), (2, 3), (4, 6)))
def test_letters_are_replayed_once_their_cause_is_mended(
    ecosystem: LabState, crates: Path, tmp_path: Path, walker: Walker, notes: Notes, keeps: Keep
) -> None:
    crates.parent.mkdir()
    text = {"value.converter": "org.apache.kafka.connect.storage.StringConverter"}
    sink = connect.sink(CRATES, crates) | {
        "errors.tolerance": "all",
        "errors.deadletterqueue.topic.name": LETTERS,
        "errors.deadletterqueue.topic.replication.factor": "3",
        "errors.deadletterqueue.context.headers.enable": "true",
    }
    connect.put_connector(ecosystem, NAME, sink)
    write_records(ecosystem, CRATES, [f"crate {number}, by hand" for number in range(COUNT)])
    wait_until(lambda: end_offsets(ecosystem, LETTERS) == COUNT, "letters to arrive", within=WITHIN)
    words = {"TOPIC": LETTERS, "GROUP": REPLAY, "PARTITION": "0"}
    operator = somebody(ecosystem, tmp_path)
    types = operator.types(words)

    def mends(_: Sequence[str]) -> None:
        connect.change_connector(ecosystem, NAME, {**sink, **text})

    def sorts(commands: Sequence[str]) -> None:
        types(commands)
        assert re.search(rf"{COUNT} __connect.errors.topic:{CRATES}", operator.output), operator.output

    def brings_back(_: Sequence[str]) -> None:
        replays(ecosystem, end_offsets(ecosystem, LETTERS))

    def deletes(commands: Sequence[str]) -> None:
        operator.types({**words, "OFFSET": str(end_offsets(ecosystem, LETTERS))})(commands)

    person = walker(ecosystem)
    record = person.walks(
        Walked(tmp_path, "error-handling#replay-dead-letters", ecosystem.name, words=words),
        [mends, types, types if person.steps else sorts, does_nothing, brings_back, types, deletes],
    )
    notes(person.lines("error-handling#replay-dead-letters"))
    assert completed(record), record.entries[-3:]
    wait_until(lambda: len(archived(crates)) == COUNT, "the letters to be written", within=WITHIN)
    forget(ecosystem, REPLAY)
    assert set(archived(crates).values()) == {1}
    keeps(record, "ecosystem", person.way, person.noticed)


class ReaderThatSetsAside(Reader):
    """An application that writes what it can't take apart to a topic for that, if it was given one, or stands there."""

    def __init__(self, ledger: Ledger, lab: LabState, letters: str = "") -> None:
        self._letters = letters
        self._sent = Producer(settings(lab) | {"acks": "all"})
        super().__init__(ledger, lab, f"^{TOPIC}$")

    def _read(self) -> None:
        while not self._stop.is_set():
            stands: set[int] = set()
            for record in (each for each in self._consumer.consume(200, 0.2) if each.error() is None):
                partition, offset = int(record.partition() or 0), int(record.offset() or 0)
                if partition in stands:
                    continue
                value = record.value() or b""
                if value.isdigit():
                    self._ledger.worked_on[int(value)] += 1
                elif self._letters:
                    self._sent.produce(self._letters, value, headers=[("dlq.topic", TOPIC.encode())])
                    assert self._sent.flush(WITHIN) == 0
                else:
                    stands.add(partition)
                    self._consumer.seek(TopicPartition(TOPIC, partition, offset))
                    continue
                self._commits([TopicPartition(TOPIC, partition, offset + 1)])
        self._ends()


Declares = Callable[[Mapping[str, Any]], None]


@pytest.fixture
def application(ecosystem: LabState, tmp_path: Path) -> Iterator[Operator]:
    """Somebody at the lab, where plain numbers are written and read by an application without a way out."""
    create_topics(ecosystem, {TOPIC: (PARTITIONS, 3, SAFE)})
    place(ecosystem, GROUP, TOPIC, [0] * PARTITIONS)
    person = somebody(ecosystem, tmp_path)
    may = [rights.Right("billing", "topic", SET_ASIDE, what) for what in ("write", "describe")]
    try:
        person.reader = ReaderThatSetsAside(person.ledger, ecosystem).__enter__()
        person.writer = Writer(person.ledger, ecosystem).__enter__()
        wait_until(lambda: person.ledger.read_of(ecosystem.name), "numbered records to be worked on", within=WITHIN)
        yield person
    finally:
        person.stops()
        forget(ecosystem, GROUP)
        rights.disallow(ecosystem, may)
        delete_topics(ecosystem, [TOPIC, SET_ASIDE])


@pytest.mark.parametrize("walker", walkers((2, 6), (1, 3, 7), once=(2,)))
def test_an_application_gets_a_way_out_and_nothing_is_lost(
    application: Operator, ecosystem: LabState, walker: Walker, notes: Notes, keeps: Keep
) -> None:
    words = {"TOPIC": TOPIC, "LETTERS": SET_ASIDE, "NAME": "billing"}
    types = application.types(words)
    file = application.folder / "environments.yaml"

    def says(check: str, name: str, value: str) -> None:
        document = json.loads(file.read_text("utf-8"))
        params = document["environments"][ecosystem.name]["params"]
        params[check][name] = sorted({*params[check][name], value})
        file.write_text(json.dumps(document), "utf-8")

    def chooses(_: Sequence[str]) -> None:
        says("error-handling/sources-have-dead-letter-topics", "sources", TOPIC)

    def deploys_and_breaks(commands: Sequence[str]) -> None:
        assert application.reader is not None
        application.reader.stop()
        application.reader = ReaderThatSetsAside(application.ledger, ecosystem, SET_ASIDE).__enter__()
        types(commands)
        assert "no json at all" in application.output

    def writes_the_alert(_: Sequence[str]) -> None:
        says("error-handling/dead-letters-are-watched", "alerted", SET_ASIDE)

    person = walker(ecosystem)
    record = person.walks(
        Walked(application.folder, "error-handling#introduce-error-handling", ecosystem.name, words=words),
        [chooses, types, types, does_nothing, does_nothing, deploys_and_breaks, writes_the_alert],
    )
    notes(person.lines("error-handling#introduce-error-handling"))
    assert completed(record), record.entries[-3:]
    application.counts()
    keeps(record, "ecosystem", person.way, person.noticed, application.ledger)
