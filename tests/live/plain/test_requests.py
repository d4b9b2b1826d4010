"""What is sent to a real cluster, as its brokers write it down, is on the published list; nothing is changed by it."""

import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kafka_lab import LabState
from kafka_lab.admin import change_settings
from kafka_lab.admin import settings as client_settings
from runbook.connections.kafka import connect
from runbook.model.probe import Deadline
from runbook.plugins.request import requests
from runbook.run.sources.runbooks import builtin_names
from support.built_in import all_built_in

pytestmark = pytest.mark.live

RUNBOOK = str(Path(sys.executable).with_name("runbook"))
LOGGER = "kafka.request.logger"
NAME = "runbook-recorded"
RUNS = 4
"""How many generated runs are made in every run of the tests."""
THOROUGH = int(os.environ.get("RUNBOOK_GENERATED_RUNS", "24"))
"""How many `make test-live` makes; 1,000 take some twenty minutes, and a --timeout that lets them."""

CHECKS = sorted({check.name for book in all_built_in() for check in book.checks()})


@pytest.fixture
def named_inventory(lab_inventory: Path, tmp_path: Path) -> Path:
    """The lab's inventory, with a client id that nobody else has."""
    inventory = tmp_path / "environments.yaml"
    text = lab_inventory.read_text("utf-8")
    inventory.write_text(text.replace("kafka:\n", f"kafka:\n      client.id: {NAME}\n", 1), "utf-8")
    assert NAME in inventory.read_text("utf-8")
    return inventory


@pytest.fixture
def recorded(healthy_lab: LabState) -> Iterator[LabState]:
    """The lab with its brokers writing down the header of every request that they complete."""
    numbers = [str(broker.number) for broker in healthy_lab.brokers]
    change_settings(healthy_lab, "broker_logger", {number: {LOGGER: "DEBUG"} for number in numbers})
    yield healthy_lab
    change_settings(healthy_lab, "broker_logger", {number: {LOGGER: None} for number in numbers})


