"""Each fault on a real cluster: what it changes, and that healing puts it back."""

import os
import signal
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import kafka_lab as labs
from kafka_lab.admin import kafka_python, live_brokers, partitions, settings
from kafka_lab.processes import gone
from kafka_lab.state import LabState, known

pytestmark = [pytest.mark.live, pytest.mark.xdist_group("plain")]  # its `lab` is the one of the session


@pytest.fixture
def lab(healthy_lab: LabState) -> Iterator[LabState]:
    """The healthy lab; whatever the test did, its cluster is the same afterwards."""
    before = picture(healthy_lab)
    yield healthy_lab
    home = Path(healthy_lab.folder).parent
    labs.heal(healthy_lab.name, home=home)
    assert picture(known(healthy_lab.name, home)) == before


def picture(lab: LabState) -> dict[str, Any]:
    """All that a fault may change."""
    topics = {
        name: [
            (partition.leader, list(partition.replicas), sorted(partition.isrs))
            for _, partition in sorted(found.items())
        ]
        for name, found in partitions(lab).items()
    }
    conditions = [broker.condition for broker in lab.brokers]
    return {"topics": topics, "settings": dynamic_settings(lab), "conditions": conditions, "live": live_brokers(lab)}


def dynamic_settings(lab: LabState) -> dict[str, Any]:
    from kafka.admin import ConfigResource

    resources = [ConfigResource("broker", str(broker.number)) for broker in lab.brokers]
    resources += [ConfigResource("topic", name) for name in partitions(lab)]
    with kafka_python(lab) as admin:
        found = admin.describe_configs(resources, config_filter="all")
    wanted = ("min.insync.replicas", "unclean.leader.election.enable", "num.io.threads", "throttled")
    return {
        f"{kind} {name} {key}": setting["value"]
        for kind, by_name in found.items()
        for name, entries in by_name.items()
        for key, setting in entries.items()
        if any(part in key for part in wanted)
    }


def inject(lab: LabState, fault: str) -> LabState:
    home = Path(lab.folder).parent
    labs.break_(lab.name, fault, home=home)
    broken = known(lab.name, home)
    assert broken.faults == [fault]
    return broken


def conditions(lab: LabState) -> list[str]:
    return [broker.condition for broker in lab.brokers]


def in_sync(lab: LabState) -> set[int]:
    return {number for found in partitions(lab).values() for partition in found.values() for number in partition.isrs}


def written(lab: LabState, topic: str) -> str | None:
    """The name of the error when a record is written with acks=all; None when it was taken."""
    from confluent_kafka import Producer

    answers: list[str | None] = []
    producer = Producer(settings(lab) | {"acks": "all", "message.timeout.ms": 3000, "retries": 0})
    producer.produce(topic, value="x", on_delivery=lambda error, _: answers.append(error.name() if error else None))
    producer.flush(10)
    return answers[0]


def test_a_healthy_lab_is_healthy(lab: LabState) -> None:
    topics = partitions(lab)
    assert {"orders", "payments", "clicks", "__consumer_offsets", "__transaction_state"} <= set(topics)
    everything = [partition for found in topics.values() for partition in found.values()]
    assert all(
        len(partition.isrs) == len(partition.replicas) == 3 and partition.leader == partition.replicas[0]
        for partition in everything
    )
    assert live_brokers(lab) == {1, 2, 3}
    assert {value for key, value in dynamic_settings(lab).items() if "min.insync" in key} == {"2"}
    assert written(lab, "orders") is None


def test_stop_broker_takes_broker_2_out_and_writes_go_on(lab: LabState) -> None:
    broken = inject(lab, "stop-broker")
    assert conditions(broken) == ["alive", "stopped", "alive"]
    assert live_brokers(broken) == in_sync(broken) == {1, 3}
    assert written(broken, "orders") is None


def test_freeze_broker_leaves_a_process_that_answers_nobody(lab: LabState) -> None:
    broken = inject(lab, "freeze-broker")
    assert conditions(broken) == ["alive", "alive", "frozen"]
    assert live_brokers(broken) == in_sync(broken) == {1, 2}


def test_lose_rack_takes_every_broker_of_the_rack(lab: LabState) -> None:
    broken = inject(lab, "lose-rack")
    assert [broker.rack for broker in broken.brokers if broker.condition == "stopped"] == ["az-c"]
    assert live_brokers(broken) == in_sync(broken) == {1, 2}


def test_lose_quorum_leaves_one_broker_and_no_majority(lab: LabState) -> None:
    broken = inject(lab, "lose-quorum")
    assert conditions(broken) == ["alive", "stopped", "stopped"]
    assert written(broken, "orders") is not None


def test_shrink_isr_refuses_writers_while_all_brokers_live(lab: LabState) -> None:
    broken = inject(lab, "shrink-isr")
    assert conditions(broken) == ["alive", "alive", "alive"]
    assert live_brokers(broken) == {1, 2, 3}
    payments = partitions(broken)["payments"].values()
    assert all(len(payment.replicas) == 3 and len(payment.isrs) == 1 for payment in payments)
    assert written(broken, "payments") == "NOT_ENOUGH_REPLICAS"
    assert written(broken, "orders") is None
    time.sleep(3)
    assert all(len(partition.isrs) == 1 for partition in partitions(broken)["payments"].values())


def test_unsafe_topic_creates_three_bad_topics(lab: LabState) -> None:
    broken = inject(lab, "unsafe-topic")
    assert {len(partition.replicas) for partition in partitions(broken)["audit"].values()} == {1}
    found = dynamic_settings(broken)
    assert found["topic invoices min.insync.replicas"] == "3"
    assert found["topic sessions unclean.leader.election.enable"] == "true"


def test_unsafe_broker_settings_reach_every_broker_and_one_differs(lab: LabState) -> None:
    broken = inject(lab, "unsafe-broker-settings")
    found = dynamic_settings(broken)
    for number in (1, 2, 3):
        assert found[f"broker {number} min.insync.replicas"] == "1"
        assert found[f"broker {number} unclean.leader.election.enable"] == "true"
    assert found["broker 2 num.io.threads"] == "4"
    assert found.get("broker 1 num.io.threads", "8") == "8"
    assert found["topic clicks min.insync.replicas"] == "1"


def test_skew_leadership_has_broker_1_lead_what_others_should(lab: LabState) -> None:
    broken = inject(lab, "skew-leadership")
    everything = [partition for found in partitions(broken).values() for partition in found.values()]
    assert {partition.leader for partition in everything} == {1}
    preferred = Counter(partition.replicas[0] for partition in everything)
    assert set(preferred) == {1, 2, 3}


def test_faults_add_up_and_heal_together(lab: LabState) -> None:
    home = Path(lab.folder).parent
    for fault in ("unsafe-topic", "skew-leadership", "stop-broker"):
        labs.break_(lab.name, fault, home=home)
    assert labs.heal(lab.name, home=home) == ["stop-broker", "skew-leadership", "unsafe-topic"]


def test_a_broker_killed_by_hand_is_healed_too_under_a_fault_that_concerns_it(lab: LabState) -> None:
    inject(lab, "unsafe-broker-settings")
    process = lab.broker(2).process
    assert process is not None
    os.kill(process.pid, signal.SIGKILL)
    assert gone(process, 5)
    assert labs.heal(lab.name, home=Path(lab.folder).parent) == ["unsafe-broker-settings"]
    assert live_brokers(lab) == {1, 2, 3}
