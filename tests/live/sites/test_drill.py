"""A failover drilled on two real clusters with MirrorMaker between them: what is measured as lost is what was lost."""

import json
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import yaml
from confluent_kafka import OFFSET_BEGINNING, Consumer, TopicPartition

import kafka_lab as labs
from kafka_lab import LabState, link, mirrors
from kafka_lab.admin import end_offsets, partitions
from kafka_lab.errors import LabError
from kafka_lab.processes import terminate
from kafka_lab.state import known
from runbook.plugins.request import CANARY, requests
from runbook.procedure.loss_seen import loss_seen
from runbook.procedure.walk_record import Judged
from support.driven_drill import PATIENCE, RUNBOOK, STEP, Drill, figures, soon
from support.request_logs import used, written_down
from support.small_runbooks import FRONT, check_text

pytestmark = [pytest.mark.live, pytest.mark.thorough]
KEPT = ("the-failover-was-drilled", "the-drill-kept-the-rpo", "the-drill-kept-the-rto")
STEPS_UNTIL_WRITERS_MOVE, STEPS_AFTER = 6, 2  # of dr#fail-over
PROCEDURE = """```yaml {.procedure}
id: failover
title: The standby takes over
loses: source
before: [answers]
steps:
  - do: Make sure that the primary takes no more records.
  - do: Point producers at the standby.
    switch: writers
    verify: [answers]
after: [answers]
```
"""
ANSWERS = "facts: {broker: {probe: kafka_broker}}\nexpect: {each: broker, that: '!broker.fenced'}\n"


@pytest.fixture
def whole(sites: LabState) -> Iterator[LabState]:
    """Both sites, whose link a test may cut."""
    yield sites
    link.mend(known(sites.name, Path(sites.folder).parent))


@pytest.fixture
def folder(whole: LabState, tmp_path: Path) -> Path:
    """A runbook with the procedure, and the lab's inventory with consent to a canary."""
    (tmp_path / "ours.md").write_text(FRONT + check_text(ANSWERS, "answers") + PROCEDURE, "utf-8")
    found = labs.running_inventory(Path(whole.folder).parent)
    assert found is not None
    inventory = yaml.safe_load(found.read_text("utf-8"))
    [mirror] = inventory["mirrors"]
    # what a drill leaves is not the next's
    mirror["canary"] = {"topic": tmp_path.name, "rate": 20, "acks": 1, "wait": 3}
    standby = inventory["environments"][mirror["to"]]
    standby["records"] = {"drills": str(tmp_path / "drills")}
    standby.get("absent", {}).pop("records", None)
    (tmp_path / "environments.yaml").write_text(yaml.safe_dump(inventory), "utf-8")
    return tmp_path


def begin(folder: Path, lab: LabState, procedure: str = "ours.md#failover") -> Drill:
    """A drill over the link."""
    return Drill(folder, procedure, "--env", lab.name, "--to", mirrors.standby_of(lab).name)


@pytest.fixture
def drill(folder: Path, whole: LabState) -> Iterator[Drill]:
    begun = begin(folder, whole)
    yield begun
    begun.close()


def of_canary(lab: LabState, folder: Path) -> list[str]:
    """The topics of this drill at a site."""
    return [name for name in partitions(lab) if folder.name in name]


def copied(there: LabState, folder: Path) -> str:
    """What the link makes of the canary's topic."""

    def found() -> list[str]:
        return [name for name in of_canary(there, folder) if name.startswith(mirrors.remote(""))]

    soon(lambda: bool(found()))
    return found()[0]


def written_to(lab: LabState, topic: str) -> int:
    """How many records a topic has; a leader that has just come back can't tell for a moment."""
    offsets: list[int] = []

    def now() -> bool:
        with suppress(LabError):
            offsets.append(end_offsets(lab, topic))
        return bool(offsets)

    soon(now)
    return offsets[0]


def numbers(lab: LabState, topic: str) -> list[int]:
    """The numbers of the records of a topic, by a consumer of this test's own."""
    settings = {"bootstrap.servers": lab.bootstrap, "group.id": "counting", "enable.auto.commit": False}
    consumer = Consumer(settings)
    consumer.assign([TopicPartition(topic, number, OFFSET_BEGINNING) for number in partitions(lab)[topic]])
    found: list[int] = []
    wanted, end = written_to(lab, topic), time.monotonic() + PATIENCE
    while len(found) < wanted and time.monotonic() < end:
        found += [int(record.value().split(b" ")[1]) for record in consumer.consume(500, 1) if record.error() is None]
    consumer.close()
    assert len(found) == wanted
    return found


@pytest.fixture
def failover(folder: Path, whole: LabState) -> Iterator[Drill]:
    """A drill of the procedure that dr.md has for this night."""
    begun = begin(folder, whole, "dr#fail-over")
    yield begun
    begun.close()


