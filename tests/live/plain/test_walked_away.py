"""A broker killed on purpose, a group placed by time, loggers raised and put back: walked by their own text."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

import pytest

from kafka_lab import LabState
from kafka_lab.admin import partitions
from kafka_lab.content import create_topics, delete_topics
from kafka_lab.processes import terminate
from kafka_lab.recovery import revive
from kafka_lab.waiting import wait_until
from support.careful_walker import Hand, Walked, does_nothing
from support.forgetful import Forgetful, Notes, Walker, walkers, wrong
from support.kept_walks import Keep
from support.numbered_records import GROUP, TOPIC
from support.operators import Operator, completed

pytestmark = [pytest.mark.live, pytest.mark.thorough]
WITHIN: Final = 240.0  # seconds for a group to settle on a busy machine
PROBED: Final = "debugging"
SELECTOR: Final = "org.apache.kafka.common.network.Selector"
BACK: Final = timedelta(seconds=3)


@pytest.mark.parametrize("left_out", wrong((4,)))
def test_a_broker_is_killed_on_purpose(
    operator: Operator, healthy_lab: LabState, left_out: Sequence[int], notes: Notes, keeps: Keep
) -> None:
    lab = healthy_lab
    lost = lab.brokers[-1]

    def kills(_: Sequence[str]) -> None:
        terminate(lost.process, patience=0)
        wait_until(
            lambda: (
                lost.number
                not in {partition.leader for topic in partitions(lab).values() for partition in topic.values()}
            ),
            "others to lead what it led",
            within=WITHIN,
        )

    def starts(_: Sequence[str]) -> None:
        revive(lab, {lost.number})

    person = Forgetful(left_out)
    record = person.walks(
        Walked(operator.folder, "topologies#lose-a-broker", lab.name),
        [operator.types(), kills, does_nothing, starts, does_nothing],
    )
    notes(person.lines("topologies#lose-a-broker"))
    assert completed(record), record.entries[-3:]
    operator.counts()
    keeps(record, "plain", person.way, person.noticed, operator.ledger)


@pytest.mark.parametrize("walker", walkers((3, 5), (1, 2, 4, 6)))
def test_a_group_is_placed_by_time(
    operator: Operator, healthy_lab: LabState, walker: Walker, notes: Notes, keeps: Keep
) -> None:
    lab = healthy_lab
    named = {"GROUP": GROUP, "TOPIC": TOPIC}
    since: list[datetime] = []
    stopped: list[datetime] = []

    def takes_the_time(_: Sequence[str]) -> None:
        """Whenever it is taken: that of the last record that they processed, and a little before."""
        since.append((stopped[0] if stopped else datetime.now(UTC)) - BACK)

    def stops(commands: Sequence[str]) -> None:
        assert operator.reader is not None
        operator.reader.stop()
        stopped.append(datetime.now(UTC))
        operator.types(named)(commands)

    def plans(commands: Sequence[str]) -> None:
        assert since, "nobody knows since when"
        stamp = since[0].isoformat(timespec="milliseconds")
        operator.types(named)([re.sub(r"--to-datetime \S+", f"--to-datetime {stamp}", command) for command in commands])

    def carries_out(commands: Sequence[str]) -> None:
        operator.types(named)(commands)
        walked.pauses({**named, "PLAN": operator.output.strip()})

    def starts(_: Sequence[str]) -> None:
        operator.starts_reading(lab)

    person = walker(healthy_lab)
    walked = Walked(operator.folder, "dr#place-consumers-by-time", lab.name, words=named)
    record = person.walks(walked, [does_nothing, takes_the_time, stops, plans, carries_out, starts])
    notes(person.lines("dr#place-consumers-by-time"))
    assert completed(record), record.entries[-3:]
    operator.counts()
    assert operator.ledger.doubled  # those of the seconds that it went back by
    keeps(record, "plain", person.way, person.noticed, operator.ledger)


@pytest.mark.parametrize("left_out", wrong((1, 6)))
def test_loggers_are_raised_and_put_back(
    operator: Operator, healthy_lab: LabState, left_out: Sequence[int], notes: Notes, keeps: Keep
) -> None:
    lab = healthy_lab
    broker = lab.brokers[0]
    create_topics(lab, {PROBED: (1, 2, {})})
    (operator.folder / "client.properties").write_text("", "utf-8")
    types: Hand = operator.types({"TOPIC": PROBED, "ID": str(broker.number), "LOGGER": SELECTOR})

    def raises(commands: Sequence[str]) -> None:
        size = lab.log_of(broker).stat().st_size
        types(commands)
        wait_until(lambda: b" DEBUG " in lab.log_of(broker).read_bytes()[size:], "lines at DEBUG", within=WITHIN)

    def traces(commands: Sequence[str]) -> None:
        types(commands)
        assert "Processed a total of" in operator.output

    person = Forgetful(left_out)
    try:
        record = person.walks(
            Walked(operator.folder, "security#debug-security", lab.name),
            [types, raises, traces, does_nothing, does_nothing, types],
        )
    finally:
        delete_topics(lab, [PROBED])
    notes(person.lines("security#debug-security"))
    assert completed(record), record.entries[-3:]
    operator.counts()
    keeps(record, "plain", person.way, person.noticed, operator.ledger)
