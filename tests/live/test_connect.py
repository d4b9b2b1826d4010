"""A real Connect cluster of two workers: `runbook check error-handling` when all is well, and when it is not."""

import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
import yaml
from confluent_kafka import Producer

from runbook import lab as labs
from runbook.lab import LabState
from runbook.lab.admin import committed, end_offsets
from runbook.lab.connect import wait_for_state, workers_of
from runbook.lab.content import create_topics, delete_topics, write_records
from runbook.lab.jars import KAFKA_VERSION, Jar, Wanted, fetch_jars
from runbook.lab.java import find_java
from runbook.lab.places import cache_home
from runbook.lab.waiting import wait_until
from shown_commands import shown_by

RUNBOOK = str(Path(sys.executable).with_name("runbook"))
MADE_UP = "lab-made-up-password"  # of the fault plain-secret
pytestmark = pytest.mark.live

OF_CONNECT = {
    "connect-workers-answer",
    "tasks-are-where-a-worker-answers",
    "connect-workers-are-alike",
    "connect-plugins-are-everywhere",
    "connect-works-with-this-cluster",
    "connect-work-is-shared",
    "connectors-run",
    "tasks-run",
    "connectors-have-tasks",
    "sinks-drop-nothing-silently",
    "dead-letters-of-sinks-tell-why",
    "dead-letter-topics-of-sinks-exist",
    "dead-letters-of-sinks-are-as-safe-as-their-source",
    "connect-topics-are-compacted",
    "connect-topics-have-three-copies",
    "connect-topics-have-the-right-partitions",
    "connectors-keep-secrets-elsewhere",
    "skipped-records-become-dead-letters",
    "tasks-have-met-no-errors-of-late",
}
OF_RETRIES = {"retries-tell-how-often", "set-aside-records-tell-their-group", "retries-are-not-overdue"}
OF_DEAD_LETTERS = {
    "sources-have-dead-letter-topics",
    "error-topics-are-as-safe-as-their-source",
    "dead-letters-are-kept-long-enough",
    "dead-letters-are-not-compacted",
    "dead-letters-of-sinks-are-dated-by-arrival",
    "dead-letters-are-watched",
    "dead-letters-do-not-grow",
    "no-group-waits-at-a-record",
}


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabState]:
    """A lab with Connect, whose workers show what they measure, in a folder of its own."""
    home = tmp_path_factory.mktemp("connect")
    try:
        yield labs.up("connect", home=home, progress=lambda _: None, with_parts=["jmx", "connect"])
    finally:
        labs.down("connect", home=home)


@pytest.fixture
def healthy(lab: LabState) -> Iterator[LabState]:
    """The lab, healed afterwards."""
    yield lab
    labs.heal(lab.name, home=Path(lab.folder).parent)


def params(lab: LabState, **of: dict[str, Any]) -> Path:
    """An inventory of the lab with other parameters of checks."""
    found = yaml.safe_load(Path(lab.folder, "environments.yaml").read_text("utf-8"))
    for check, values in of.items():
        name = f"error-handling/{check.replace('_', '-')}"
        found["environments"][lab.name].setdefault("params", {})[name] = values
    file = Path(lab.folder, "with-params.yaml")
    file.write_text(yaml.safe_dump(found), "utf-8")
    return file


def inject(lab: LabState, *faults: str) -> None:
    for fault in faults:
        labs.break_(lab.name, fault, home=Path(lab.folder).parent)


def checked(lab: LabState, *options: str, inventory: Path | None = None) -> str:
    """The report as JSON, made with time for a busy machine."""
    file = str(inventory or Path(lab.folder, "environments.yaml"))
    command = [RUNBOOK, "check", "error-handling", "-i", file, "-f", "json", "--deadline", "40s", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=dict(os.environ), check=False)
    assert done.stderr == ""
    return done.stdout


def outcomes(report: str) -> dict[str, set[str]]:
    """The checks by outcome."""
    found: dict[str, set[str]] = {}
    for result in json.loads(report)["results"]:
        found.setdefault(result["outcome"], set()).add(result["check"].partition("/")[2])
    return found


def offending(report: str, check: str) -> list[dict[str, Any]]:
    """The keys of the rows that a check does not like."""
    [result] = [one for one in json.loads(report)["results"] if one["check"] == f"error-handling/{check}"]
    return [row["key"] for row in result["rows"]]