def run(inventory: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [RUNBOOK, *arguments, "-i", str(inventory), "--deadline", "30s"]
    return subprocess.run(command, capture_output=True, text=True, timeout=800, check=False)


def written_down(lab: LabState) -> dict[str, set[int]]:
    """Client id -> numbers of the APIs it used, by the request logs of all brokers."""
    seen: dict[str, set[int]] = {}
    for broker in lab.brokers:
        for file in sorted(lab.log_of(broker).parent.glob(f"{lab.log_of(broker).name}*")):
            for line in file.read_text("utf-8", "replace").splitlines():
                if '"requestHeader":' in line and "Completed request" in line:
                    header = json.loads(line[line.index("{") : line.rindex("}") + 1])["requestHeader"]
                    seen.setdefault(header["clientId"], set()).add(header["requestApiKey"])
    return seen


def wait_for_record(lab: LabState, name: str) -> set[int]:
    end = time.monotonic() + 30
    while name not in (seen := written_down(lab)) and time.monotonic() < end:
        time.sleep(0.5)
    return seen[name]


def test_all_runbooks_and_all_probes_together_send_nothing_that_is_not_published(
    recorded: LabState, named_inventory: Path
):
    assert run(named_inventory, "check").returncode in (0, 1, 3)
    run(named_inventory, "env")
    listed = {request.parts["key"]: request.request for request in requests(["kafka"])}
    seen = wait_for_record(recorded, NAME)
    assert {key for key in seen if key not in listed} == set()
    # The record is one: what every run asks is in it, and a request that changes something would be.
    assert {"Metadata", "DescribeConfigs", "DescribeCluster", "ListGroups"} <= {listed[key] for key in seen}


def test_a_request_that_changes_something_would_stand_in_the_record(recorded: LabState):
    from confluent_kafka.admin import AdminClient, NewTopic

    admin = AdminClient(client_settings(recorded) | {"client.id": "writer"})
    [future] = admin.create_topics([NewTopic("recorded", 1, 1)], validate_only=True).values()
    future.result(timeout=30)
    # CreateTopics
    assert 19 in wait_for_record(recorded, "writer") - {request.parts["key"] for request in requests(["kafka"])}


def state(lab: LabState) -> dict[str, str]:
    """A digest of each thing that a client could have changed: topics, settings, records, groups, ACLs, logins, quotas.

    Kafka itself takes groups away that have neither members nor offsets, and writes that down in __consumer_offsets,
    every ten minutes; so of groups the offsets are compared, which are what they leave there.
    """
    from confluent_kafka import ConsumerGroupTopicPartitions, TopicPartition
    from confluent_kafka.admin import AdminClient, ConfigResource, OffsetSpec, ResourceType

    admin = AdminClient(client_settings(lab))
    topics = admin.list_topics(timeout=30).topics
    placed = {name: {n: sorted(p.replicas) for n, p in topic.partitions.items()} for name, topic in topics.items()}
    resources = [ConfigResource(ResourceType.TOPIC, name) for name in sorted(topics)]
    found: dict[str, Any] = {"topics": placed, "settings": {}, "offsets": {}}
    for asked in (resources, *([ConfigResource(ResourceType.BROKER, str(broker.number))] for broker in lab.brokers)):
        for resource, future in admin.describe_configs(asked).items():
            values = {name: (entry.value, entry.source) for name, entry in future.result(timeout=30).items()}
            found["settings"][f"{resource.restype.name} {resource.name}"] = values
    for group in sorted(group_.group_id for group_ in admin.list_consumer_groups().result(timeout=30).valid):
        [future] = admin.list_consumer_group_offsets([ConsumerGroupTopicPartitions(group)]).values()
        if committed := sorted((p.topic, p.partition, p.offset) for p in future.result(timeout=30).topic_partitions):
            found["offsets"][group] = committed
    kept = [TopicPartition(t, n) for t in placed for n in placed[t] if t != "__consumer_offsets"]
    ends = admin.list_offsets({topic_partition: OffsetSpec.latest() for topic_partition in kept})
    found["ends"] = sorted((end.topic, end.partition, future.result(timeout=30).offset) for end, future in ends.items())
    kafka = connect(client_settings(lab) | {"client.id": "digest"}, Deadline(60, patience=30))
    found["acls"], found["logins"], found["quotas"] = (str(kafka.acls()), str(kafka.logins()), str(kafka.quotas()))
    kafka.close()
    return {part: hashlib.sha256(_written(value)).hexdigest() for part, value in found.items()}


def _written(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, default=str).encode()


COMMANDS = st.one_of(
    st.tuples(st.just("check"), st.sampled_from([*builtin_names(), ""])).map(lambda words: [w for w in words if w]),
    st.lists(st.sampled_from(CHECKS), min_size=1, max_size=5, unique=True).map(
        lambda names: ["check", *(word for name in names for word in ("--only", name))]
    ),
    st.sampled_from(["low", "high", "critical"]).map(lambda level: ["check", "--severity", level]),
    st.sampled_from(["durability", "availability", "latency"]).map(lambda goal: ["check", "--objective", goal]),
    st.sampled_from([["what-if"], ["env"], ["probe", "kafka_topic"], ["probe", "kafka_consumer_group"]]),
)
OPTIONS = st.sampled_from([[], ["--format", "json"], ["--full"], ["--rows", "all"]])


@pytest.mark.parametrize("runs", [RUNS, pytest.param(THOROUGH, marks=pytest.mark.thorough)])
def test_no_generated_run_changes_the_state_of_the_cluster(healthy_lab: LabState, named_inventory: Path, runs: int):
    made: list[int] = []

    @settings(max_examples=runs, suppress_health_check=list(HealthCheck))
    @given(command=COMMANDS, options=OPTIONS)
    def look(command: list[str], options: list[str]) -> None:
        done = run(named_inventory, *command, *(options if command[0] == "check" else []))
        assert done.returncode in (0, 1, 3, 4), done.stderr
        made.append(done.returncode)

    before = state(healthy_lab)
    look()
    assert len(made) >= min(runs, 4)
    assert state(healthy_lab) == before


def test_the_state_tells_a_change(healthy_lab: LabState):
    before = state(healthy_lab)
    assert state(healthy_lab) == before
    change_settings(healthy_lab, "topic", {"orders": {"retention.ms": "1000000"}})
    try:
        end = time.monotonic() + 30
        while state(healthy_lab) == before and time.monotonic() < end:
            time.sleep(0.5)
        assert state(healthy_lab) != before
    finally:
        change_settings(healthy_lab, "topic", {"orders": {"retention.ms": None}})
