"""The procedures of dr.md that move applications, step by step as a person carries them out on two real sites."""

import logging
from collections.abc import Callable, Sequence

from kafka_lab import connect
from kafka_lab.signs import refuses
from runbook.procedure.walk_record import Record
from support.careful_walker import Careful, Walked, does_nothing
from support.forgetful import Person
from support.numbered_records import GROUP, PARTITIONS, TOPIC, settled
from support.two_sites import BACK
from support.two_sites_mover import CHECKPOINT_BACK, Mover, stop
from support.until import until

_LOG = logging.getLogger(__name__)
COUNT = {"PARTITIONS": str(PARTITIONS), "TOPIC": TOPIC}
PLACE = {"GROUP": GROUP, "TOPIC": TOPIC}


class _Hands:
    """What a person does at the steps that several of the procedures have."""

    def __init__(self, operator: Mover) -> None:
        self.operator = operator
        self.here, self.there = operator.both
        self.flows = operator.flows
        self.connector = operator.types({"SOURCE_CONNECTOR": operator.flows.source})
        self.describes = operator.types({"GROUP": GROUP})

    def creates_topics(self, commands: Sequence[str]) -> None:
        if not self.flows.keeps_names:
            self.operator.types(COUNT)(commands)

    def places_groups(self, commands: Sequence[str]) -> None:
        """At the beginning of the new topics; the command sees whether there is a position from an earlier move."""
        if not self.flows.keeps_names:
            self.operator.types(PLACE)(commands)

    def stops_producers(self, _: Sequence[str]) -> None:
        assert self.operator.writer is not None
        self.operator.writer.stop()

    def stops_consumers(self, commands: Sequence[str]) -> None:
        settled(self.operator.ledger, 20)
        assert self.operator.reader is not None
        self.operator.reader.stop()
        self.describes(commands)

    def writes_there(self, _: Sequence[str]) -> None:
        self.operator.starts_writing(self.there)

    def writes_here(self, _: Sequence[str]) -> None:
        self.operator.starts_writing(self.here)

    def reads_there(self, commands: Sequence[str]) -> None:
        self.operator.starts_reading(self.there, self.flows.of_both(self.flows.here))
        self.describes(commands)

    def reads_here(self, commands: Sequence[str]) -> None:
        self.operator.starts_reading(self.here, self.flows.of_both(self.flows.there))
        self.describes(commands)

    def one_comes_out(self, _: Sequence[str]) -> None:
        """What is written now, by the name that producers use, is worked on."""
        ledger, before = self.operator.ledger, self.operator.ledger.next

        def comes_out() -> bool:
            return any(number in ledger.worked_on for number in ledger.acknowledged.copy() if number >= before)

        assert until(comes_out), "no record that was written now came out of a consumer"


def fail_over(operator: Mover, person: Careful | Person, meanwhile: Callable[[], None] = lambda: None) -> Record:
    """Walk dr#fail-over, the primary being gone; `meanwhile` happens just before the producers move."""
    here, there = operator.both
    do = _Hands(operator)

    def fences(_: Sequence[str]) -> None:
        assert all(refuses(broker.port) for broker in here.brokers)

    def moves_producers(commands: Sequence[str]) -> None:
        meanwhile()
        do.writes_there(commands)

    return person.walks(
        Walked(operator.folder, "dr#fail-over", here.name, there.name),
        [
            *(does_nothing, fences, do.connector, do.connector, do.creates_topics, do.places_groups),
            *(moves_producers, do.reads_there, do.one_comes_out),
        ],
    )


def switch_over(operator: Mover, person: Careful | Person) -> Record:
    """Walk dr#switch-over, both sites being well."""
    here, there = operator.both
    do = _Hands(operator)
    return person.walks(
        Walked(operator.folder, "dr#switch-over", here.name, there.name),
        [
            *(do.creates_topics, do.stops_producers, do.stops_consumers, does_nothing, do.connector),
            *(do.places_groups, do.writes_there, do.reads_there, do.one_comes_out),
        ],
    )


def fail_back(operator: Mover, person: Careful | Person) -> Record:
    """Walk dr#fail-back, or where names are kept its sister, the primary being up again."""
    return (_names_kept if operator.flows.keeps_names else _default)(operator, person)


def _default(operator: Mover, person: Careful | Person) -> Record:
    here, there = operator.both
    do, flows = _Hands(operator), operator.flows
    back = {"BACK_CONNECTOR": BACK, "BACK_CHECKPOINT": CHECKPOINT_BACK}
    goes_back = {"TOPICS": TOPIC, "GROUPS": GROUP}
    types = operator.types(
        PLACE | goes_back | back | {"SOURCE_CONNECTOR": flows.source, "CHECKPOINT_CONNECTOR": flows.checkpoint}
    )

    def brings_up(commands: Sequence[str]) -> None:
        """The lab, healed, has started all of the primary's flows again: as its text says, it is stopped then."""
        stop(there, flows.source)
        types(commands)

    def turns_round(commands: Sequence[str]) -> None:
        types(commands)
        connect.wait_for_state(there, flows.source, "RUNNING")

    return person.walks(
        Walked(operator.folder, "dr#fail-back", there.name, here.name),
        [
            *(brings_up, types, does_nothing, types, types),
            *(do.stops_producers, do.stops_consumers, does_nothing, do.writes_here, do.reads_here),
            *(do.one_comes_out, turns_round),
        ],
    )


def _names_kept(operator: Mover, person: Careful | Person) -> Record:
    here, there = operator.both
    do, flows = _Hands(operator), operator.flows
    words = {"SOURCE_CONNECTOR": flows.source, "TOPIC": TOPIC}
    types = operator.types(words)

    def brings_up(_: Sequence[str]) -> None:
        stop(there, flows.source)

    def fetches(commands: Sequence[str]) -> None:
        types(commands)
        connect.wait_for_state(there, flows.source, "RUNNING")

    def stops_for_good(commands: Sequence[str]) -> None:
        """As its text says: resumed and looked at again as long as something is missing."""

        def reached() -> bool:
            stop(there, flows.source)
            try:
                types(commands)
            except AssertionError:
                connect.resume(there, flows.source)
                return False
            return True

        assert until(reached, 90), "the flow does not come to its end"

    def turns_offsets(commands: Sequence[str]) -> None:
        """As its text says: what fails is run again."""

        def turned() -> bool:
            try:
                types(commands)
            except AssertionError as error:
                _LOG.warning("%s", error)
                return False
            return True

        stop(here, BACK)
        assert until(turned, 90), "the flow's offsets can't be set"

    def resumes(commands: Sequence[str]) -> None:
        types(commands)
        connect.wait_for_state(there, flows.source, "RUNNING")

    return person.walks(
        Walked(operator.folder, "dr#fail-back-where-names-are-kept", there.name, here.name),
        [
            *(brings_up, fetches, stops_for_good, types, lambda _: flows.start_back(operator.both)),
            *(do.stops_producers, do.stops_consumers, does_nothing, turns_offsets, resumes),
            *(do.writes_here, do.reads_here, do.one_comes_out),
        ],
    )
