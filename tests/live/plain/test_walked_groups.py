"""Procedures on groups and their topics, walked on a real cluster by their own text, with every record counted."""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
import yaml
from confluent_kafka import Producer, TopicPartition

from kafka_lab import LabState
from kafka_lab.admin import partitions, settings
from kafka_lab.waiting import wait_until
from support.careful_walker import Hand, Walked, does_nothing, edited
from support.forgetful import Notes, Walker, walkers
from support.kept_walks import Keep
from support.numbered_records import GROUP, PARTITIONS, TOPIC, Reader, Writer
from support.operators import Operator, at_work, completed
from support.repeating import Interrupted
from support.two_sites_move import ends, positions

pytestmark = [pytest.mark.live, pytest.mark.thorough]
BACK = 50  # records of each partition that are read again
MORE = 6  # partitions
POISON = b"no number"
WAITS, LATE = "error-handling/no-group-waits-at-a-record", 4
"""The check, and the seconds after which a record that is not read is one that can't be: ten minutes by default."""
WITHIN = 240.0  # seconds for a group to settle on a busy machine
NAMED = {"GROUP": GROUP, "TOPIC": TOPIC}


class WriterToMore(Writer):
    """One that writes to the partitions that were added, too."""

    def _write(self) -> None:
        while not self._stop.wait(0.01):
            number = self._ledger.next
            self._ledger.next += 1
            self._producer.produce(TOPIC, str(number).encode(), partition=number % MORE, on_delivery=self._delivered)
            self._producer.poll(0)


@pytest.fixture
def operator(healthy_lab: LabState, tmp_path: Path) -> Iterator[Operator]:
    """Somebody at the lab, where numbered records are written and read."""
    with at_work(healthy_lab, tmp_path) as person:
        yield person


def stops_reading(operator: Operator) -> Hand:
    def stops(commands: Sequence[str]) -> None:
        assert operator.reader is not None
        operator.reader.stop()
        operator.types(NAMED)(commands)

    return stops


@pytest.mark.parametrize("walker", walkers((1, 2, 6), (3,), (4,), (5, 7)))
def test_a_group_is_set_back_by_what_was_counted_before(
    operator: Operator, healthy_lab: LabState, walker: Walker, notes: Notes, keeps: Keep
) -> None:
    lab, person = healthy_lab, walker(healthy_lab)
    walked = Walked(operator.folder, "consumers#reset-offsets", lab.name, words=NAMED)
    counted = set()

    def plans(commands: Sequence[str]) -> None:
        operator.types(NAMED)([re.sub(r"--to-datetime \S+", f"--shift-by -{BACK}", command) for command in commands])

    def counts(commands: Sequence[str]) -> None:
        operator.types(NAMED)(commands)
        lines = [line.split(",") for line in operator.output.split()]
        assert len(lines) == 2 * PARTITIONS
        counted.add(sum(int(old[2]) - int(new[2]) for old, new in zip(lines[::2], lines[1::2], strict=True)))

    def carries_out(commands: Sequence[str]) -> None:
        operator.types(NAMED)(commands)
        walked.pauses({**NAMED, "PLAN": operator.output.strip()})

    def starts_reading(_: Sequence[str]) -> None:
        operator.starts_reading(lab)

    record = person.walks(
        walked,
        [does_nothing, stops_reading(operator), operator.types(NAMED), plans, counts, carries_out, starts_reading],
    )
    notes(person.lines("consumers#reset-offsets"))
    assert completed(record), record.entries[-3:]
    assert counted == {BACK * PARTITIONS}
    operator.counts()
    again = len(operator.ledger.doubled)
    assert again == BACK * PARTITIONS or (isinstance(person, Interrupted) and again > BACK * PARTITIONS)
    keeps(record, "plain", person.way, person.noticed, operator.ledger)


def test_a_group_is_drained_and_ended_with_nothing_left(operator: Operator, healthy_lab: LabState, keeps: Keep) -> None:
    lab = healthy_lab

    def stops_writing(commands: Sequence[str]) -> None:
        assert operator.writer is not None
        operator.writer.stop()
        operator.types(NAMED)(commands)

    types = operator.types(NAMED)
    record = Walked(operator.folder, "consumers#drain-a-group", lab.name, words=NAMED).by(
        [stops_writing, types, stops_reading(operator), types, types]
    )
    assert completed(record), record.entries[-3:]
    assert positions(lab, GROUP, TOPIC) == []
    assert len(operator.ledger.acknowledged) == sum(ends(lab, TOPIC))
    assert (operator.ledger.lost, operator.ledger.doubled) == (set(), set())
    keeps(record, "plain", ledger=operator.ledger)


def test_a_topic_gets_more_partitions_and_each_of_them_a_reader(
    operator: Operator, healthy_lab: LabState, keeps: Keep
) -> None:
    lab, types = healthy_lab, operator.types(NAMED)

    def stops_writing(_: Sequence[str]) -> None:
        assert operator.writer is not None
        operator.writer.stop()

    def sees_that_all_are_read(commands: Sequence[str]) -> None:
        types(commands)
        operator.writer = WriterToMore(operator.ledger, lab)
        operator.writer.__enter__()

    adds = edited(types, (r"--partitions \d+", f"--partitions {MORE}"))
    record = Walked(operator.folder, "consumers#add-partitions", lab.name, words=NAMED).by(
        [types, does_nothing, does_nothing, stops_writing, adds, sees_that_all_are_read]
    )
    assert completed(record), record.entries[-3:]
    wait_until(lambda: len(positions(lab, GROUP, TOPIC)) == MORE, "all partitions to be read", within=WITHIN)
    assert len(partitions(lab)[TOPIC]) == MORE
    operator.counts()
    assert operator.ledger.doubled == set()
    keeps(record, "plain", ledger=operator.ledger)


