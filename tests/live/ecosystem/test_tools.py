"""The commands of Kafka's tools that the runbook on errors shows, run as they stand there on a real cluster."""

import re
import subprocess
import time
from pathlib import Path

import pytest

import kafka_lab as labs
from kafka_lab import LabState
from kafka_lab.admin import committed, end_offsets
from kafka_lab.connect import workers_of
from kafka_lab.content import delete_topics
from kafka_lab.jars import TOOLS, fetch_jars
from runbook.folders import cache_folder
from runbook.java import find_java
from support.ecosystem.skipping import ask
from support.shown_commands import shown_by

pytestmark = [pytest.mark.live, pytest.mark.thorough]


def inject(lab: LabState, *faults: str) -> None:
    for fault in faults:
        labs.break_(lab.name, fault, home=Path(lab.folder).parent)


def test_the_commands_of_kafkas_tools_do_what_the_runbook_says(ecosystem: LabState):
    inject(ecosystem, "dead-letters", "poison-pill")
    wait_until_still(ecosystem, "shipments.dlq")  # of what the test before wrote, some may be on its way
    end = end_offsets(ecosystem, "shipments.dlq")  # offsets go on from those of tests before
    tools = Tools(
        ecosystem,
        {
            "TOPIC": "orders",
            "LETTERS": "orders.dlq",
            "GROUP": "connect-refunds-archive",
            "NAME": "refunds-archive",
            "PARTITION": "0",
            "OFFSET": str(end),
        },
    )
    shown = list(shown_by("error-handling"))
    apart = ("introduce-error-handling", "skip-a-record")
    for name, line in shown:
        if name == apart[0]:
            tools.run(name, line)
    tools.placeholders["TOPIC"] = "shipments.dlq"
    for name, line in shown:
        if name not in apart:
            tools.run(name, line)
    assert "org.apache.kafka.connect.errors.DataException" in tools.said("replay-dead-letters", "ConsoleConsumer")
    assert end >= 12
    assert end_offsets(ecosystem, "shipments.dlq") == end
    assert tools.said("replay-dead-letters", "DeleteRecordsCommand").count(f"low_watermark: {end}\n") == 1  # all of it

    ask("PUT", f"{workers_of(ecosystem)[0].url}/connectors/refunds-archive/stop")
    tools.placeholders |= {"TOPIC": "refunds", "OFFSET": "2", "NEXT_OFFSET": "3"}
    for name, line in shown:
        if name == apart[1]:
            tools.run(name, line)
    assert "refund 3, by hand" in tools.said("skip-a-record", "ConsoleConsumer")
    assert committed(ecosystem, "connect-refunds-archive", "refunds") == 3
    delete_topics(ecosystem, ["orders.dlq"])


def wait_until_still(lab: LabState, topic: str) -> None:
    """Wait until no record has come to a topic for three seconds."""
    seen, since, end = -1, time.monotonic(), time.monotonic() + 90
    while time.monotonic() - since < 3 and time.monotonic() < end:
        time.sleep(0.3)
        if (now := end_offsets(lab, topic)) != seen:
            seen, since = now, time.monotonic()


class Tools:
    """Kafka's command line tools, run on a lab as a runbook shows them; each command once, whoever shows it."""

    def __init__(self, lab: LabState, placeholders: dict[str, str]) -> None:
        """Put these in place of the words in capitals."""
        self.placeholders = {"HOST:PORT": lab.bootstrap} | placeholders
        self._lab = lab
        self._jars = f"{lab.jars}/*:{fetch_jars(TOOLS, cache_folder(), lambda _: None)}/*"
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
            command, cwd=self._lab.folder, input=given, capture_output=True, text=True, timeout=800, check=False
        )
        output = done.stdout + done.stderr
        assert done.returncode == 0, f"{name}: {words}: {output}"
        assert not re.search("is not a recognized option|Missing required argument", output), (
            f"{name}: {words}: {output}"
        )
        key = (name, _CLASSES[words[0]].rpartition(".")[2])
        self._said[key] = self._said.get(key, "") + output

    def said(self, name: str, tool: str) -> str:
        """What a tool printed for a check or procedure."""
        return self._said[name, tool]

    def _filled(self, word: str) -> str:
        for placeholder, value in self.placeholders.items():
            word = re.sub(rf"\b{re.escape(placeholder)}\b", value, word)
        return word

    def _json_of(self, name: str) -> str:
        [text] = [line[0][1] for owner, line in shown_by("error-handling") if owner == name and line[0][0] == "echo"]
        return self._filled(text)


_CLASSES = {
    "kafka-configs.sh": "kafka.admin.ConfigCommand",
    "kafka-console-consumer.sh": "org.apache.kafka.tools.consumer.ConsoleConsumer",
    "kafka-console-producer.sh": "org.apache.kafka.tools.ConsoleProducer",
    "kafka-consumer-groups.sh": "org.apache.kafka.tools.consumer.group.ConsumerGroupCommand",
    "kafka-delete-records.sh": "org.apache.kafka.tools.DeleteRecordsCommand",
    "kafka-get-offsets.sh": "org.apache.kafka.tools.GetOffsetShell",
    "kafka-topics.sh": "org.apache.kafka.tools.TopicCommand",
}
"""What Kafka's scripts start. kafka-acls.sh is left out: what it allows would stay allowed in this lab."""