def test_a_cluster_that_is_well_passes(healthy: LabState):
    found = outcomes(checked(healthy))
    assert found.get("fail", set()) == set()
    assert found.get("unknown", set()) == set()
    assert found["pass"] >= OF_CONNECT | OF_DEAD_LETTERS


def test_what_is_wrong_with_connectors_fails_without_a_credential_and_a_record_can_be_skipped(healthy: LabState):
    inject(healthy, "poison-pill", "plain-secret", "unsafe-connect-topics")
    late = params(healthy, no_group_waits_at_a_record={"late": 1})
    report = checked(healthy, "--full", "--rows", "all", inventory=late)
    found = outcomes(report)
    assert found["fail"] >= {
        "tasks-run",
        "connectors-keep-secrets-elsewhere",
        "connect-topics-are-compacted",
        "connect-topics-have-three-copies",
        "connect-topics-have-the-right-partitions",
    }
    assert offending(report, "tasks-run") == [{"connector": "refunds-archive", "task": 0}]
    assert offending(report, "connect-topics-are-compacted") == [{"name": "old-connect-offsets"}]
    assert "connectors-run" in found["pass"]  # as Connect says while none of its tasks runs
    assert "JsonParseException" in report
    assert MADE_UP not in report
    stuck = {"group": "connect-refunds-archive", "topic": "refunds", "partition": 0}
    waiting = offending(report, "no-group-waits-at-a-record")  # one that has just begun may be among them
    assert stuck in waiting
    assert "connect-shipments-archive" not in {row["group"] for row in waiting}

    skip_by_rest(healthy, "refunds-archive", "refunds", 3)
    report = checked(healthy)
    assert offending(report, "tasks-run") == []
    archived = Path(healthy.folder, "data", "connect", "refunds.txt").read_text("utf-8")
    assert archived.splitlines() == ["{refund=1}", "{refund=2}", "{refund=4}"]


def test_dead_letters_are_seen_by_their_offsets_alone(healthy: LabState):
    inject(healthy, "dead-letters")
    report = checked(healthy, inventory=params(healthy, dead_letters_are_watched={"alerted": []}))
    assert offending(report, "no-new-dead-letters") == [{"topic": "shipments.dlq", "partition": 0}]
    assert offending(report, "dead-letters-are-watched") == [{"topic": "shipments.dlq"}]
    assert "dead-letters-do-not-grow" in outcomes(report)["pass"]  # all of them had arrived


def test_what_tasks_met_is_told_by_their_own_count(healthy: LabState):
    inject(healthy, "dead-letters")
    report = checked(healthy)
    assert offending(report, "tasks-have-met-no-errors-of-late") != []
    assert "skipped-records-become-dead-letters" in outcomes(report)["pass"]
    inject(healthy, "no-dead-letter-queue")  # the connector starts anew, and so do its counts

    def is_dropped() -> bool:
        write_records(healthy, "shipments", ["dropped without a word"])  # the task of before may still take the first
        report = checked(healthy, "--only", "skipped-records-become-dead-letters")
        return offending(report, "skipped-records-become-dead-letters") != []

    wait_until(is_dropped, "a skip", within=60)


def test_what_is_set_aside_is_judged_by_its_headers_where_it_may_be_read(healthy: LabState):
    inject(healthy, "dead-letters")
    assert "set-aside-records-tell-their-group" in outcomes(checked(healthy))["pass"]  # Connect names the connector
    write_records(healthy, "shipments.dlq", ["set aside by hand"])
    report = checked(healthy)
    assert [row["topic"] for row in offending(report, "set-aside-records-tell-their-group")] == ["shipments.dlq"]


def test_retries_are_judged_by_their_headers_once_the_inventory_allows_it(healthy: LabState):
    create_topics(healthy, {"parcels-retry": (1, 3, {})})
    try:
        retry(
            healthy,
            {"dlq.tries-left": b"2", "dlq.group": b"parcels", "dlq.next-try": b"%d" % ((time.time() + 60) * 1000)},
        )
        assert outcomes(checked(healthy))["unknown"] >= OF_RETRIES
        file = params(healthy)
        inventory = yaml.safe_load(file.read_text("utf-8"))
        inventory["environments"][healthy.name]["may_read"].append("*-retry")
        file.write_text(yaml.safe_dump(inventory), "utf-8")
        assert outcomes(checked(healthy, inventory=file))["pass"] >= OF_RETRIES
        retry(healthy, {"dlq.next-try": b"2026-01-01T00:00:00Z"})
        assert outcomes(checked(healthy, inventory=file))["fail"] >= OF_RETRIES
    finally:
        delete_topics(healthy, ["parcels-retry"])


