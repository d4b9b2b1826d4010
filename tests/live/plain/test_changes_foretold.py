"""Thirty plans, foretold and then carried out slowly: which partitions refuse writes while copies are made, and after.

The copies stand still, as one byte a second is allowed, until it was tried what each partition takes; then they go on.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

import pytest

from kafka_lab import LabState
from kafka_lab.admin import broker_settings, change_settings, kafka_python, partitions
from kafka_lab.content import delete_topics, write_ballast
from kafka_lab.processes import terminate
from kafka_lab.recovery import make_whole, revive, wait_for_loss
from kafka_lab.replicas import reassign
from kafka_lab.waiting import wait_for_brokers, wait_until
from runbook.what_if.analysis import Analysis
from runbook.what_if.change_request import read_change
from runbook.what_if.environments import what_if
from support.layouts import Layout, create, settle
from support.losses_tried import Place, write

pytestmark = pytest.mark.live
PLANS: Final = 30
_BALLAST: Final = 6 << 20  # bytes: a copy that is throttled gets a fetch of 1 MiB when it starts, no more
_WITHIN: Final = 120.0
_GONE: Final = 3
THROTTLED: Final = "follower.replication.throttled.replicas"
RATE: Final = "follower.replication.throttled.rate"


class Plan(NamedTuple):
    """A topic of one partition, and where it is to go."""

    layout: Layout
    target: list[int]

    @property
    def place(self) -> Place:
        """Its partition."""
        return self.layout.name, 0


def plans() -> list[Plan]:
    """The same ones each time: one to three copies, a minimum that they may not reach, and any other copies."""
    random = Random(49)
    made = []
    for number in range(PLANS):
        replicas = random.sample([1, 2, 3], number % 3 + 1)
        target = random.sample([1, 2, 3], random.randint(1, 3))
        layout = Layout(f"plan-{number:02}", {0: replicas}, random.randint(1, 3), unclean=False, lagging=False)
        made.append(Plan(layout, target))
    return made


@pytest.fixture
def planned(healthy_lab: LabState) -> Iterator[list[Plan]]:
    """The topics, each with records that take long to copy."""
    made = plans()
    try:
        create(healthy_lab, [plan.layout for plan in made])
        settle(healthy_lab, [plan.layout for plan in made], set())
        for plan in made:
            write_ballast(healthy_lab, plan.layout.name, [0], _BALLAST)
        throttled = {plan.layout.name: {THROTTLED: new} for plan in made if (new := new_copies(plan))}
        change_settings(healthy_lab, "topic", throttled)
        let_copy(healthy_lab, "1")
        yield made
    finally:
        revive(healthy_lab, {_GONE})
        wait_for_brokers(healthy_lab)
        let_copy(healthy_lab, None)
        delete_topics(healthy_lab, [plan.layout.name for plan in made])
        make_whole(healthy_lab)


def let_copy(lab: LabState, rate: str | None) -> None:
    """Bytes a second that each broker may take for the copies; None: all there is."""
    change_settings(lab, "broker", {str(broker.number): {RATE: rate} for broker in lab.brokers})
    wait_until(lambda: all(told == rate for told in limits(lab)), "the brokers to know the limit", within=_WITHIN)


def limits(lab: LabState) -> list[str | None]:
    """What each broker has as its limit; none where it has none."""
    try:
        return broker_settings(lab, RATE)
    except KeyError:
        return [None]


def new_copies(plan: Plan) -> str:
    """The copies that are limited, as kafka-reassign-partitions.sh names them: the new ones alone."""
    return ",".join(f"0:{number}" for number in plan.target if number not in plan.layout.replicas[0])


def foretold(lab: LabState, folder: Path, made: list[Plan]) -> Analysis:
    """What is said of it before it is done, from a file as Kafka's own tool takes it."""
    file, inventory = folder / "plan.json", folder / "environments.yaml"
    partitions = [{"topic": plan.layout.name, "partition": 0, "replicas": plan.target} for plan in made]
    file.write_text(json.dumps({"version": 1, "partitions": partitions}))
    inventory.write_text(json.dumps({"environments": {"lab": {"kafka": {"bootstrap.servers": lab.bootstrap}}}}))
    [analysis] = what_if(inventory=inventory, change=read_change(file, [], [], 1000), seconds=30)
    return analysis


