"""What the page on least rights for ZooKeeper says is what connections send and what the lab's servers allow."""

from pathlib import Path

import pytest
import yaml

from kafka_lab import zookeeper
from kafka_lab.state import LabState
from runbook.answers.zookeeper import QUESTIONS
from runbook.connections import zookeeper as connection
from runbook.connections.zookeeper.settings import read_settings
from support.documented import ROOT, fences, titled

PAGE = "docs/how-to/least-privilege-zookeeper.md"
LINE = titled(PAGE, "zoo.cfg of each server").strip()


def test_the_requests_that_are_shown_are_all_there_are():
    assert titled(PAGE, "Requests").splitlines() == [*connection.READS]


def test_the_words_that_are_shown_are_those_that_are_asked():
    assert "4lw.commands.whitelist=" + ",".join(question.word for question in QUESTIONS) == LINE


def test_the_labs_servers_allow_these_words_and_no_others(tmp_path: Path):
    lab = LabState("one", str(tmp_path), "id", "3.9.1", "/nowhere", [])
    zookeeper.write_configuration(lab, zookeeper.planned())
    written = [file.read_text("utf-8") for file in (tmp_path / "config").glob("zookeeper-*.properties")]
    assert len(written) == zookeeper.COUNT
    for text in written:
        assert [line for line in text.splitlines() if line.startswith("4lw.")] == [LINE]


def test_every_word_is_explained():
    page = (ROOT / PAGE).read_text("utf-8")
    for question in QUESTIONS:
        assert f"| `{question.word}` |" in page


@pytest.mark.parametrize("sample", [fence.text for fence in fences(PAGE) if fence.language == "yaml"])
def test_the_settings_that_are_shown_are_taken(sample: str):
    for environment in yaml.safe_load(sample)["environments"].values():
        servers = read_settings(environment["zookeeper"])
        assert [server.place.rack for server in servers] == ["a", "b", "c"]
