"""testing.md walked on a real cluster at work: load, what clients feel, a broker that is lost, and one record."""

from collections.abc import Iterator, Sequence
from typing import Final

import pytest

from kafka_lab import LabState
from kafka_lab.admin import partitions
from kafka_lab.content import delete_topics
from kafka_lab.processes import terminate
from kafka_lab.recovery import bring_back, make_whole, revive, wait_for_loss
from kafka_lab.waiting import wait_until
from support.careful_walker import Walked, does_nothing, edited
from support.driven_drill import STEP, Drill
from support.forgetful import Forgetful, Notes, wrong
from support.kept_walks import Keep
from support.measuring import Beside, allow, says, sign_off
from support.operators import Operator, completed

pytestmark = [pytest.mark.live, pytest.mark.thorough, pytest.mark.timeout(1800)]
TOPIC: Final = "load-test"
FEWER: Final = ((r"--(num-records|messages) 600000\b", r"--\1 30000"),)
SLOWER: Final = (*FEWER, (r"--throughput 10000\b", "--throughput 1000"))
"""What two cores bear beside three brokers: the target is agreed on in the first step."""
LONG_ENOUGH: Final = ((r"--while 3m", "--while 60s"),)
IN_ORDER: Final = 60.0  # seconds for a broker to hand over its leaders and end
WITHIN: Final = 240.0  # seconds on a busy machine


@pytest.fixture
def measuring(operator: Operator, healthy_lab: LabState) -> Iterator[Operator]:
    """Somebody who may measure; what a walk left behind is gone in the end."""
    allow(operator.folder)
    yield operator
    delete_topics(healthy_lab, [name for name in (TOPIC, f"{TOPIC}-schema") if name in partitions(healthy_lab)])


@pytest.mark.parametrize("left_out", wrong())
def test_throughput_is_measured_and_signed_off(
    measuring: Operator, healthy_lab: LabState, left_out: Sequence[int], notes: Notes, keeps: Keep
) -> None:
    lab, words, person = healthy_lab, {"TOPIC": TOPIC}, Forgetful(left_out, once=(2,))
    types = measuring.types(words)

    def measures_reads(commands: Sequence[str]) -> None:
        edited(types, *FEWER)(commands)
        assert "30000" in measuring.output.replace(",", ""), measuring.output

    def signs(_: Sequence[str]) -> None:
        sign_off(measuring.folder, "load-test-passed", "writes.txt and reads.txt, on a lab of three brokers")

    record = person.walks(
        Walked(measuring.folder, "testing#measure-throughput", lab.name, words=words),
        [does_nothing, types, edited(types, *SLOWER), measures_reads, does_nothing, does_nothing, types, signs],
    )
    notes(person.lines("testing#measure-throughput"))
    assert completed(record), record.entries[-3:]
    measuring.counts()
    keeps(record, "plain", person.way, person.noticed, measuring.ledger)


@pytest.mark.parametrize("left_out", wrong())
def test_what_clients_feel_is_measured_while_leaders_move(
    measuring: Operator, healthy_lab: LabState, left_out: Sequence[int], notes: Notes, keeps: Keep
) -> None:
    lab, person, beside = healthy_lab, Forgetful(left_out), Beside(measuring.folder)
    broker = lab.brokers[-1]

    def begins(commands: Sequence[str]) -> None:
        shown = [command.replace("ENVIRONMENT", lab.name) for command in commands]
        edited(beside.starts, *LONG_ENOUGH)(shown)
        wait_until(
            lambda: any(measuring.folder.name in name for name in partitions(lab)) or not beside.runs(),
            "the measurement to begin",
            within=WITHIN,
        )

    def restarts(_: Sequence[str]) -> None:
        terminate(broker.process, patience=IN_ORDER)
        revive(lab, {broker.number})

    def reads(_: Sequence[str]) -> None:
        beside.ends()

    try:
        record = person.walks(
            Walked(measuring.folder, "testing#measure-what-clients-feel", lab.name), [begins, restarts, reads]
        )
    finally:
        beside.close()
        make_whole(lab)
    notes([*person.lines("testing#measure-what-clients-feel"), *beside.output.splitlines()])
    assert completed(record), record.entries[-3:]
    measuring.counts()
    keeps(record, "plain", person.way, person.noticed, measuring.ledger)


@pytest.mark.parametrize("left_out", wrong())
def test_the_loss_of_a_broker_is_measured_by_the_canary(
    measuring: Operator, healthy_lab: LabState, left_out: Sequence[int], notes: Notes, keeps: Keep
) -> None:
    lab, person, folder = healthy_lab, Forgetful(left_out), measuring.folder
    lost = lab.brokers[-1]

    def names_the_topic(_: Sequence[str]) -> None:
        says(folder, canary={"topic": folder.name, "rate": 20}, records={"drills": str(folder / "drills")})

    def drills(commands: Sequence[str]) -> None:
        [command] = commands
        words = command.replace("ENVIRONMENT", lab.name).split()
        assert words[:2] == ["runbook", "drill"]
        drill = Drill(folder, *(word for word in words[2:] if word != "--allow-canary"))

        def kills() -> None:
            terminate(lost.process, patience=0)
            wait_for_loss(lab, {lost.number})

        deeds = (
            lambda: None,
            kills,
            lambda: None,
            lambda: bring_back(lab),
            lambda: make_whole(lab),
        )
        try:
            for deed in deeds:
                drill.until(STEP)
                deed()
                drill.answer()
            code, _ = drill.end()
            assert code == 0, drill.output
        finally:
            drill.close()
            bring_back(lab)

    record = person.walks(
        Walked(folder, "testing#measure-loss-with-the-canary", lab.name), [names_the_topic, drills, does_nothing]
    )
    notes(person.lines("testing#measure-loss-with-the-canary"))
    assert completed(record), record.entries[-3:]
    measuring.counts()
    keeps(record, "plain", person.way, person.noticed, measuring.ledger)


@pytest.mark.parametrize("left_out", wrong())
def test_one_record_is_written_and_read(
    measuring: Operator, healthy_lab: LabState, left_out: Sequence[int], notes: Notes, keeps: Keep
) -> None:
    lab, words, person = healthy_lab, {"TOPIC": TOPIC}, Forgetful(left_out)
    types = measuring.types(words)

    def reads(commands: Sequence[str]) -> None:
        types(commands)
        assert "k1\thello" in measuring.output, measuring.output

    record = person.walks(
        Walked(measuring.folder, "testing#send-and-read-a-record", lab.name, words=words),
        [types, types, reads, does_nothing, does_nothing, does_nothing, types],
    )
    notes(person.lines("testing#send-and-read-a-record"))
    assert completed(record), record.entries[-3:]
    assert TOPIC not in partitions(lab)
    measuring.counts()
    keeps(record, "plain; without the tools of Confluent", person.way, person.noticed, measuring.ledger)