def refused(lab: LabState, made: list[Plan]) -> set[str]:
    """The partitions that do not take a record with acks=all."""
    took = write(lab, [plan.place for plan in made], {})["all"]
    return {plan.layout.name for plan in made if plan.place not in took}


def under_way(lab: LabState) -> set[str]:
    """Topics of which a partition is still being moved, as the cluster itself lists them."""
    with kafka_python(lab) as admin:
        return {partition.topic for partition in admin.list_partition_reassignments()}


def arrived(lab: LabState, made: list[Plan], in_sync: set[int] | None = None) -> bool:
    """Whether each partition has the copies that it was to get, and these in sync; None: all of them."""
    there = partitions(lab)
    found = [there[plan.layout.name][0] for plan in made]
    return all(
        one.replicas == plan.target and {*one.isrs} == (in_sync or {*plan.target})
        for one, plan in zip(found, made, strict=True)
    )


def test_what_refuses_writes_while_copies_are_made_and_after_is_what_was_foretold(
    healthy_lab: LabState, tmp_path: Path, planned: list[Plan]
) -> None:
    analysis = foretold(healthy_lab, tmp_path, planned)
    change = analysis.change
    assert change is not None
    assert (analysis.missing, change.unsure) == ([], [])
    assert len(change.partitions) == PLANS
    assert not change.stuck
    before = refused(healthy_lab, planned)
    assert before == {one.topic for one in change.partitions if one.now and one.now.refuses}
    reassign(healthy_lab, {plan.place: plan.target for plan in planned})
    states = {one.topic: one.meanwhile or one.after for one in change.partitions}
    meanwhile = {name for name, state in states.items() if state and state.refuses}
    # A leader takes what comes before it has heard that it has other copies.
    wait_until(lambda: refused(healthy_lab, planned) == meanwhile, "leaders to refuse what was foretold", within=40)
    assert {one.topic for one in change.stopped("meanwhile")} == meanwhile
    assert len(meanwhile) >= 3
    copied = [plan for plan in planned if {*plan.target} - {*plan.layout.replicas[0]}]
    assert not any(arrived(healthy_lab, [plan]) for plan in copied), "copies were made before it was tried"
    let_copy(healthy_lab, None)
    wait_until(lambda: arrived(healthy_lab, planned), "all copies to be made", within=_WITHIN)
    assert refused(healthy_lab, planned) == {one.topic for one in change.partitions if one.after and one.after.refuses}


def test_with_a_broker_gone_the_plans_end_that_kafka_does_not_let_wait_for_it(
    healthy_lab: LabState, tmp_path: Path, planned: list[Plan]
) -> None:
    let_copy(healthy_lab, None)
    terminate(healthy_lab.broker(_GONE).process, patience=0)
    wait_for_loss(healthy_lab, {_GONE})
    change = foretold(healthy_lab, tmp_path, planned).change
    assert change is not None
    stuck = {one.topic for one in change.stuck}
    assert stuck
    assert {number for one in change.stuck for number in one.waits_for} <= {_GONE}
    reassign(healthy_lab, {plan.place: plan.target for plan in planned})
    rest = [plan for plan in planned if plan.layout.name not in stuck]
    in_the_end = {one.topic: {*one.after.isr} for one in change.partitions if one.after and one.after.isr is not None}
    wait_until(lambda: under_way(healthy_lab) == stuck, "those to be left that were foretold", within=_WITHIN)
    assert any(_GONE in plan.target for plan in rest), "a plan ends with a copy on the broker that is gone"
    wait_until(
        lambda: all(arrived(healthy_lab, [plan], in_the_end[plan.layout.name]) for plan in rest),
        "the others to end",
        within=_WITHIN,
    )
    assert under_way(healthy_lab) == stuck
    assert refused(healthy_lab, rest) == {
        one.topic for one in change.partitions if one.topic not in stuck and one.after and one.after.refuses
    }
    revive(healthy_lab, {_GONE})
    wait_for_brokers(healthy_lab)
    wait_until(lambda: arrived(healthy_lab, planned), "those that waited to end", within=_WITHIN)