def verdicts(folder: Path, there: LabState, **promise: str) -> dict[str, str]:
    """What dr.md says of the drill, with such a promise."""
    file = folder / "environments.yaml"
    inventory = yaml.safe_load(file.read_text("utf-8"))
    inventory["mirrors"][0]["promises"] = [promise]
    file.write_text(yaml.safe_dump(inventory), "utf-8")
    command = [RUNBOOK, "check", "dr", "--env", there.name, "--format", "json", "--deadline", "30s"]
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=800, check=False)
    outcomes = {result["check"].removeprefix("dr/"): result["outcome"] for result in json.loads(done.stdout)["results"]}
    return {
        name: outcomes[name]
        for name in ("the-failover-was-drilled", "the-drill-kept-the-rpo", "the-drill-kept-the-rto")
    }


def test_what_was_acknowledged_after_the_link_was_cut_is_what_is_lost(whole: LabState, folder: Path, failover: Drill):
    drill = failover
    there = mirrors.standby_of(whole)
    drill.until(STEP)
    soon(lambda: end_offsets(there, copied(there, folder)) > 40)
    link.cut(whole)
    [topic] = of_canary(whole, folder)
    before = end_offsets(whole, topic)
    soon(lambda: end_offsets(whole, topic) > before + 60)
    for broker in whole.brokers:
        terminate(broker.process, patience=0)
    drill.answer()
    for _ in range(STEPS_UNTIL_WRITERS_MOVE - 1):
        drill.until(STEP)
        drill.answer()
    drill.until("the canary moves with the producers")
    for _ in range(STEPS_AFTER):
        drill.until(STEP)
        drill.answer()
    drill.until("gate after:")
    there_in_the_end = len(set(numbers(there, copied(there, folder))))
    code, record = drill.end()
    assert code == 0, drill.output
    measured = figures(record)
    assert measured.unknown == {}
    assert measured.rpo_records == measured.acknowledged - there_in_the_end
    assert measured.rpo_records >= 60
    assert measured.rpo_seconds is not None
    assert measured.rpo_seconds > 2
    assert measured.rto_write is not None
    assert measured.rto_read is not None
    assert measured.rto_write > 0
    assert measured.rto_read > 0
    assert measured.duplicates == 0
    assert {result.subject for gate in record.entries if isinstance(gate, Judged) for result in gate.seen} == {
        there.name
    }
    assert measured.left == [f"{topic} at {whole.name}"]
    found = loss_seen(record.entries)
    assert found.seen, found
    assert found.text.startswith(whole.name)
    assert measured.caveats[-1] == str(found)

    assert verdicts(folder, there, rpo="1h", rto="1h") == dict.fromkeys(KEPT, "pass")
    assert [*verdicts(folder, there, rpo="1s", rto="1s").values()] == ["pass", "fail", "fail"]
    assert of_canary(there, folder) == []
    # What the primary still has when it is back agrees, but for the last moments: what was on its way may have been
    # written, and with acks=1 what only a leader had may have gone with it.
    labs.heal(whole.name, home=Path(whole.folder).parent)
    written = len(set(numbers(known(whole.name, Path(whole.folder).parent), topic)))
    assert abs(written - measured.acknowledged) <= 20


def test_a_canary_sends_what_is_listed_and_nothing_else(whole: LabState, folder: Path):
    there = mirrors.standby_of(whole)
    file = folder / "environments.yaml"
    inventory = yaml.safe_load(file.read_text("utf-8"))
    named = {"client.id": "the-canary"}
    inventory["mirrors"][0]["canary"] |= {"source": {**named}, "target": {**named}, "acks": "all"}
    file.write_text(yaml.safe_dump(inventory), "utf-8")
    with written_down(whole, there):
        drill = begin(folder, whole)
        try:
            for _ in range(2):
                drill.until(STEP)
                drill.answer()
            code, record = drill.end()
        finally:
            drill.close()
    assert code == 0, drill.output
    assert figures(record).unknown == {}
    listed = {request.parts["key"]: request for request in requests(["kafka", CANARY])}
    seen = used("the-canary", whole, there)
    assert {key for key in seen if key not in listed} == set()
    assert {
        request.request for key, request in listed.items() if request.connection == CANARY and key not in seen
    } == set()


def test_a_planned_failover_loses_nothing_and_leaves_nothing_behind(whole: LabState, folder: Path, drill: Drill):
    there = mirrors.standby_of(whole)
    drill.until(STEP)
    soon(lambda: end_offsets(there, copied(there, folder)) > 40)
    drill.answer()
    drill.until(STEP)
    drill.answer()
    code, record = drill.end()
    assert code == 0, drill.output
    measured = figures(record)
    assert measured.unknown == {}
    assert (measured.rpo_records, measured.rpo_seconds, measured.duplicates, measured.left) == (0, 0.0, 0, [])
    assert measured.acknowledged > 40
    assert not loss_seen(record.entries).seen  # nothing was lost, so nothing is proved of a loss
    assert of_canary(whole, folder) == []
    report = json.loads(
        subprocess.run(
            [RUNBOOK, "probe", "drill", "--env", there.name, "--format", "json"],
            cwd=folder,
            capture_output=True,
            timeout=800,
            check=True,
        ).stdout
    )
    assert "ours/failover" in json.dumps(report)