def retry(lab: LabState, headers: dict[str, bytes]) -> None:
    """Write a record with headers to the topic for retries."""
    producer = Producer({"bootstrap.servers": lab.bootstrap})
    producer.produce("parcels-retry", value=b"{}", headers=list(headers.items()))
    assert producer.flush(30) == 0


def test_dead_letters_that_arrive_while_it_looks_are_seen(healthy: LabState):
    over = threading.Event()

    def trickle() -> None:
        while not over.wait(0.2):
            write_records(healthy, "shipments", ["no json at all"])

    writer = threading.Thread(target=trickle, daemon=True)
    writer.start()
    try:
        report = checked(healthy)
    finally:
        over.set()
        writer.join(30)
        inject(healthy, "dead-letters")  # whose healing empties the topic
    assert offending(report, "dead-letters-do-not-grow") == [{"topic": "shipments.dlq", "partition": 0}]


def test_the_commands_of_kafkas_tools_do_what_the_runbook_says(healthy: LabState):
    inject(healthy, "dead-letters", "poison-pill")
    wait_until_still(healthy, "shipments.dlq")  # of what the test before wrote, some may be on its way
    end = end_offsets(healthy, "shipments.dlq")  # offsets go on from those of tests before
    tools = Tools(
        healthy, {"TOPIC": "shipments.dlq", "GROUP": "connect-refunds-archive", "NAME": "refunds-archive"}, end
    )
    for name, line in shown_by("error-handling"):
        if name != "skip-a-record":
            tools.run(name, line)
    assert "org.apache.kafka.connect.errors.DataException" in tools.said("replay-dead-letters", "ConsoleConsumer")
    assert end >= 12
    assert end_offsets(healthy, "shipments.dlq") == end
    assert tools.said("replay-dead-letters", "DeleteRecordsCommand").count(f"low_watermark: {end}\n") == 1  # all of it

    ask("PUT", f"{workers_of(healthy)[0].url}/connectors/refunds-archive/stop")
    tools.placeholders["TOPIC"] = "refunds"
    for name, line in shown_by("error-handling"):
        if name == "skip-a-record":
            tools.run(name, line)
    assert "refund 3, by hand" in tools.said("skip-a-record", "ConsoleConsumer")
    assert committed(healthy, "connect-refunds-archive", "refunds") == 3
    delete_topics(healthy, ["orders.dlq"])


def wait_until_still(lab: LabState, topic: str) -> None:
    """Wait until no record has come to a topic for three seconds."""
    seen, since, end = -1, time.monotonic(), time.monotonic() + 90
    while time.monotonic() - since < 3 and time.monotonic() < end:
        time.sleep(0.3)
        if (now := end_offsets(lab, topic)) != seen:
            seen, since = now, time.monotonic()


