"""Procedures for a cluster whose brokers live, walked by their own text: leaders go home, moved replicas arrive."""

import re
from collections.abc import Sequence

import pytest

from kafka_lab import LabState
from kafka_lab.admin import partitions, topic_setting
from kafka_lab.brokers import start
from kafka_lab.faults import shrink_isr, skew_leadership
from kafka_lab.processes import terminate
from kafka_lab.recovery import wait_for_loss
from support.careful_walker import Walked, does_nothing
from support.forgetful import Forgetful, Notes, Walker, walkers, wrong
from support.kept_walks import Keep
from support.operators import Operator, completed

pytestmark = [pytest.mark.live, pytest.mark.thorough]


def strangers(lab: LabState) -> list[str]:
    """The partitions that another broker leads than the preferred one."""
    found = partitions(lab).items()
    return [
        f"{topic}-{number}"
        for topic, all_ in found
        for number, partition in all_.items()
        if partition.leader != partition.replicas[0]
    ]


@pytest.mark.parametrize("left_out", wrong((2,)))
def test_leaders_are_brought_home(
    operator: Operator, healthy_lab: LabState, left_out: Sequence[int], notes: Notes, keeps: Keep
) -> None:
    lab = healthy_lab
    skew_leadership.inject(lab)
    assert strangers(lab)
    person = Forgetful(left_out)
    record = person.walks(
        Walked(operator.folder, "ha#restore-preferred-leaders", lab.name), [operator.types(), operator.types()]
    )
    notes(person.lines("ha#restore-preferred-leaders"))
    assert completed(record), record.entries[-3:]
    assert strangers(lab) == []
    operator.counts()
    keeps(record, "plain", person.way, person.noticed, operator.ledger)


@pytest.mark.parametrize("left_out", wrong((4,)))
def test_a_replica_is_watched_as_it_recovers(
    operator: Operator, healthy_lab: LabState, left_out: Sequence[int], notes: Notes, keeps: Keep
) -> None:
    lab = healthy_lab
    lost = lab.brokers[-1]
    terminate(lost.process, patience=0)
    wait_for_loss(lab, {lost.number})
    start(lab, lost)
    types, outputs = operator.types({"ID": str(lost.number)}), []

    def reads_the_log(commands: Sequence[str]) -> None:
        types([command.replace("/var/log/kafka/server.log", str(lab.log_of(lost))) for command in commands])
        outputs.append(operator.output)

    person = Forgetful(left_out)
    record = person.walks(
        Walked(operator.folder, "dr#watch-replicas-recover", lab.name, words={"ID": str(lost.number)}),
        [types, reads_the_log, does_nothing, types],
    )
    notes(person.lines("dr#watch-replicas-recover"))
    assert completed(record), record.entries[-3:]
    assert re.search(r"Added fetcher to broker .* for partitions", outputs[0]), outputs
    operator.counts()
    keeps(record, "plain", person.way, person.noticed, operator.ledger)


@pytest.mark.parametrize("walker", walkers((2, 4), (1, 3)))
def test_a_move_that_stands_still_is_finished(
    operator: Operator, healthy_lab: LabState, walker: Walker, notes: Notes, keeps: Keep
) -> None:
    """Nobody has the plan of the move, whose throttle is a byte a second."""
    lab, topic = healthy_lab, "payments"
    filling = {"TOPIC": topic, "BROKERS": ",".join(str(broker.number) for broker in lab.brokers)}
    types, outputs = operator.types(filling), []

    def looks(commands: Sequence[str]) -> None:
        types(commands)
        outputs.append(operator.output)

    shrink_isr.inject(lab)
    try:
        person = walker(lab)
        record = person.walks(
            Walked(
                operator.folder,
                "ha#finish-a-move-that-stands-still",
                lab.name,
                words={"BROKERS": filling["BROKERS"]},
            ),
            [looks, types, types, types],
        )
        notes(person.lines("ha#finish-a-move-that-stands-still"))
        assert completed(record), record.entries[-3:]
        if 1 not in person.steps:
            assert re.search(r"payments-0: .*adding: ", outputs[0]), outputs
            assert re.search(r'\{"payments-0":\d+\}', outputs[0]), outputs
            assert "follower.replication.throttled.rate=1" in outputs[0]
        assert {len(partition.isrs) for partition in partitions(lab)[topic].values()} == {3}
        assert topic_setting(lab, topic, "follower.replication.throttled.replicas") in (None, "")
        operator.counts()
        keeps(record, "plain", person.way, person.noticed, operator.ledger)
    finally:
        shrink_isr.heal(lab)
