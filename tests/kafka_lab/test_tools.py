"""Kafka's command line tools for a lab: they are those that runbooks show, and start what Kafka's scripts start."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from kafka_lab.cluster import down
from kafka_lab.jars import KAFKA_VERSION, TOOLS
from kafka_lab.state import LabState
from kafka_lab.tools import CLASSES, FOLDER, write_tools
from runbook.plugins.content import builtin_runbooks

_OF_A_BROKER = {"kafka-server-start.sh", "kafka-server-stop.sh"}


@pytest.fixture
def lab(pretend: Callable[[str], LabState], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> LabState:
    """A lab whose jars are there and empty, so that nothing is fetched, and Java looks for a class in vain."""
    cache = tmp_path / "a cache"
    monkeypatch.setenv("RUNBOOK_CACHE", str(cache))
    for folder in (f"kafka-{KAFKA_VERSION}", TOOLS.folder):
        (cache / folder).mkdir(parents=True)
    return pretend("small")


def test_each_tool_of_clients_that_runbooks_show_is_there() -> None:
    shown = {
        tool
        for file in builtin_runbooks().glob("*.md")
        for tool in re.findall(r"\bkafka-[a-z-]+\.sh", file.read_text())
    }
    assert shown - _OF_A_BROKER <= CLASSES.keys()


@pytest.mark.parametrize(
    ("line", "starts"),
    [
        ("kafka-topics.sh --list", "org.apache.kafka.tools.TopicCommand"),
        ("kafka-run-class.sh org.apache.kafka.tools.JmxTool", "org.apache.kafka.tools.JmxTool"),
    ],
)
def test_a_script_starts_its_class_by_the_java_that_is_found(
    lab: LabState, tmp_path: Path, line: str, starts: str
) -> None:
    there = write_tools(lab, tmp_path / "my tools")
    assert write_tools(lab, there) == there  # a second time they are written anew
    tool, *words = line.split()
    ended = subprocess.run([there / tool, *words], capture_output=True, text=True, timeout=800, check=False)
    assert f"Could not find or load main class {starts}" in ended.stderr


def test_they_go_with_the_lab(lab: LabState, tmp_path: Path) -> None:
    there = write_tools(lab, Path(lab.folder, FOLDER))
    assert there.is_dir()
    down("small", home=tmp_path)
    assert not there.exists()
