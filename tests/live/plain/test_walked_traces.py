"""A record that is followed through services, by the header that a tracing agent adds: walked by observability.md."""

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import pytest

from kafka_lab import LabState
from kafka_lab.content import create_topics, delete_topics
from kafka_lab.jars import Jar, Wanted, fetch_jars
from kafka_lab.tools import java_of
from runbook.folders import cache_folder
from support.careful_walker import Walked, does_nothing
from support.forgetful import Forgetful, Notes, wrong
from support.kept_walks import Keep
from support.operators import Operator, at_work, completed

pytestmark = [pytest.mark.live, pytest.mark.thorough]
AGENT: Final = Wanted(
    "OpenTelemetry's agent for Java 2.33.1",
    "opentelemetry-javaagent-2.33.1",
    "21 MB",
    (Jar("io.opentelemetry.javaagent", "opentelemetry-javaagent", "2.33.1", transitive=False),),
)
TRACED: Final = "traced"
NOWHERE: Final = [f"-Dotel.{signal}.exporter=none" for signal in ("traces", "metrics", "logs")]
"""There is nobody to send traces to here: the header is what this is about."""


@pytest.fixture
def operator(healthy_lab: LabState, tmp_path: Path) -> Iterator[Operator]:
    """Somebody at the lab, with the agent in their folder and a topic without records."""
    [agent] = fetch_jars(AGENT, cache_folder(), lambda _: None).glob("*.jar")
    with at_work(healthy_lab, tmp_path) as one:
        shutil.copy(agent, tmp_path / "opentelemetry-javaagent.jar")
        create_topics(healthy_lab, {TRACED: (1, 2, {})})
        yield one
        delete_topics(healthy_lab, [TRACED])


@pytest.mark.parametrize("left_out", wrong((1,)))
def test_records_carry_the_trace_that_they_belong_to(
    operator: Operator, healthy_lab: LabState, left_out: Sequence[int], notes: Notes, keeps: Keep
) -> None:
    lab = healthy_lab

    def writes(options: Sequence[str]) -> None:
        """Write a record by Kafka's console producer, which stands for the service of the sample."""
        java, *words = java_of(lab, "kafka-console-producer.sh")
        command = [java, *options, *words, "--bootstrap-server", lab.bootstrap, "--topic", TRACED]
        subprocess.run(command, input=b"a\n", cwd=operator.folder, check=True, capture_output=True, timeout=800)

    def traces(commands: Sequence[str]) -> None:
        [command] = commands
        java, *options = command.partition(" -jar ")[0].split()
        assert java == "java"
        writes([*options, *NOWHERE])

    def reads(commands: Sequence[str]) -> None:
        [command] = commands
        operator.types({"TOPIC": TRACED})([f"{command} --from-beginning --timeout-ms 10000"])
        assert "traceparent:00-" in operator.output, operator.output

    writes([])  # a service without it
    person = Forgetful(left_out)
    record = person.walks(
        Walked(operator.folder, "observability#trace-a-record", lab.name),
        [traces, reads, does_nothing],
    )
    notes(person.lines("observability#trace-a-record"))
    assert completed(record), record.entries[-3:]
    operator.counts()
    keeps(record, "plain", person.way, person.noticed, operator.ledger)
