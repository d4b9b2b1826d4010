"""ha.md walked on a real cluster under load, by its own text, with every record counted."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from kafka_lab import LabState
from kafka_lab.admin import broker_settings, change_settings, partitions, topic_setting
from kafka_lab.processes import terminate
from kafka_lab.recovery import make_whole, revive, wait_for_loss
from kafka_lab.waiting import wait_until
from runbook.procedure.walk import closing
from support.careful_walker import Walked, does_nothing
from support.forgetful import STAYS, Notes, Walker, walkers
from support.kept_walks import Keep
from support.numbered_records import TOPIC
from support.operators import Operator, at_work, completed, gates
from support.third_copy import adds_a_copy

pytestmark = pytest.mark.live
WITHIN = 240.0  # seconds for some hundred records to come through
IN_ORDER = 60.0  # seconds for a broker to hand over its leaders and end
RATES = ("leader.replication.throttled.rate", "follower.replication.throttled.rate")
REPLICAS = ("leader.replication.throttled.replicas", "follower.replication.throttled.replicas")


@pytest.fixture
def operator(healthy_lab: LabState, tmp_path: Path) -> Iterator[Operator]:
    """Somebody at the lab, where numbered records are written and read in a topic of two copies; gone in the end."""
    lab = healthy_lab
    try:
        with at_work(lab, tmp_path) as person:
            yield person
    finally:
        change_settings(lab, "broker", {str(broker.number): dict.fromkeys(RATES) for broker in lab.brokers})
        make_whole(lab)


@pytest.mark.parametrize("walker", walkers((5,), (1, 3, 5, 6), (2, 7), (4,)))
def test_a_topic_gets_a_third_copy_under_a_throttle_that_is_gone_in_the_end(
    operator: Operator, healthy_lab: LabState, walker: Walker, notes: Notes, keeps: Keep
) -> None:
    lab = healthy_lab
    brokers = ",".join(str(broker.number) for broker in lab.brokers)
    filling = {"TOPIC": TOPIC, "BROKERS": brokers, "ENVIRONMENT": lab.name}
    throttled = []

    def rates_are_known() -> bool:
        try:
            return all(broker_settings(lab, RATES[0]))
        except KeyError:  # a broker that has not heard of it yet
            return False

    def moves(commands: Sequence[str]) -> None:
        operator.types(filling)(commands)
        wait_until(rates_are_known, "the brokers to know the throttle", within=WITHIN)
        throttled.extend(broker_settings(lab, RATES[0]) + [topic_setting(lab, TOPIC, name) for name in REPLICAS])

    person = walker(lab)
    record = person.walks(
        Walked(operator.folder, "ha#raise-or-move-replicas", lab.name, words={"BROKERS": brokers}),
        [
            *(operator.types(filling), adds_a_copy(lab, operator.folder / "plan.json"), moves),
            *(operator.types(), operator.types()),
            *(operator.types(filling), operator.types()),
        ],
    )
    notes(person.lines("ha#raise-or-move-replicas"))

    assert completed(record), record.entries[-3:]
    assert throttled[:3] == ["50000000"] * len(lab.brokers)
    assert 2 in person.steps or all(throttled[3:5])  # else the plan moved nothing at first
    shut = [[result.check for result in closing(gate.seen)] for gate in gates(record) if gate.stage == "after step 5"]
    throttles = ["ha/no-topic-is-throttled", "ha/no-broker-is-throttled"]
    assert [checks for checks in shut if checks] == ([throttles] * STAYS if 5 in person.steps else [])
    assert {topic_setting(lab, TOPIC, name) for name in REPLICAS} == {""}
    assert {len(partition.replicas) for partition in partitions(lab)[TOPIC].values()} == {3}
    assert topic_setting(lab, TOPIC, "min.insync.replicas") == "2"
    operator.counts()
    keeps(record, "plain", person.way, person.noticed, operator.ledger)


@pytest.mark.thorough
@pytest.mark.parametrize("walker", walkers((3, 5), (1, 2, 4)))
def test_a_broker_that_was_lost_is_brought_back(
    operator: Operator, healthy_lab: LabState, walker: Walker, notes: Notes, keeps: Keep
) -> None:
    lab = healthy_lab
    lost = lab.brokers[-1]
    terminate(lost.process, patience=0)
    wait_for_loss(lab, {lost.number})

    def starts(_: Sequence[str]) -> None:
        revive(lab, {lost.number})

    person = walker(lab)
    record = person.walks(
        Walked(operator.folder, "ha#bring-a-broker-back", lab.name),
        [does_nothing, does_nothing, starts, does_nothing, operator.types()],
    )
    notes(person.lines("ha#bring-a-broker-back"))
    assert completed(record), record.entries[-3:]
    operator.counts()
    keeps(record, "plain", person.way, person.noticed, operator.ledger)


@pytest.mark.thorough
@pytest.mark.parametrize("walker", walkers((3, 5), (1, 2, 4, 6)))
def test_all_brokers_are_restarted_one_after_another(
    operator: Operator, healthy_lab: LabState, walker: Walker, notes: Notes, keeps: Keep
) -> None:
    lab = healthy_lab
    restarted: list[int] = []
    chosen: list[int] = []
    began = {broker.number: broker.process for broker in lab.brokers}

    def chooses(commands: Sequence[str]) -> None:
        operator.types()(commands)
        left = [broker.number for broker in lab.brokers if broker.number not in restarted]
        active = int(str(re.findall(r"LeaderId:\s+(\d+)", operator.output)[-1]))
        chosen[:] = [next((number for number in left if number != active), active)]

    def stops(_: Sequence[str]) -> None:
        terminate(lab.broker(chosen[0]).process, patience=IN_ORDER)

    def starts(_: Sequence[str]) -> None:
        revive(lab, {chosen[0]})

    for _ in lab.brokers:
        person = walker(lab)
        record = person.walks(
            Walked(operator.folder, "ha#rolling-restart", lab.name),
            [chooses, stops, starts, does_nothing, operator.types(), does_nothing],
        )
        assert completed(record), record.entries[-3:]
        restarted += chosen
    notes(person.lines("ha#rolling-restart"))
    assert sorted(restarted) == [1, 2, 3]
    assert all(broker.process != began[broker.number] for broker in lab.brokers)
    operator.counts()
    keeps(record, "plain", person.way, person.noticed, operator.ledger)
