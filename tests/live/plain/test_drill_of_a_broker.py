"""A broker that is killed in a drill: what was acknowledged is there, and writing stood still until a replica led."""

import json
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from confluent_kafka import Consumer, KafkaException, TopicPartition

import kafka_lab as labs
from kafka_lab import LabState
from kafka_lab.admin import partitions
from kafka_lab.processes import terminate
from kafka_lab.recovery import bring_back, make_whole
from runbook.plugins.request import CANARY, requests
from runbook.procedure.loss_seen import loss_seen
from runbook.procedure.walk_record import Ended, Judged, Record, Sighting
from support.driven_drill import RUNBOOK, STEP, Drill, figures, soon
from support.request_logs import used, written_down

pytestmark = pytest.mark.live
CHECK = "topologies/losing-a-broker-was-drilled"
BUSY = 20.0  # seconds
NAME = "a-canary-alone"
STEPS = 5  # of topologies#lose-a-broker


@pytest.fixture
def folder(healthy_lab: LabState, tmp_path: Path) -> Path:
    """The lab's inventory with consent to a canary, and a place for records of drills."""
    found = labs.running_inventory(Path(healthy_lab.folder).parent)
    assert found is not None
    inventory = yaml.safe_load(found.read_text("utf-8"))
    here = inventory["environments"][healthy_lab.name]
    here["canary"] = {"topic": tmp_path.name, "rate": 20, "kafka": {"client.id": NAME}}
    here["records"] = {"drills": str(tmp_path / "drills")}
    here.get("absent", {}).pop("records", None)
    (tmp_path / "environments.yaml").write_text(yaml.safe_dump(inventory), "utf-8")
    return tmp_path


@pytest.fixture
def drill(folder: Path, healthy_lab: LabState) -> Iterator[Drill]:
    """A drill of the procedure that topologies.md has for this; brokers write down what is asked of them."""
    with written_down(healthy_lab):
        begun = Drill(folder, "topologies#lose-a-broker", "--env", healthy_lab.name)
        try:
            yield begun
        finally:
            begun.close()
            bring_back(healthy_lab)


def verdict(folder: Path, lab: LabState, **params: float) -> str:
    """What topologies.md says of the drill, with such a promise."""
    file = folder / "environments.yaml"
    inventory = yaml.safe_load(file.read_text("utf-8"))
    inventory["environments"][lab.name]["params"] = {CHECK: params}
    file.write_text(yaml.safe_dump(inventory), "utf-8")
    command = [RUNBOOK, "check", "topologies", "--env", lab.name, "--format", "json", "--deadline", "30s"]
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=800, check=False, env=dict(os.environ))
    [outcome] = [result["outcome"] for result in json.loads(done.stdout)["results"] if result["check"] == CHECK]
    return str(outcome)


def leaders(lab: LabState, topic: str) -> dict[int, int]:
    """Who leads which partition, as the cluster says."""
    return {number: partition.leader for number, partition in partitions(lab)[topic].items()}


def ends(lab: LabState, topic: str) -> dict[int, int]:
    """Up to where each partition has what every copy in sync has; nothing while a new leader can't tell yet."""
    consumer = Consumer({"bootstrap.servers": lab.bootstrap, "group.id": "looking"})
    try:
        parts = [TopicPartition(topic, number) for number in partitions(lab)[topic]]
        return {part.partition: consumer.get_watermark_offsets(part, timeout=30)[1] for part in parts}
    except KafkaException:
        return {}
    finally:
        consumer.close()


def grown(lab: LabState, topic: str) -> None:
    """Wait until every partition has grown."""
    first: dict[int, int] = {}

    def now() -> bool:
        found = ends(lab, topic)
        first.update(found if not first else {})
        return bool(found) and all(end > first[partition] for partition, end in found.items())

    soon(now)


def saw(record: Record, lost: int, lab: LabState) -> str:
    """What the looks of a drill showed of the broker that was killed, in its record's words."""
    found = loss_seen(record.entries)
    assert found.seen, found
    assert found.text.startswith(f"broker {lost} served at ")
    looks = [entry for entry in record.entries if isinstance(entry, Sighting)]
    assert looks[0].serving == sorted(broker.number for broker in lab.brokers)
    assert [lost] in [look.gone for look in looks]
    assert lost in looks[-1].serving
    return str(found)


def test_a_killed_broker_costs_no_acknowledged_record_and_the_time_until_a_replica_leads(
    healthy_lab: LabState, folder: Path, drill: Drill
):
    lab = healthy_lab
    drill.until(STEP)
    [topic] = [name for name in partitions(lab) if folder.name in name]
    assert {len(partition.replicas) for partition in partitions(lab)[topic].values()} == {3}
    led = leaders(lab, topic)
    assert sorted(led.values()) == sorted(broker.number for broker in lab.brokers)  # whichever is lost led one
    lost = lab.brokers[-1].number
    [orphan] = [partition for partition, leader in led.items() if leader == lost]
    drill.answer()

    drill.until(STEP)
    killed = time.monotonic()
    terminate(lab.broker(lost).process, patience=0)
    soon(lambda: leaders(lab, topic)[orphan] not in (lost, -1))
    grown(lab, topic)
    whole_gap = time.monotonic() - killed
    drill.answer()
    drill.until(STEP)
    drill.answer()

    drill.until(STEP)
    bring_back(lab)
    drill.answer()
    drill.until(STEP)
    make_whole(lab)
    drill.answer()
    code, record = drill.end()

    assert code == 0, drill.output
    assert [entry.open for entry in record.entries if isinstance(entry, Judged)] == [True] * 5
    assert isinstance(record.entries[-1], Ended)
    assert (record.begun.source, record.begun.target) == ("", lab.name)
    measured = figures(record)
    assert measured.unknown == {}
    assert measured.caveats == [saw(record, lost, lab)]
    assert measured.caveats[0] in " ".join(drill.output.split())
    assert (measured.rpo_records, measured.rpo_seconds, measured.duplicates, measured.left) == (0, 0.0, 0, [])
    assert measured.acknowledged > 0
    assert measured.rto_write is not None
    assert measured.rto_read is not None
    # A broker that dies without a word is missed after seconds; then replicas are promoted, and what this test waited
    # for has come, on every partition. The machine may be busy, and what is measured waits for its turn too.
    assert 1 < measured.rto_write < whole_gap + BUSY
    assert 1 < measured.rto_read < whole_gap + BUSY
    assert not [name for name in partitions(lab) if folder.name in name]
    assert f"a partition acknowledged nothing for {measured.rto_write:,.1f} s at most" in drill.output

    listed = {request.parts["key"] for request in requests(["kafka", CANARY])}
    assert used(NAME, lab) - listed == set()

    assert verdict(folder, lab, seconds=measured.rto_write + 0.001) == "pass"
    assert verdict(folder, lab, seconds=0.0) == "fail"


def test_a_drill_in_which_everybody_presses_enter_proves_nothing(healthy_lab: LabState, folder: Path, drill: Drill):
    for _ in range(STEPS):
        drill.until(STEP)
        drill.answer()
    code, record = drill.end()
    assert code == 0, drill.output
    found = loss_seen(record.entries)
    assert not found.seen
    assert found.text.startswith("at none of ")
    assert figures(record).rpo_records == 0
    assert verdict(folder, healthy_lab, seconds=999.0) == "unknown"
