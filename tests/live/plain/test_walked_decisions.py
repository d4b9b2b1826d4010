"""What people decide, walked by the text: how durable a topic is, and what a cluster has only one of."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from kafka_lab import LabState
from kafka_lab.admin import change_settings, partitions, topic_setting
from kafka_lab.inventory import environment
from support.careful_walker import Hand, Walked, does_nothing
from support.forgetful import Notes, Walker, walkers
from support.kept_walks import Keep
from support.numbered_records import TOPIC
from support.operators import Operator, completed
from support.third_copy import adds_a_copy

pytestmark = [pytest.mark.live, pytest.mark.thorough, pytest.mark.timeout(1200)]
DECIDED: Final = "{} objective=durability replicas={} min.insync.replicas={} unclean.leader.election.enable=false"


def writes(folder: Path, lab: LabState, params: Mapping[str, Any], **fields: Any) -> None:
    """Write the inventory, with these parameters and fields."""
    said = environment(lab) | fields
    said["params"] = said.get("params", {}) | params
    (folder / "environments.yaml").write_text(json.dumps({"environments": {lab.name: said}}), "utf-8")


def as_it_is(lab: LabState, topic: str) -> str:
    """A line that declares a topic as it is."""
    copies = len(partitions(lab)[topic][0].replicas)
    return DECIDED.format(topic, copies, topic_setting(lab, topic, "min.insync.replicas"))


def third_copy(operator: Operator, lab: LabState) -> Hand:
    """A hand that walks ha#raise-or-move-replicas for the topic, as the command says; --set tells the brokers."""
    brokers = ",".join(str(broker.number) for broker in lab.brokers)
    types = operator.types({"TOPIC": TOPIC, "BROKERS": brokers, "ENVIRONMENT": lab.name})

    def walks(commands: Sequence[str]) -> None:
        [command] = commands
        walked = Walked(operator.folder, command.split()[-1], lab.name, words={"BROKERS": brokers})
        plan = operator.folder / "plan.json"
        assert completed(walked.by([types, adds_a_copy(lab, plan), *[types] * 5]))

    return walks


@pytest.mark.parametrize("walker", walkers((2, 4), (3, 5), (1,)))
def test_a_topic_becomes_as_durable_as_its_owner_wants_it(
    operator: Operator, healthy_lab: LabState, walker: Walker, notes: Notes, keeps: Keep
) -> None:
    lab, producer = healthy_lab, operator.folder / "producer.properties"
    change_settings(lab, "topic", {TOPIC: {"unclean.leader.election.enable": "true"}})
    producer.write_text("acks=1\n", "utf-8")
    files = {"clients": [{"name": "billing", "kind": "producer", "path": str(producer)}]}
    others = [as_it_is(lab, topic) for topic in partitions(lab) if topic != TOPIC]
    absent = {kind: why for kind, why in environment(lab)["absent"].items() if kind != "files"}

    def declares(declared: str) -> None:
        params = {"topics/durability-is-designed": {"declared": [declared, *others]}}
        writes(operator.folder, lab, params, files=files, absent=absent)

    declares(f"{TOPIC} objective=availability")

    def makes_the_producer_wait(_: Sequence[str]) -> None:
        producer.write_text("acks=all\n", "utf-8")

    def says_what_was_decided(_: Sequence[str]) -> None:
        declares(DECIDED.format(TOPIC, 3, 2))

    person = walker(healthy_lab)
    record = person.walks(
        Walked(operator.folder, "topics#decide-how-durable-a-topic-is", lab.name),
        [
            *(does_nothing, third_copy(operator, lab), operator.types({"TOPIC": TOPIC})),
            *(makes_the_producer_wait, says_what_was_decided),
        ],
    )
    notes(person.lines("topics#decide-how-durable-a-topic-is"))
    assert completed(record), record.entries[-3:]
    assert topic_setting(lab, TOPIC, "min.insync.replicas") == "2"
    operator.counts()
    keeps(record, "plain", person.way, person.noticed, operator.ledger)


def test_points_of_failure_are_looked_for(healthy_lab: LabState, tmp_path: Path, keeps: Keep) -> None:
    lab = healthy_lab
    writes(tmp_path, lab, {})
    operator = Operator(lab, tmp_path)
    record = Walked(tmp_path, "ha#assess-single-points-of-failure", lab.name).by(
        [operator.types({"ENVIRONMENT": lab.name}), *[does_nothing] * 6]
    )
    assert completed(record), record.entries[-3:]
    keeps(record, "plain; what it asks people was left to them")
