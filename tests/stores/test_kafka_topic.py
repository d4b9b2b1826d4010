"""Without a broker: addresses, settings, what comes out of messages. With one: test_results_kafka.py of live/plain."""

import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from confluent_kafka import KafkaError, KafkaException, TopicPartition
from hypothesis import given, settings
from hypothesis import strategies as st

from runbook.evidence.snapshot import Snapshot, snapshot_path, write_snapshot
from runbook.evidence.store import StoredFile, run_files
from runbook.evidence.store_layout import fault_of
from runbook.model.errors import UsageError
from runbook.stores import open_store
from runbook.stores.kafka_topic import assembly
from runbook.stores.kafka_topic import topic as kafka_topic
from runbook.stores.kafka_topic.assembly import Assembly
from runbook.stores.kafka_topic.client_settings import for_reading, for_writing, properties_file
from runbook.stores.kafka_topic.topic import _key
from support.kept_runs import kept_run

Messages = list[tuple[bytes | None, bytes | None]]


def messages(path: str, content: bytes) -> Messages:
    return [(_key(path), line) for line in content.removesuffix(b"\n").split(b"\n")]


def assembled(sent: Messages) -> list[StoredFile]:
    together = Assembly()
    found = [stored for key, value in sent for stored in together.add(key, value)]
    return [*found, *together.rest()]


FILES = [file for number in range(3) for file in run_files(kept_run("prod", "test", number=number))]


@given(st.integers(0, 2**32))
@settings(max_examples=100)
def test_runs_whose_lines_are_mixed_come_back_as_they_were(seed: int) -> None:
    waiting = [messages(*file) for file in FILES]
    sent: Messages = []
    choice = random.Random(seed)
    while waiting:
        lines = choice.choice(waiting)
        sent.append(lines.pop(0))
        waiting = [left for left in waiting if left]
    assert {stored.path: stored.content for stored in assembled(sent)} == dict(FILES)


def test_a_snapshot_is_one_message_and_comes_back() -> None:
    snapshot = Snapshot("2026-11-21T10:00:00.000Z", "1.0.0", {"prod": ["ha"]}, [])
    path, content = snapshot_path(snapshot), write_snapshot(snapshot)
    assert assembled(messages(path, content)) == [StoredFile(path, content)]


def test_a_run_without_its_end_is_reported_and_left() -> None:
    path, content = FILES[0]
    [found] = assembled(messages(path, content)[:-1])
    assert (found.path, found.trouble) == (path, "incomplete: 3 lines, and no manifest that counts them")


def test_a_run_without_its_beginning_is_reported_and_left() -> None:
    found = assembled(messages(*FILES[0])[2:])
    assert [stored.trouble for stored in found] == ["its first lines are missing"]


def test_a_second_attempt_at_the_same_run_counts_when_it_is_whole() -> None:
    path, content = FILES[0]
    all_lines = messages(path, content)
    broken_off, whole = assembled(all_lines[:2] + all_lines)
    assert broken_off.trouble.startswith("incomplete: 2 lines")
    assert whole == StoredFile(path, content)


def test_a_changed_message_shows_when_the_file_is_verified() -> None:
    path, content = FILES[0]
    sent = messages(path, content)
    sent[1] = (sent[1][0], (sent[1][1] or b"").replace(b"because", b"whatever"))
    [found] = assembled(sent)
    assert "changed" in str(fault_of(found.path, found.content))


HOSTILE_KEYS = [
    b"../20261101T100000Z-000000000000",
    b"../../etc/20261101T100000Z-000000000000",
    b"/etc/passwd",
    b"prod/../../x",
    b"prod/20261101T100000Z-000000000000/../x",
    b"prod\x00/20261101T100000Z-000000000000",
    b"prod/\xff\xfe",
    b"\x1b[2J/20261101T100000Z-000000000000",
    b"expected/../../x",
    b"",
    b"/",
    b"prod",
    None,
    b"a" * 100_000,
]


@pytest.mark.parametrize("key", HOSTILE_KEYS, ids=lambda key: repr(key)[:40])
def test_a_hostile_key_never_becomes_a_path(key: bytes | None) -> None:
    lines = [value for _, value in messages(*FILES[0])]
    [found] = assembled([(key, value) for value in lines])
    assert found.trouble
    assert found.content == b""
    assert len(found.path) < 1000
    assert "\x1b" not in found.path


@pytest.mark.parametrize("started_at", ["../../..", "2026-11-02T10:00:00Z", "", "/etc/x"])
def test_a_hostile_date_never_becomes_a_path(started_at: str) -> None:
    key = b"prod/20261101T100000Z-000000000000"
    run, manifest = ({"kind": "run", "started_at": started_at}, {"kind": "manifest"})
    [found] = assembled([(key, msgspec.json.encode(run)), (key, msgspec.json.encode(manifest))])
    assert found.trouble
    assert found.content == b""


@given(st.lists(st.tuples(st.none() | st.binary(max_size=30), st.none() | st.binary(max_size=60)), max_size=30))
def test_whatever_stands_in_a_topic_nothing_of_it_is_taken_for_a_run(sent: Messages) -> None:
    assert [stored for stored in assembled(sent) if not stored.trouble] == []


