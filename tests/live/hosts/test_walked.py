"""os-hardware.md walked on brokers in hosts of their own, by its own text."""

import json
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from kafka_lab import LabState
from kafka_lab.inventory import environment
from support.careful_walker import Hand, Walked
from support.evidence.labs import Labs
from support.forgetful import Forgetful, Notes, wrong
from support.kept_walks import Keep
from support.operators import Operator, completed

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