class ReaderThatStandsStill(Reader):
    """One that tries what it can't take apart again and again, as its own loop catches that."""

    def _read(self) -> None:
        while not self._stop.is_set():
            came = [record for record in self._consumer.consume(200, 0.2) if record.error() is None]
            done: dict[int, int] = {}
            held: dict[int, int] = {}
            for record in came:
                partition, offset = int(record.partition() or 0), int(record.offset() or 0)
                if partition in held:
                    continue
                if record.value() == POISON:
                    held[partition] = offset
                    continue
                self._ledger.worked_on[int(record.value() or b"")] += 1
                done[partition] = offset + 1
            for partition, offset in held.items():
                self._consumer.seek(TopicPartition(TOPIC, partition, offset))
            if done:
                self._commits([TopicPartition(TOPIC, *place) for place in done.items()])
        self._ends()


def stands_at_a_record(operator: Operator, lab: LabState) -> int:
    """Let the group stand at a record that nobody can take apart; gives its offset in partition 0."""
    assert operator.reader is not None
    operator.reader.stop()
    offsets: list[int] = []
    producer = Producer(settings(lab) | {"acks": "all"})
    producer.produce(
        TOPIC, POISON, partition=0, on_delivery=lambda _, record: offsets.append(int(record.offset() or 0))
    )
    assert producer.flush(WITHIN) == 0
    operator.reads_by(ReaderThatStandsStill(operator.ledger, lab, f"^{TOPIC}$"))
    wait_until(lambda: positions(lab, GROUP, TOPIC)[0] == offsets[0], "the group to stand there", within=WITHIN)
    return offsets[0]


@pytest.mark.parametrize("walker", walkers((1, 3, 5), (2, 4, 7), (6,)))
def test_a_record_is_saved_and_skipped_and_no_other(
    operator: Operator, healthy_lab: LabState, walker: Walker, notes: Notes, keeps: Keep
) -> None:
    lab, types, person = healthy_lab, operator.types(NAMED), walker(healthy_lab)
    file = operator.folder / "environments.yaml"
    said = yaml.safe_load(file.read_text("utf-8"))
    said["environments"][lab.name].setdefault("params", {})[WAITS] = {"late": LATE}
    file.write_text(json.dumps(said), "utf-8")
    bad = stands_at_a_record(operator, lab)
    before = positions(lab, GROUP, TOPIC)

    def sees_the_plan(commands: Sequence[str]) -> None:
        moves(commands)
        assert re.search(rf"{GROUP} +{TOPIC} +0 +{bad + 1}\b", operator.output), operator.output

    def moves_while_nobody_reads(commands: Sequence[str]) -> None:
        assert operator.reader is not None
        operator.reader.stop()  # it may run again where this is done belatedly
        moves(commands)

    def starts_reading(_: Sequence[str]) -> None:
        operator.reads_by(ReaderThatStandsStill(operator.ledger, lab, f"^{TOPIC}$"))

    moves, stops = types, stops_reading(operator)
    words = NAMED | {"PARTITION": "0", "OFFSET": str(bad), "NEXT_OFFSET": str(bad + 1)}  # as its cause names them
    record = person.walks(
        Walked(operator.folder, "error-handling#skip-a-record", lab.name, words=words),
        [types, types, stops, sees_the_plan, moves_while_nobody_reads, does_nothing, starts_reading],
    )
    notes(person.lines("error-handling#skip-a-record"))
    assert completed(record), record.entries[-3:]
    saved = (operator.folder / "saved.txt").read_text("utf-8")
    assert (f"Offset:{bad}" in saved, POISON.decode() in saved) == (True, True)
    assert before[0] == bad
    operator.counts()
    assert operator.ledger.doubled == set() or isinstance(person, Interrupted)
    keeps(record, "plain", person.way, person.noticed, operator.ledger)


def test_who_writes_is_found_by_the_requests_of_the_leader(
    operator: Operator, healthy_lab: LabState, keeps: Keep
) -> None:
    lab = healthy_lab
    leader = partitions(lab)[TOPIC][0].leader
    words = {"TOPIC": TOPIC, "ID": str(leader)}
    types, outputs = operator.types(words), []

    def asks_who_may(commands: Sequence[str]) -> None:
        with pytest.raises(AssertionError, match="No Authorizer is configured"):  # as the step says
            types(commands)

    def reads_the_log(commands: Sequence[str]) -> None:
        [broker] = [broker for broker in lab.brokers if broker.number == leader]
        wait_until(lambda: '"PRODUCE"' in lab.log_of(broker).read_text("utf-8"), "requests in the log", within=WITHIN)
        types([command.replace("kafka-request.log", str(lab.log_of(broker))) for command in commands])
        outputs.append(operator.output)

    walked = Walked(operator.folder, "consumers#find-who-writes", lab.name, words=words)
    record = walked.by([types, asks_who_may, types, types, types, reads_the_log, types])
    assert completed(record), record.entries[-3:]
    assert re.search(r'\d+ "clientId":"rdkafka"', outputs[0]), outputs
    operator.counts()
    keeps(record, "plain", ledger=operator.ledger)
