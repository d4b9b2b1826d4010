"""The probes on a real cluster: healthy, with a frozen broker, and with its controller frozen a moment ago."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import Producer

import kafka_lab as labs
from kafka_lab import LabState
from kafka_lab.admin import newest_records, partitions
from kafka_lab.admin import settings as client_settings
from kafka_lab.content import create_topics, delete_topics, write_records
from kafka_lab.processes import freeze, thaw
from runbook.answers.kafka import TopicPartition
from runbook.answers.kafka.offsets import NEWEST
from runbook.connections.kafka import connect
from runbook.connections.kafka.newest import CLOSE
from runbook.model import moment
from runbook.model.errors import CannotLook
from runbook.model.fact import Fact, tabulate
from runbook.model.probe import Deadline
from runbook.model.quantity import PartitionNumber
from runbook.plugins.catalog import catalog
from runbook.probes import kafka_partition_offset
from support.busy_machine import LATE
from support.documented_rights import kafka_probes

pytestmark = pytest.mark.live

DEADLINE, PATIENCE = 90.0, 20.0  # seconds; more than a user has, as a busy machine lets brokers wait that live
LOADED_WITHIN = 60.0
WITHOUT_SECURITY = {"kafka_acl", "kafka_quota", "kafka_scram_user"}  # a plain lab has none of them
PROBES = kafka_probes()
BUSY = "a-follower-lacks-some"
ATTEMPTS = 5  # controllers take a replica out of those in sync after 6 s, on a busy machine before anybody has looked
GIVEN: dict[str, dict[str, Any]] = {"kafka_record_of_age": {"ages": ["*=1"]}}  # without, it tells of no topic


def observe_all(lab: LabState) -> dict[str, Fact | CannotLook]:
    """Put every probe at the same time, as a worker does, and require the answers in time."""
    kafka = connect({"bootstrap.servers": lab.bootstrap}, Deadline(DEADLINE, patience=PATIENCE))

    def observed(name: str) -> Fact | CannotLook:
        module = catalog("probes").load(name)
        try:
            return tabulate(name, module.PROBE.columns, module.observe(kafka, **GIVEN.get(name, {})))
        except CannotLook as error:
            return error

    start = time.monotonic()
    with ThreadPoolExecutor(len(PROBES)) as pool:
        facts = dict(zip(PROBES, pool.map(observed, PROBES), strict=True))
    took = time.monotonic() - start
    kafka.close()
    assert took < DEADLINE + LATE
    return facts


def whole(fact: Fact | CannotLook) -> Fact:
    assert isinstance(fact, Fact)
    assert fact.complete, fact.gaps
    return fact


def loading(facts: dict[str, Fact | CannotLook]) -> bool:
    """Whether a broker that took groups over has not read them yet, which it says and which passes."""
    groups = facts["kafka_consumer_group"]
    return isinstance(groups, Fact) and any("still loading" in gap.reason for gap in groups.gaps)


@contextmanager
def frozen(lab: LabState, broker: int) -> Iterator[None]:
    """A broker that is frozen until the end of the block; by then all is well again, in the eyes of every broker."""
    process = lab.broker(broker).process
    assert process is not None
    freeze(process)
    try:
        yield
    finally:
        thaw(process)
        labs.heal(lab.name, home=Path(lab.folder).parent)


def test_a_healthy_cluster_leaves_nothing_open(healthy_lab: LabState, capfd: pytest.CaptureFixture[str]):
    facts = {name: whole(fact) for name, fact in observe_all(healthy_lab).items()}
    assert facts["kafka_cluster"].columns["cluster_id"] == [healthy_lab.cluster_id]
    assert facts["kafka_broker"].columns["answers"] == [True] * 3
    assert {name for name in PROBES if not len(facts[name])} == {
        "kafka_reassignment",
        "kafka_client_metrics",
        "kafka_group_member",
        *WITHOUT_SECURITY,
    }
    assert not [cell for cells in facts["kafka_partition"].columns.values() for cell in cells if cell is None]
    assert not [cell for cells in facts["kafka_topic"].columns.values() for cell in cells if cell is None]
    assert capfd.readouterr() == ("", "")


def test_while_a_follower_hangs_the_newest_record_that_all_have_is_told(healthy_lab: LabState) -> None:
    """A leader tells nothing of a record that followers lack, nor of the one before it, when asked for the newest."""
    create_topics(healthy_lab, {BUSY: (1, 3, {})})
    try:
        write_records(healthy_lab, BUSY, ["one that all have"])
        assert any(told_while_it_lacks_one(healthy_lab) for _ in range(ATTEMPTS))
    finally:
        delete_topics(healthy_lab, [BUSY])


def told_while_it_lacks_one(lab: LabState) -> bool:
    """Look while a follower lacks a record; False if the controllers took it out of the replicas in sync too early."""
    [all_have] = newest_records(lab, BUSY).values()
    [partition] = partitions(lab)[BUSY].values()
    [controller] = whole(observe_all(lab)["kafka_cluster"]).columns["controller"]
    with frozen(lab, next(number for number in (1, 2, 3) if number not in (partition.leader, controller))):
        time.sleep(1)  # whoever looks comes later than the record that all have
        producer = Producer(client_settings(lab) | {"acks": 1})
        producer.produce(BUSY, value=b"one that a follower lacks")
        producer.flush(PATIENCE)
        kafka = connect({"bootstrap.servers": lab.bootstrap}, Deadline(DEADLINE, patience=PATIENCE))
        [row] = kafka_partition_offset.observe(kafka, topics=[BUSY]).rows
        place = TopicPartition(BUSY, PartitionNumber(0))
        asked = kafka.places({place: kafka.topics()[BUSY][0]}, {place: NEWEST})[0]
        kafka.close()
    if asked[place].timestamp >= 0:
        return False
    assert isinstance(row, kafka_partition_offset.KafkaPartitionOffset)
    assert row.newest is not None
    assert moment.read(row.newest).timestamp() == pytest.approx(all_have, abs=CLOSE / 1000)
    return True


def test_nothing_is_created_by_looking(healthy_lab: LabState):
    before = whole(observe_all(healthy_lab)["kafka_topic"]).columns["name"]
    assert whole(observe_all(healthy_lab)["kafka_topic"]).columns["name"] == before


def test_a_frozen_broker_costs_its_own_answers_only(healthy_lab: LabState):
    home = Path(healthy_lab.folder).parent
    labs.break_(healthy_lab.name, "freeze-broker", home=home)
    facts = observe_all(healthy_lab)
    end = time.monotonic() + LOADED_WITHIN
    while loading(facts) and time.monotonic() < end:
        facts = observe_all(healthy_lab)
    brokers = whole(facts["kafka_broker"])
    assert brokers.columns["answers"] == [True, True, False]
    assert brokers.columns["fenced"] == [False, False, True]
    for name in ("kafka_topic", "kafka_partition", "kafka_feature", "kafka_consumer_group", "kafka_replica_balance"):
        whole(facts[name])
    for name in ("kafka_broker_config", "kafka_log_dir", "kafka_broker_setting"):
        fact: Any = facts[name]
        assert set(fact.columns["broker"]) == {1, 2}
        [gap] = fact.gaps
        assert gap.keys == {"broker": 3}
        assert "did not answer in" in gap.reason


def test_a_controller_frozen_a_moment_ago_takes_no_other_answer_with_it(healthy_lab: LabState):
    [controller] = whole(observe_all(healthy_lab)["kafka_cluster"]).columns["controller"]
    with frozen(healthy_lab, controller):
        facts = observe_all(healthy_lab)
    assert [row["answers"] for row in whole(facts["kafka_broker"]).rows() if row["broker"] == controller] == [False]
    for name in ("kafka_topic", "kafka_feature", "kafka_cluster"):
        whole(facts[name])
    # The others still call it in sync: that is told, and told to be hearsay.
    partitions: Any = facts["kafka_partition"]
    assert len(partitions) > 0
    assert [gap.keys for gap in partitions.gaps] in ([], [{"broker": controller}])
    for name in ("kafka_broker_config", "kafka_log_dir"):
        fact: Any = facts[name]
        assert [gap.keys for gap in fact.gaps] == [{"broker": controller}]
