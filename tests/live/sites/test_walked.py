"""dr.md walked on two real sites under load, by its own text, right and wrong, with every record counted."""

import logging
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from kafka_lab import LabState, link
from kafka_lab.recovery import bring_back
from kafka_lab.waiting import wait_until
from runbook.procedure.walk_record import Record
from support.forgetful import Forgetful, Notes, Person, Walker, walkers
from support.kept_walks import Keep
from support.numbered_records import Writer
from support.operators import completed
from support.repeating import Interrupted, Repeating
from support.two_sites import WITHIN
from support.two_sites_mover import FLOWS, Mover, back_of, two_with
from support.two_sites_walks import fail_back, fail_over, switch_over

pytestmark = [pytest.mark.live, pytest.mark.thorough]
LOG = logging.getLogger(__name__)
_STRAYS = 100  # records that a primary takes which nobody has fenced


@pytest.fixture(params=list(FLOWS))
def operator(sites: LabState, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Mover]:
    """Somebody at two sites of which one is mirrored to the other, by either policy of names; all is well."""
    flows = FLOWS[request.param]
    with two_with(sites, flows) as both:
        person = Mover(both, tmp_path, flows)
        try:
            person.begins()
            yield person
        finally:
            person.stops()


def where(operator: Mover) -> str:
    """How the record of walks tells where it was."""
    return f"sites, {operator.flows.policy} policy"


class Tells:
    """What is told of each walk: that it was completed, and what it lost."""

    def __init__(self, operator: Mover, keeps: Keep, notes: Notes) -> None:
        self.operator = operator
        self.keeps = keeps
        self.notes = notes

    def of(self, record: Record, person: Person) -> None:
        """Every record was worked on, and some perhaps twice."""
        name = record.entries[0].procedure  # type: ignore[union-attr]  # a record begins so
        ledger = self.operator.ledger
        assert completed(record), record.entries[-3:]
        self.notes(person.lines(name))
        LOG.info(
            "%s, %s, %s: %s acknowledged, %s missing, %s twice",
            *(name, person.way, self.operator.flows.policy),
            *(len(ledger.acknowledged), len(ledger.lost), len(ledger.doubled)),
        )
        self.keeps(record, where(self.operator), person.way, person.noticed, ledger)


@pytest.fixture
def tells(operator: Mover, keeps: Keep, notes: Notes) -> Tells:
    return Tells(operator, keeps, notes)


def returns(operator: Mover) -> None:
    """The primary is up again, and the link whole."""
    bring_back(operator.both.here)
    link.mend(operator.both.here)


WRONG: list[tuple[Sequence[int], Sequence[int], Sequence[int]]] = [
    ((3, 5, 7), (2, 4, 6, 9), (3, 5, 6, 11)),
    ((4, 6, 8), (5, 7, 10, 12), (4, 7, 9, 12)),
    ((1, 9), (1, 3, 8, 11), (1, 2, 8, 10, 13)),
]
"""Steps of dr#fail-over, dr#fail-back and its sister for names that are kept that are left out until it is noticed."""


@pytest.mark.parametrize("left_out", [((), (), ()), *WRONG], ids=["right", "wrong", "wrong otherwise", "wrong at last"])
def test_failed_over_and_back_every_record_is_worked_on(
    operator: Mover, tells: Tells, left_out: tuple[Sequence[int], Sequence[int], Sequence[int]]
) -> None:
    both, ledger = operator.both, operator.ledger
    operator.loses_the_primary()
    over = Forgetful(left_out[0])
    tells.of(fail_over(operator, over), over)
    assert operator.flows.keeps_names or not {5, 6} & {*over.unnoticed}  # else there is nothing to do
    wait_until(lambda: ledger.read_of(both.there.name), "the standby's records to be worked on", within=WITHIN)
    lost_meanwhile, twice_over = ledger.lost & ledger.of(both.here.name), {*ledger.doubled}
    returns(operator)
    with back_of(operator):
        assert operator.never_mirrored() >= len(lost_meanwhile) > 0
        operator.tells(back=True)
        # Where names are kept step 3 finds what step 2 is for, and has it come.
        back = Forgetful(left_out[2], moot=(2,)) if operator.flows.keeps_names else Forgetful(left_out[1])
        record = fail_back(operator, back)
        operator.counts()
        tells.of(record, back)
    if not (operator.flows.keeps_names or back.steps):  # groups go on where they were, if that is further
        assert 2 * len({*ledger.doubled} - twice_over) < len(lost_meanwhile)


def test_what_a_primary_takes_that_comes_back_unfenced_waits_there_for_the_way_back(
    operator: Mover, tells: Tells
) -> None:
    (here, there), ledger = operator.both, operator.ledger
    operator.loses_the_primary()
    before = {*ledger.of(here.name)}

    def comes_back() -> None:
        """It is up again, half-way through, and a producer that was forgotten finds it."""
        bring_back(here)
        with Writer(ledger, here):
            wait_until(lambda: len(ledger.of(here.name)) > len(before) + _STRAYS, "strays", within=WITHIN)

    over = Forgetful((2,))
    tells.of(fail_over(operator, over, comes_back), over)
    strays = {*ledger.of(here.name)} - before
    assert len(strays) > _STRAYS
    assert strays <= ledger.lost  # nobody reads them at the standby, and no gate tells
    wait_until(lambda: ledger.read_of(there.name), "the standby's records to be worked on", within=WITHIN)
    returns(operator)
    with back_of(operator):
        assert operator.never_mirrored() >= len(ledger.lost & ledger.of(here.name))
        operator.tells(back=True)
        assert completed(fail_back(operator, Forgetful()))
        operator.counts()


@pytest.mark.parametrize("walker", walkers((1, 3, 5, 7), (2, 6, 8), (4, 9)))
def test_switched_over_on_purpose_nothing_is_lost_and_nothing_read_twice(
    operator: Mover, tells: Tells, walker: Walker
) -> None:
    person = walker(operator.both.there)
    record = switch_over(operator, person)
    operator.counts()
    tells.of(record, person)
    assert operator.ledger.doubled == set() or isinstance(person, Interrupted)
    assert operator.flows.keeps_names or not {1, 6} & {*person.unnoticed}  # else there is nothing to do


@pytest.mark.parametrize("walker", [lambda _: Repeating(), Interrupted], ids=["twice", "interrupted"])
def test_each_step_done_again_as_the_tool_or_a_broker_was_killed_loses_nothing(
    operator: Mover, tells: Tells, walker: Walker
) -> None:
    operator.loses_the_primary()
    over = walker(operator.both.there)
    tells.of(fail_over(operator, over), over)
    returns(operator)
    with back_of(operator):
        operator.tells(back=True)
        back = walker(operator.both.here)
        record = fail_back(operator, back)
        operator.counts()
        tells.of(record, back)