class Tools:
    """Kafka's command line tools, run on a lab as a runbook shows them; each command once, whoever shows it."""

    def __init__(self, lab: LabState, placeholders: dict[str, str], noted: int) -> None:
        """Put these in place of the words in capitals, and the offset that was noted in place of the page's."""
        self._noted = noted
        self.placeholders = {"HOST:PORT": lab.bootstrap} | placeholders
        self._lab = lab
        tools = Wanted("tools", f"kafka-tools-{KAFKA_VERSION}", "1 MB", _TOOLS)
        self._jars = f"{lab.jars}/*:{fetch_jars(tools, cache_home(), lambda _: None)}/*"
        self._said: dict[tuple[str, str], str] = {}
        self._done: set[tuple[str, ...]] = set()

    def run(self, name: str, line: list[list[str]]) -> None:
        """Run what is a tool of Kafka's in a pipeline; what stands before it is its input."""
        place = next((i for i, words in enumerate(line) if words[0] in _CLASSES), None)
        if place is None:
            return
        words = tuple(self._filled(word) for word in line[place])
        if words in self._done:
            return
        self._done.add(words)
        given = self._filled(line[place - 1][1]) if place else ""
        if "--offset-json-file" in words:
            Path(self._lab.folder, "done.json").write_text(self._json_of(name), "utf-8")
        command = [
            str(find_java()),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            self._jars,
            _CLASSES[words[0]],
            *words[1:],
        ]
        done = subprocess.run(
            command, cwd=self._lab.folder, input=given, capture_output=True, text=True, timeout=120, check=False
        )
        told = done.stdout + done.stderr
        assert done.returncode == 0, f"{name}: {words}: {told}"
        assert not re.search("is not a recognized option|Missing required argument", told), f"{name}: {words}: {told}"
        key = (name, _CLASSES[words[0]].rpartition(".")[2])
        self._said[key] = self._said.get(key, "") + told

    def said(self, name: str, tool: str) -> str:
        """What a tool printed for a check or procedure."""
        return self._said[name, tool]

    def _filled(self, word: str) -> str:
        for placeholder, value in self.placeholders.items():
            word = re.sub(rf"\b{re.escape(placeholder)}\b", value, word)
        return word

    def _json_of(self, name: str) -> str:
        [text] = [line[0][1] for owner, line in shown_by("error-handling") if owner == name and line[0][0] == "echo"]
        assert '"offset": 12}' in text
        return self._filled(text).replace('"offset": 12}', f'"offset": {self._noted}}}')


_TOOLS = (Jar("org.apache.kafka", "kafka-tools", KAFKA_VERSION, transitive=False),)
_CLASSES = {
    "kafka-configs.sh": "kafka.admin.ConfigCommand",
    "kafka-console-consumer.sh": "org.apache.kafka.tools.consumer.ConsoleConsumer",
    "kafka-console-producer.sh": "org.apache.kafka.tools.ConsoleProducer",
    "kafka-consumer-groups.sh": "org.apache.kafka.tools.consumer.group.ConsumerGroupCommand",
    "kafka-delete-records.sh": "org.apache.kafka.tools.DeleteRecordsCommand",
    "kafka-get-offsets.sh": "org.apache.kafka.tools.GetOffsetShell",
    "kafka-topics.sh": "org.apache.kafka.tools.TopicCommand",
}
"""What Kafka's scripts start. kafka-acls.sh is left out: the brokers of this lab have no authorizer."""


def skip_by_rest(lab: LabState, connector: str, topic: str, offset: int) -> None:
    """Alter the offset of a connector as the procedure skip-a-record does."""
    url = f"{workers_of(lab)[0].url}/connectors/{connector}"
    place = {"partition": {"kafka_topic": topic, "kafka_partition": 0}, "offset": {"kafka_offset": offset}}
    ask("PUT", f"{url}/stop")
    wait_until(lambda: ask("GET", f"{url}/status")["tasks"] == [], "the tasks to end", within=60)
    ask("PATCH", f"{url}/offsets", {"offsets": [place]})
    ask("PUT", f"{url}/resume")
    wait_for_state(lab, connector, "RUNNING")
    file = Path(lab.folder, "data", "connect", "refunds.txt")
    wait_until(lambda: "refund=4" in file.read_text("utf-8"), "what stood behind it to come", within=60)


def ask(method: str, url: str, body: Any = None) -> Any:
    """Ask a worker, and again while it is busy."""
    told: list[Any] = []

    def asked() -> bool:
        answer = requests.request(method, url, json=body, timeout=30)
        told.append(answer.json() if answer.content else None)
        return answer.ok

    wait_until(asked, f"{method} {url}", within=60)
    return told[-1]


def test_a_sink_that_drops_what_it_cant_read_fails(healthy: LabState):
    inject(healthy, "no-dead-letter-queue")
    report = checked(healthy)
    assert offending(report, "sinks-drop-nothing-silently") == [{"connector": "shipments-archive"}]


def test_a_worker_that_was_killed_fails_and_its_tasks_are_not_believed(healthy: LabState):
    inject(healthy, "stop-connect-worker")
    report = checked(healthy)
    found = outcomes(report)
    assert offending(report, "connect-workers-answer") == [{"worker": "connect-2"}]
    assert found["unknown"] >= {"connect-workers-are-alike", "connect-plugins-are-everywhere"}
    # Until the group has noticed, its tasks run as their states say; then they are nobody's, or another worker's.
    assert "connect-workers-answer" in found["fail"]
    assert "tasks-are-where-a-worker-answers" in found["fail"] | found["pass"]
