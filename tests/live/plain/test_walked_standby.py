"""A second group that is kept warm, and takes over: walked by the text of consumers.md, with every record counted."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import pytest

import kafka_lab as labs
from kafka_lab import LabState
from kafka_lab.content import create_topics, delete_topics
from kafka_lab.recovery import make_whole
from kafka_lab.waiting import wait_until
from support.careful_walker import Walked, does_nothing
from support.forgetful import Forgetful, Notes, wrong
from support.kept_walks import Keep
from support.numbered_records import GROUP, PARTITIONS, TOPIC
from support.operators import Operator, completed
from support.standby_application import StandbyApplication
from support.two_sites_move import forget, place, positions

pytestmark = [pytest.mark.live, pytest.mark.thorough]
OUTPUT: Final = "numbered-output"
FIRST, SECOND = "counting-a", "counting-b"
ONE: Final = {"min.insync.replicas": "1"}
WITHIN: Final = 60.0  # seconds on a busy machine


@pytest.fixture
def operator(healthy_lab: LabState, tmp_path: Path) -> Iterator[Operator]:
    """Somebody at the lab, where numbered records are written, and read in the output of an application."""
    lab = healthy_lab
    inventory = labs.running_inventory(Path(lab.folder).parent)
    assert inventory is not None
    (tmp_path / "environments.yaml").write_bytes(inventory.read_bytes())
    create_topics(lab, {TOPIC: (PARTITIONS, 2, ONE), OUTPUT: (1, 2, ONE)})
    place(lab, GROUP, OUTPUT, [0])
    one = Operator(lab, tmp_path)
    try:
        one.starts_reading(lab, f"^{OUTPUT}$")
        one.starts_writing(lab)
        yield one
    finally:
        one.stops()
        for group in (GROUP, FIRST, SECOND):
            forget(lab, group)
        delete_topics(lab, [TOPIC, OUTPUT])
        make_whole(lab)


@pytest.mark.parametrize("left_out", wrong((2,), (4,)))
def test_a_second_group_takes_over_and_each_record_is_written_once(
    operator: Operator, healthy_lab: LabState, left_out: Sequence[int], notes: Notes, keeps: Keep
) -> None:
    lab = healthy_lab
    first, second = (StandbyApplication(lab, group, OUTPUT, "the-application") for group in (FIRST, SECOND))

    def deploys(_: Sequence[str]) -> None:
        second.__enter__()
        wait_until(lambda: len(positions(lab, SECOND, TOPIC)) == PARTITIONS, "the second to read", within=WITHIN)

    def compares(commands: Sequence[str]) -> None:
        named = [
            command.replace("--group A", f"--group {FIRST}").replace("--group B", f"--group {SECOND}")
            for command in commands
        ]
        operator.types()(named)

    def switches(_: Sequence[str]) -> None:
        second.activate(first.deactivate())

    with first:
        first.activate({})
        wait_until(lambda: operator.ledger.read_of(lab.name), "the output to be read", within=WITHIN)
        try:
            person = Forgetful(left_out)
            record = person.walks(
                Walked(operator.folder, "consumers#keep-a-standby-group", lab.name),
                [does_nothing, deploys, compares, switches, operator.types({"TOPIC": OUTPUT, "PARTITION": "0"})],
            )
            notes(person.lines("consumers#keep-a-standby-group"))
            assert completed(record), record.entries[-3:]
            if 4 not in left_out:
                wait_until(lambda: len(second.written) == PARTITIONS, "the second to write", within=WITHIN)
            operator.counts()
        finally:
            second.__exit__()
    assert operator.ledger.doubled == set()
    assert set(person.unnoticed) <= {4}  # nobody sees a switch that was put off: the first writes on
    keeps(record, "plain", person.way, person.noticed, operator.ledger)
