"""Real processes of a canary, against a place where nothing listens: they say why, and end with whoever began them."""

import os
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import Future
from types import SimpleNamespace

import msgspec
import pytest

from runbook.canary.child import Child
from runbook.canary.messages import CanaryJob, CanaryReport
from runbook.canary.topics import _placed, create
from runbook.canary.writer import _settings


def nowhere() -> str:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return f"127.0.0.1:{server.getsockname()[1]}"


def job(**fields: object) -> CanaryJob:
    given = {"role": "writer", "settings": {"bootstrap.servers": nowhere()}, "topic": "t-1", "mark": "t-1"} | fields
    return msgspec.convert(given, CanaryJob)


def test_a_place_that_does_not_answer_is_told_with_the_reason():
    child = Child(job(), lambda _: None)
    assert not child.wait("ready", 90)
    assert "t-1" in child.why
    child.end(30)


def test_a_topic_is_asked_for_only_after_that_was_told():
    told: list[str] = []

    class Admin:
        def list_topics(self, **_: object) -> object:
            return SimpleNamespace(brokers={1: None}, cluster_id="c")

        def create_topics(self, *_: object, **__: object) -> dict[str, Future[None]]:
            told.append("asked")
            done = Future[None]()
            done.set_result(None)
            return {"t-1": done}

    create(Admin(), "t-1", partitions=1, before=lambda: told.append("told"))  # type: ignore[arg-type]
    assert told == ["told", "asked"]


def test_settings_that_can_not_be_used_are_told_without_a_secret(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("CANARY_TEST_WORD", "zLq81-very-secret")
    settings = {
        "bootstrap.servers": nowhere(),
        "sasl.password": {"env": "CANARY_TEST_WORD"},
        "no.such": "zLq81-very-secret",
    }
    child = Child(job(settings=settings), lambda _: None)
    assert not child.wait("ready", 90)
    assert child.why
    assert "zLq81" not in child.why
    child.end(30)


def test_a_process_that_is_killed_is_told_by_its_signal():
    child = Child(job(role="reader"), lambda _: None)
    assert child.wait("ready", 90)
    os.kill(child._process.pid, signal.SIGKILL)
    assert not child.wait("ended", 30)
    assert "SIGKILL" in child.why
    child.end(1)


def test_a_reader_that_saw_no_copy_says_so():
    reports: list[CanaryReport] = []
    child = Child(job(role="reader"), reports.append)
    assert child.wait("ready", 90)
    child.say("stop")
    assert child.wait("ended", 90)
    assert child.why == "no topic of it came through the link"
    child.end(30)


def test_a_reader_that_found_no_topic_where_it_was_to_be_written_says_so():
    child = Child(job(role="reader", alone=True), lambda _: None)
    assert child.wait("ready", 90)
    child.say("stop")
    assert child.wait("ended", 90)
    assert child.why == "its topic was not found"
    child.end(30)


@pytest.mark.parametrize(
    ("brokers", "placed"),
    [
        ([1], [[1]]),
        ([1, 5], [[1, 5], [5, 1]]),
        ([1, 2, 3, 9], [[1, 2, 3], [2, 3, 9], [3, 9, 1], [9, 1, 2]]),
    ],
)
def test_every_broker_leads_a_partition_and_no_copy_is_twice_on_one(brokers: list[int], placed: list[list[int]]):
    given = _placed(brokers, len(brokers), min(3, len(brokers)), by_hand=True)
    assert given == {"replica_assignment": placed}
    assert _placed(brokers, len(brokers), 1, by_hand=False) == {"replication_factor": 1}


def test_a_process_ends_with_whoever_began_it():
    command = [sys.executable, "-P", "-m", "runbook.canary.process"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdin
    process.stdin.write(msgspec.json.encode(job(role="reader")) + b"\n")
    process.stdin.close()
    end = time.monotonic() + 90
    while process.poll() is None and time.monotonic() < end:
        time.sleep(0.1)
    assert process.returncode == 0
    assert process.stdout
    process.stdout.close()


def test_all_copies_are_waited_for_with_idempotence_and_one_without():
    base = {"bootstrap.servers": "x"}
    both = [_settings(job(acks=acks), base) for acks in ("all", "1")]
    assert [(settings["acks"], settings["enable.idempotence"]) for settings in both] == [("all", True), ("1", False)]
