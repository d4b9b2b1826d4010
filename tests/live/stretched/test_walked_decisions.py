"""What people decide of two data centres, by the text of topologies.md: what they write is what gates judge by."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from kafka_lab import LabState
from kafka_lab.admin import change_settings, partitions
from kafka_lab.inventory import environment
from support.careful_walker import Hand, Walked, does_nothing
from support.forgetful import Forgetful, Notes, Person, Walker, walkers, wrong
from support.kept_walks import Keep
from support.operators import Operator, completed, under_load

pytestmark = [pytest.mark.live, pytest.mark.thorough, pytest.mark.timeout(1800)]
WITHIN: Final = 120.0  # seconds on a busy machine
ORDER: Final = {
    "consistency": ["durability", "availability", "latency", "throughput"],
    "availability": ["availability", "durability", "latency", "throughput"],
}


@pytest.fixture
def operator(lab: LabState, tmp_path: Path) -> Iterator[Operator]:
    """Somebody at the lab, where numbered records are written and read."""
    with under_load(Operator(lab, tmp_path), lab, WITHIN) as person:
        yield person


class Inventory:
    """What is written down of the lab.

    Attributes:
        said: its entry.
    """

    def __init__(self, lab: LabState, folder: Path) -> None:
        """As the lab has it."""
        self.said: dict[str, Any] = environment(lab)
        self._file, self._name = folder / "environments.yaml", lab.name

    def says(self, params: Mapping[str, Any] | None = None, **fields: Any) -> None:
        """Write it down, with these parameters of topologies.md and these fields."""
        self.said |= fields
        self.said["params"]["topologies/*"] |= params or {}
        self._file.write_text(json.dumps({"environments": {self._name: self.said}}), "utf-8")


@pytest.mark.parametrize("walker", walkers((3, 5), (1,)))
def test_writes_are_to_stand_still_until_somebody_decides(
    operator: Operator, lab: LabState, walker: Walker, notes: Notes, keeps: Keep
) -> None:
    chosen(operator, lab, "consistency", walker(lab), notes, keeps)


@pytest.mark.parametrize("walker", walkers((2,), (4,), (1,)))
def test_writes_are_to_go_on_whatever_that_loses(
    operator: Operator, lab: LabState, walker: Walker, notes: Notes, keeps: Keep
) -> None:
    chosen(operator, lab, "availability", walker(lab), notes, keeps)


def chosen(operator: Operator, lab: LabState, choice: str, person: Person, notes: Notes, keeps: Keep) -> None:
    """Walk it with this choice, where the other one was in force."""
    other = next(one for one in ORDER if one != choice)
    topics = [*partitions(lab)]
    needed = {"min.insync.replicas": "3" if other == "consistency" else "2"}
    change_settings(lab, "topic", dict.fromkeys(topics, needed))
    inventory = Inventory(lab, operator.folder)
    inventory.says({"layout": "3"}, objectives=ORDER[other])
    every_topic: Hand = operator.types(*({"TOPIC": topic} for topic in topics))

    def writes_it_down(commands: Sequence[str]) -> None:
        inventory.says(objectives=ORDER[choice])
        operator.types({"ENVIRONMENT": lab.name})(commands)
        assert " > ".join(ORDER[choice]) in operator.output

    def says_where_votes_are(_: Sequence[str]) -> None:
        inventory.says({"layout": "2"})

    record = person.walks(
        Walked(operator.folder, "topologies#choose-a-failover-strategy", lab.name),
        [
            *(does_nothing, writes_it_down),
            *(every_topic if choice == one else does_nothing for one in ORDER),
            says_where_votes_are,
        ],
    )
    notes(person.lines("topologies#choose-a-failover-strategy"))
    assert completed(record), record.entries[-3:]
    operator.counts()
    keeps(record, f"stretched, {choice} chosen", person.way, person.noticed, operator.ledger)


@pytest.mark.parametrize("left_out", wrong((9,)))
def test_a_topology_is_chosen_and_written_down(
    operator: Operator, lab: LabState, left_out: Sequence[int], notes: Notes, keeps: Keep
) -> None:
    inventory = Inventory(lab, operator.folder)
    inventory.says({"data_centres": ["east", "west", "south"]})

    def draws_what_there_is(commands: Sequence[str]) -> None:
        looks = [f"{command} || test $? -eq 1" for command in commands]  # of two places one has the votes: a finding
        operator.types({"ENVIRONMENT": lab.name})(looks)

    def writes_it_down(_: Sequence[str]) -> None:
        inventory.says({"data_centres": ["east", "west"]})

    person = Forgetful(left_out)
    record = person.walks(
        Walked(operator.folder, "topologies#choose-a-topology", lab.name),
        [draws_what_there_is, *[does_nothing] * 7, writes_it_down],
    )
    notes(person.lines("topologies#choose-a-topology"))
    assert completed(record), record.entries[-3:]
    keeps(record, "stretched, both places on one machine: no round trip to measure", person.way, person.noticed)