def test_a_run_without_bounds_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assembly, "LARGEST", 2_000)
    path, content = FILES[0]
    [found] = assembled(messages(path, content))
    assert found == StoredFile(path, trouble="more than 2000 bytes, which no run leaves")


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("kafka://broker:9092", "names no broker and topic: write kafka://broker:9092/topic"),
        ("kafka:///topic", "names no broker and topic"),
        (
            "kafka:/broker:9092/a",
            r"is no address: write kafka://broker:9092/a, or \./kafka:/broker:9092/a for a folder",
        ),
        ("kafka:broker:9092/a", "write kafka://broker:9092/a"),
        ("s3:/bucket/results", "write s3://bucket/results"),
        ("kafka://broker:9092/a/b", "names no broker and topic"),
        ("kafka://broker:9092/..", "names no broker and topic"),
        ("kafka://me:geheim@broker:9092/topic", "an address holds no user or password"),
        ("kafka://broker:9092/topic?sasl.password=geheim", r"no sasl\.password here; only \?properties=FILE"),
        ("kafka://broker:9092/topic?properties=/none", "the properties file /none can't be read"),
    ],
)
def test_an_address_that_can_not_be_used_is_said_so(where: str, expected: str) -> None:
    with pytest.raises(UsageError, match=expected) as refused:
        open_store(where)
    assert "geheim" not in str(refused.value)


def test_settings_come_from_the_inventory_and_from_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "client.properties"
    file.write_text("# ours\nsecurity.protocol=SASL_SSL\n\nsasl.password = a=b\nclient.id=from-file\n")
    monkeypatch.setenv("OURS", "geheim")
    store = open_store(f"kafka://b1:9092,b2:9092/t?properties={file}", {"sasl.password": {"env": "OURS"}})
    assert store._settings == {  # type: ignore[attr-defined]
        "security.protocol": "SASL_SSL",
        "sasl.password": "geheim",
        "client.id": "from-file",
        "bootstrap.servers": "b1:9092,b2:9092",
    }
    assert store.name == "kafka://b1:9092,b2:9092/t"


def test_a_broken_properties_file_is_named_without_its_content(tmp_path: Path) -> None:
    file = tmp_path / "client.properties"
    file.write_text("a=b\nsasl.password geheim\n")
    with pytest.raises(UsageError, match=r"line 2 of the properties file .* is not NAME=VALUE") as refused:
        open_store(f"kafka://b:1/t?properties={file}")
    assert "geheim" not in str(refused.value)
    assert properties_file.__doc__


def test_no_setting_can_weaken_what_is_promised_of_a_delivery() -> None:
    weak = {"acks": "0", "enable.idempotence": False, "enable.auto.commit": True, "allow.auto.create.topics": True}
    writing, reading = for_writing(weak), for_reading(weak)
    assert (writing["acks"], writing["enable.idempotence"]) == ("all", True)
    assert (reading["enable.auto.commit"], reading["allow.auto.create.topics"]) == (False, False)


class Moving:
    """A consumer of a cluster that changes: librdkafka's answers as CI recorded them, then what was asked for."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)

    def get_watermark_offsets(self, _: TopicPartition, **__: float) -> Any:
        """As confluent_kafka.Consumer has it."""
        return self._next()

    def list_topics(self, **_: float) -> Any:
        """As confluent_kafka.Consumer has it."""
        return self._next()

    def _next(self) -> Any:
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, KafkaError):
            raise KafkaException(answer)
        return answer


NOT_LEADER = KafkaError(KafkaError.NOT_LEADER_FOR_PARTITION, "Failed to get watermark offsets")
CUT = KafkaError(KafkaError._TRANSPORT, "Failed to get metadata: Local: Broker transport failure")
"""As a whole run got it on 2026-11-26, of a broker that was taken down in order."""


def test_where_a_partition_ends_is_asked_again_while_its_leadership_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kafka_topic, "_POLL", 0.01)
    assert kafka_topic._bounds(Moving(NOT_LEADER, NOT_LEADER, (3, 9)), TopicPartition("runs", 0)) == (3, 9)
    monkeypatch.setattr(kafka_topic, "PATIENCE", 0.05)
    with pytest.raises(KafkaException):
        kafka_topic._bounds(Moving(NOT_LEADER), TopicPartition("runs", 0))
    refused = Moving(KafkaError(KafkaError.TOPIC_AUTHORIZATION_FAILED), (3, 9))
    with pytest.raises(KafkaException):
        kafka_topic._bounds(refused, TopicPartition("runs", 0))


def test_the_topic_is_asked_for_again_where_the_broker_that_was_asked_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kafka_topic, "_POLL", 0.01)
    there = SimpleNamespace(topics={"runs": SimpleNamespace(error=None)})
    assert kafka_topic._topics(Moving(CUT, CUT, there)) is there.topics
    monkeypatch.setattr(kafka_topic, "PATIENCE", 0.05)
    with pytest.raises(KafkaException) as given_up:
        kafka_topic._topics(Moving(CUT))
    assert kafka_topic._text(given_up.value) == "no broker answered in 0 s"
