"""A standby filled again from the primary, with a bound on the flow: dr.md walked by its own text."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

import kafka_lab as labs
from kafka_lab import LabState, connect
from kafka_lab.connect import a_live_worker
from kafka_lab.content import delete_topics
from support.careful_walker import Walked, does_nothing
from support.ecosystem.skipping import ask
from support.forgetful import Notes, Walker, walkers
from support.kept_walks import Keep
from support.numbered_records import TOPIC
from support.operators import completed
from support.two_sites_mover import FLOWS, Mover, stop, two_with

pytestmark = [pytest.mark.live, pytest.mark.thorough]


@pytest.fixture
def operator(sites: LabState, tmp_path: Path) -> Iterator[Mover]:
    """Somebody at two sites of which the standby has lost the mirror, and the flow has begun anew and is stopped."""
    flows = FLOWS["default"]
    with two_with(sites, flows) as both:
        one = Mover(both, tmp_path, flows)
        try:
            one.begins()
            inventory = labs.running_inventory(Path(both.here.folder).parent)
            assert inventory is not None
            (tmp_path / "environments.yaml").write_bytes(inventory.read_bytes())  # all topics of the link are meant
            stop(both.there, flows.source)
            ask("DELETE", f"{a_live_worker(both.there).url}/connectors/{flows.source}/offsets")
            delete_topics(both.there, [flows.copy])
            yield one
        finally:
            connect.resume(both.there, flows.source)
            one.stops()


@pytest.mark.parametrize("walker", walkers((4,), (6,), (1, 2, 3, 5)))
def test_a_standby_is_filled_again(operator: Mover, walker: Walker, notes: Notes, keeps: Keep) -> None:
    here, there = operator.both
    types = operator.types({"TOPIC": TOPIC})

    def begins(commands: Sequence[str]) -> None:
        types(commands)
        connect.resume(there, operator.flows.source)

    person = walker(there)
    record = person.walks(
        Walked(operator.folder, "dr#reseed-a-site", here.name, there.name),
        [types, does_nothing, types, begins, does_nothing, types],
    )
    notes(person.lines("dr#reseed-a-site"))
    assert completed(record), record.entries[-3:]
    operator.counts()
    keeps(record, "sites, default policy", person.way, person.noticed, operator.ledger)
