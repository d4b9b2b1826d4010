"""A second group that is kept warm, and takes over: walked by the text of consumers.md, with every record counted."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import pytest

import kafka_lab as labs
from kafka_lab import LabState
from kafka_lab.content import create_topics, delete_topics, values_of
from kafka_lab.recovery import make_whole
from kafka_lab.waiting import wait_until
from support.careful_walker import Walked, does_nothing
from support.forgetful import Notes, Walker, walkers
from support.kept_walks import Keep
from support.numbered_records import GROUP, PARTITIONS, TOPIC
from support.operators import Operator, completed
from support.standby_application import StandbyApplication
from support.two_sites_move import forget, place, positions

pytestmark = [pytest.mark.live, pytest.mark.thorough]
OUTPUT: Final = "numbered-output"
FIRST, SECOND = "counting-a", "counting-b"
ONE: Final = {"min.insync.replicas": "1"}
WORDS: Final = {"ACTIVE_GROUP": FIRST, "GROUP": SECOND, "TOPIC": OUTPUT, "PARTITION": "0"}
WITHIN: Final = 240.0  # seconds on a busy machine
_PRODUCER: Final = re.compile(r"^(\d+)\s+(\d+)\s", re.MULTILINE)


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


def epochs(described: str) -> dict[int, int]:
    """The epoch of each producer, as kafka-transactions.sh describe-producers prints them."""
    return {int(producer): int(epoch) for producer, epoch in _PRODUCER.findall(described)}


@pytest.mark.parametrize("walker", walkers((2,), (4,), (1, 3, 5)))
def test_a_second_group_takes_over_and_each_record_is_written_once(
    operator: Operator, healthy_lab: LabState, walker: Walker, notes: Notes, keeps: Keep
) -> None:
    lab = healthy_lab
    first, second = (StandbyApplication(lab, group, OUTPUT, "the-application") for group in (FIRST, SECOND))
    types = operator.types(WORDS)
    before: list[dict[int, int]] = []

    def deploys(_: Sequence[str]) -> None:
        if not second.runs:
            second.__enter__()
        wait_until(lambda: len(positions(lab, SECOND, TOPIC)) == PARTITIONS, "the second to read", within=WITHIN)

    def compares(commands: Sequence[str]) -> None:
        types(commands)
        before.append(epochs(operator.output))

    def switches(_: Sequence[str]) -> None:
        second.activate(first.deactivate())

    def sees_who_writes(commands: Sequence[str]) -> None:
        types(commands)
        assert before, "nobody looked which epoch it had before"
        [(writer, epoch)] = epochs(operator.output).items()
        if epoch <= before[-1][writer]:
            raise AssertionError(f"producer {writer} still has epoch {epoch}: nobody has taken over")

    first.activate({})  # it begins as the active one: what it had read before, it would not write
    with first:
        wait_until(lambda: operator.ledger.read_of(lab.name), "the output to be read", within=WITHIN)
        try:
            person = walker(healthy_lab)
            record = person.walks(
                Walked(operator.folder, "consumers#keep-a-standby-group", lab.name, words={"GROUP": SECOND}),
                [does_nothing, deploys, compares, switches, sees_who_writes],
            )
            notes(person.lines("consumers#keep-a-standby-group"))
            assert completed(record), record.entries[-3:]
            wait_until(lambda: len(second.written) == PARTITIONS, "the second to write", within=WITHIN)
            operator.counts()
        finally:
            second.__exit__()
    written = Counter(values_of(lab, OUTPUT))  # its readers may read some again as a broker dies
    assert {record: times for record, times in written.items() if times > 1} == {}
    keeps(record, "plain", person.way, person.noticed, operator.ledger)
