"""A data centre lost and brought back, and a third place for a vote: topologies.md walked by its text, under load."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import pytest

import kafka_lab as labs
from kafka_lab import LabState
from kafka_lab.admin import partitions
from kafka_lab.inventory import environment
from kafka_lab.parts.stretched import SITES
from kafka_lab.recovery import revive
from kafka_lab.state import known
from kafka_lab.waiting import wait_for_brokers
from support.added_nodes import added_nodes
from support.careful_walker import Hand, Walked, does_nothing, types
from support.forgetful import Notes, Walker, walkers, ways
from support.kept_walks import Keep
from support.operators import Operator, at_own_lab, completed

pytestmark = [pytest.mark.live, pytest.mark.thorough, pytest.mark.timeout(1800)]
WITHIN: Final = 120.0  # seconds on a busy machine
LOST: Final = "lose-data-centre"
WEST: Final = "west-"
THIRD, LEAVES = 5, 3
"""The node that votes in the third place, and one of east that loses its vote."""


@pytest.fixture
def operator(lab: LabState, tmp_path: Path) -> Iterator[Operator]:
    """Somebody at the lab, where numbered records are written and read in a topic with two copies in each place."""
    with at_own_lab(lab, tmp_path, WITHIN) as person:
        yield person


@pytest.mark.parametrize(("onwards", "back"), ways(((4,), (1, 4)), ((1, 3, 6), (2, 5)), ((2, 5), (3,))))
def test_a_data_centre_is_lost_and_brought_back(
    operator: Operator, lab: LabState, onwards: Walker, back: Walker, notes: Notes, keeps: Keep
) -> None:
    home = Path(lab.folder).parent
    every_topic: Hand = operator.types(*({"TOPIC": topic} for topic in partitions(lab)))
    labs.break_(lab.name, LOST, home=home)
    now = known(lab.name, home)

    person = onwards(now)
    record = person.walks(
        Walked(operator.folder, "topologies#go-on-with-one-data-centre", lab.name),
        [does_nothing, does_nothing, does_nothing, every_topic, does_nothing, operator.types()],
    )
    notes(person.lines("topologies#go-on-with-one-data-centre"))
    assert completed(record), record.entries[-3:]
    operator.counts()
    keeps(record, "stretched", person.way, person.noticed, operator.ledger)
    operator.starts_reading(lab)
    operator.starts_writing(lab)

    def starts(*, controllers: bool) -> Hand:
        def acts(_: Sequence[str]) -> None:
            west = [broker.number for broker in now.brokers if broker.rack.startswith(WEST)]
            revive(now, {number for number in west if (number <= 3) == controllers})
            if not controllers:
                wait_for_brokers(now)

        return acts

    person = back(now)
    record = person.walks(
        Walked(operator.folder, "topologies#bring-a-data-centre-back", lab.name),
        [starts(controllers=True), starts(controllers=False), does_nothing, every_topic, operator.types()],
    )
    notes(person.lines("topologies#bring-a-data-centre-back"))
    assert completed(record), record.entries[-3:]
    operator.counts()
    keeps(record, "stretched", person.way, person.noticed, operator.ledger)


@pytest.mark.parametrize("walker", walkers((3, 5), (4, 6), (1, 2, 7), once=(3, 4, 5)))
def test_a_third_place_gets_a_vote(
    operator: Operator, lab: LabState, tmp_path: Path, walker: Walker, notes: Notes, keeps: Keep
) -> None:
    with added_nodes(lab, tmp_path, {THIRD: "third"}, roles="controller") as [third]:
        here: Hand = types(third.folder, operator.path, {"CLUSTER_ID": lab.cluster_id, "HOST:PORT": lab.bootstrap})

        def renamed(commands: Sequence[str]) -> list[str]:
            return [command.replace("controller.properties", third.settings.name) for command in commands]

        def formats_and_starts(commands: Sequence[str]) -> None:
            here(renamed(commands))
            third.start(lab)

        def votes(commands: Sequence[str]) -> None:
            here(renamed(commands))

        def takes_one_away(commands: Sequence[str]) -> None:
            east = lab.broker(LEAVES)
            operator.types({"ID": str(east.number), "DIRECTORY_ID": east.directory_id})(commands)

        def says_where(_: Sequence[str]) -> None:
            said = environment(lab)
            said["params"]["topologies/*"] |= {"controllers": [f"{THIRD}=third"], "layout": "2.5", "sites": [*SITES]}
            inventory = {"environments": {lab.name: said}}
            (operator.folder / "environments.yaml").write_text(json.dumps(inventory), "utf-8")

        person = walker(lab)
        record = person.walks(
            Walked(operator.folder, "topologies#add-a-third-place", lab.name, words={"CONTROLLER": str(THIRD)}),
            [does_nothing, does_nothing, formats_and_starts, votes, takes_one_away, says_where, does_nothing],
        )
        notes(person.lines("topologies#add-a-third-place"))
        assert completed(record), record.entries[-3:]
        operator.counts()
    keeps(record, "stretched", person.way, person.noticed, operator.ledger)
