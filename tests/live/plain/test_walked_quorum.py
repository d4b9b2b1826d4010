"""A quorum that lost its majority and gets it back: dr.md walked by its text, under load as far as writes go on."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import pytest

from kafka_lab import LabState
from kafka_lab.processes import terminate
from kafka_lab.recovery import revive
from kafka_lab.state import LabBroker
from support.careful_walker import Hand, Walked
from support.evidence.labs import kafka_lab
from support.forgetful import Notes, Walker, walkers
from support.kept_walks import Keep
from support.operators import Operator, at_own_lab, completed, with_numbered_topic
from support.quorum_state import wait_until_it_resigns

pytestmark = [pytest.mark.live, pytest.mark.thorough, pytest.mark.timeout(1800)]
WITHIN: Final = 120.0  # seconds on a busy machine


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[LabState]:
    """A lab of its own, whose brokers are its controllers too."""
    with kafka_lab("quorum", tmp_path / "labs", []) as started:
        yield with_numbered_topic(started)


@pytest.fixture
def operator(lab: LabState, tmp_path: Path) -> Iterator[Operator]:
    """Somebody at the lab, where numbered records are written and read as long as brokers take them."""
    with at_own_lab(lab, tmp_path, WITHIN) as person:
        yield person


def starts(lab: LabState, broker: LabBroker) -> Hand:
    """A hand that starts a controller, with the disk that it has."""

    def acts(_: Sequence[str]) -> None:
        revive(lab, {broker.number})

    return acts


@pytest.mark.parametrize("walker", walkers((1, 2), (3,)))
def test_a_vote_comes_back_before_anybody_forces_anything(
    operator: Operator, lab: LabState, walker: Walker, notes: Notes, keeps: Keep
) -> None:
    lives, first, second = lab.brokers
    for broker in (first, second):
        terminate(broker.process, patience=0)
    wait_until_it_resigns(lab.data_of(lives), lives.number)

    def reads_its_disk(commands: Sequence[str]) -> None:
        operator.types()([command.replace("/var/lib/kafka", str(lab.data_of(lives))) for command in commands])
        assert "CreateTime" in operator.output

    def starts_the_other_and_looks(commands: Sequence[str]) -> None:
        starts(lab, second)(commands)
        operator.types({"HOST:PORT": lives.address})(commands)

    person = walker(lab)
    record = person.walks(
        Walked(operator.folder, "dr#bring-a-quorum-back", lab.name),
        [reads_its_disk, starts(lab, first), starts_the_other_and_looks],
    )
    notes(person.lines("dr#bring-a-quorum-back"))
    assert completed(record), record.entries[-3:]
    operator.counts()
    keeps(record, "plain", person.way, person.noticed, operator.ledger)
