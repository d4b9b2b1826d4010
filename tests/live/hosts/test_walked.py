"""os-hardware.md and what clocks decide, walked on brokers in hosts of their own, by the text."""

import json
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from kafka_lab import LabState
from kafka_lab.inventory import environment
from support.careful_walker import Hand, Walked, does_nothing
from support.evidence.labs import Labs
from support.forgetful import Forgetful, Notes, wrong
from support.kept_walks import Keep
from support.operators import Operator, at_work, completed
from support.sorting_reader import InOrder, reads_in_order

pytestmark = [pytest.mark.live, pytest.mark.thorough]


@pytest.fixture
def lab(running: Labs) -> LabState:
    """Brokers in hosts that are reached over SSH; nothing of them is changed."""
    up = running.of("hosts")
    assert isinstance(up, LabState)
    return up


@pytest.mark.parametrize("left_out", wrong((1, 2, 3)))
def test_memory_maps_are_counted(
    lab: LabState, tmp_path: Path, left_out: Sequence[int], notes: Notes, keeps: Keep
) -> None:
    (tmp_path / "environments.yaml").write_text(json.dumps({"environments": {"lab": environment(lab)}}), "utf-8")
    operator, broker = Operator(lab, tmp_path), lab.brokers[0]
    assert broker.process is not None
    types: Hand = operator.types({"PID": str(broker.process.pid), "LOG_DIR": os.fspath(lab.data_of(broker))})
    counted: list[int] = []

    def counts(commands: Sequence[str]) -> None:
        types(commands)
        counted.append(int(operator.output.split()[0]))

    person = Forgetful(left_out)
    record = person.walks(
        Walked(operator.folder, "os-hardware#count-memory-maps", "lab"),
        [counts, counts, counts],
    )
    notes(person.lines("os-hardware#count-memory-maps"))
    assert completed(record), record.entries[-3:]
    assert left_out or counted[0] > counted[1] > 0  # maps are of index files, libraries and more
    keeps(record, "hosts", person.way, person.noticed)


def test_records_of_several_partitions_are_put_in_order(lab: LabState, tmp_path: Path, keeps: Keep) -> None:
    told: list[InOrder] = []

    def reads(_: Sequence[str]) -> None:
        told.append(reads_in_order(lab, 20.0))

    def counts_what_came_late(_: Sequence[str]) -> None:
        assert told[0].late == 0

    with at_work(lab, tmp_path) as operator:
        record = Walked(tmp_path, "consumers#put-records-in-order", lab.name).by(
            [does_nothing, does_nothing, reads, counts_what_came_late]
        )
        assert completed(record), record.entries[-3:]
        assert len(told[0].stamps) > 500
        assert told[0].stamps == sorted(told[0].stamps)
        assert told[0].arrived != sorted(told[0].arrived)  # or there was nothing to do
        operator.counts()
        keeps(record, "hosts, by a reader of the test", ledger=operator.ledger)
