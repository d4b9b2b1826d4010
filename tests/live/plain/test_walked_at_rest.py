"""Procedures for a cluster that is well, walked by their own text: leaders that go home, replicas that are watched."""

import re
from collections.abc import Sequence

import pytest

from kafka_lab import LabState
from kafka_lab.admin import partitions
from kafka_lab.brokers import start
from kafka_lab.faults import skew_leadership
from kafka_lab.processes import terminate
from kafka_lab.recovery import wait_for_loss
from support.careful_walker import Walked, does_nothing
from support.forgetful import Forgetful, Notes, wrong
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
    assert person.unnoticed == []
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
    assert person.unnoticed == []
    operator.counts()
    keeps(record, "plain", person.way, person.noticed, operator.ledger)
