"""Procedures on a group, walked on a real cluster by their own text, with every record counted."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from kafka_lab import LabState
from support.careful_walker import Hand, Walked, does_nothing
from support.numbered_records import GROUP, PARTITIONS, TOPIC
from support.operators import Operator, at_work, completed
from support.two_sites_move import ends, positions

pytestmark = [pytest.mark.live, pytest.mark.thorough]
BACK = 50  # records of each partition that are read again
NAMED = {"GROUP": GROUP, "TOPIC": TOPIC}


@pytest.fixture
def operator(healthy_lab: LabState, tmp_path: Path) -> Iterator[Operator]:
    """Somebody at the lab, where numbered records are written and read."""
    with at_work(healthy_lab, tmp_path) as one:
        yield one


def stops_reading(operator: Operator) -> Hand:
    def stops(commands: Sequence[str]) -> None:
        assert operator.reader is not None
        operator.reader.stop()
        operator.types(NAMED)(commands)

    return stops


def test_a_group_is_set_back_by_what_was_counted_before(operator: Operator, healthy_lab: LabState) -> None:
    lab = healthy_lab
    walked = Walked(operator.folder, "consumers#reset-offsets", lab.name, words=NAMED)
    counted = []

    def plans(commands: Sequence[str]) -> None:
        operator.types(NAMED)([re.sub(r"--to-datetime \S+", f"--shift-by -{BACK}", one) for one in commands])

    def counts(commands: Sequence[str]) -> None:
        operator.types(NAMED)(commands)
        lines = [line.split(",") for line in operator.told.split()]
        assert len(lines) == 2 * PARTITIONS
        counted.append(sum(int(old[2]) - int(new[2]) for old, new in zip(lines[::2], lines[1::2], strict=True)))

    def carries_out(commands: Sequence[str]) -> None:
        operator.types(NAMED)(commands)
        walked.pauses({**NAMED, "PLAN": operator.told.strip()})

    def starts_reading(_: Sequence[str]) -> None:
        operator.starts_reading(lab)

    record = walked.by(
        [does_nothing, stops_reading(operator), operator.types(NAMED), plans, counts, carries_out, starts_reading]
    )
    assert completed(record), record.entries[-3:]
    assert counted == [BACK * PARTITIONS]
    operator.counts()
    assert len(operator.ledger.doubled) == BACK * PARTITIONS


def test_a_group_is_drained_and_ended_with_nothing_left(operator: Operator, healthy_lab: LabState) -> None:
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
