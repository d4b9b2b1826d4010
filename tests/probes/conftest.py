"""Probes put to recorded clusters: three brokers of Kafka 4.3 in three racks, all of them up, or the third one dead.

The recordings are played back where the two client libraries would give their answers.
"""

import importlib
import json
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

import pytest

from runbook.answers.kafka import AnswerTimes
from runbook.connections.kafka import Kafka
from runbook.connections.kafka.confluent_client import ConfluentClient
from runbook.connections.kafka.errors import from_code
from runbook.connections.kafka.introduction import Introduction, Neighbour
from runbook.formats.addresses import host_port
from runbook.model.errors import CannotLook, Misconfigured, Refused, TimedOut
from runbook.model.fact import Fact, tabulate
from runbook.model.probe import Deadline

FOLDER = Path(__file__).with_name("recorded")
SETTINGS = {"bootstrap.servers": "127.0.0.1:9092"}


class _RecordedPython:
    """Stands where kafka-python's client stands; a request that was not recorded is an error of the test."""

    plain = True
    servers = ("127.0.0.1:9092",)
    cluster_id = None

    def __init__(self, recording: dict[str, Any]) -> None:
        self._recording = recording
        self.unknown_topic = "UNKNOWN_TOPIC_OR_PARTITION"
        self.asked: list[str] = []
        self.refused: dict[str, int] = {}  # request name -> error code to answer instead
        self.lost: set[str] = set()  # requests that nobody answers
        self.failed_dirs: set[int] = set()  # brokers of which the first log directory failed
        self.silent: set[int] = set(recording["silent"])
        self.silences: type[CannotLook] = Refused
        self.times: dict[int, AnswerTimes] = {}

    @property
    def release(self) -> tuple[int, ...]:
        return tuple(self._recording["release"])

    def start(self) -> None:
        """The cluster is there."""

    def close(self) -> None:
        """Nothing to close."""

    def knows(self, request: Any, version: int = 0) -> bool:
        del version
        return request.API_KEY in self._recording["requests"]

    def greet(self, node: int, host: str, port: int) -> None:
        if node in self.silent:
            raise self.silences(f"broker {node} ({host}:{port}) can't be reached: connection refused")

    def stranger(self) -> CannotLook | None:
        return None

    def greeted_in(self, node: int) -> float | None:
        return None if node in self.silent or str(node) not in self._recording["settings"] else 0.012

    def waited(self, node: int) -> float | None:
        return 3.0 + node if node in self.silent else 0.014

    def answer_times(self, node: int) -> AnswerTimes:
        return self.times.get(node, AnswerTimes([0.02, 0.003, 0.004], 0))

    def ask(self, node: int, label: str, request: Any) -> Any:
        return self._answer(request, node, label)

    def topic_errors(self, names: list[str]) -> dict[str, str]:
        return dict.fromkeys(names, self.unknown_topic)

    def ask_any(self, build: Any, *, waits_for: str = "") -> Any:
        del waits_for
        return self._answer(build(), None, "the cluster")

    def _answer(self, request: Any, node: int | None, label: str) -> Any:
        name = type(request).__name__.removesuffix("Request")
        self.asked.append(name)
        if name in self.lost:
            raise TimedOut(f"{label} did not answer in 3.0 s")
        if name in self.refused and (name, node is None) not in _IN_ANSWERS:
            raise from_code(self.refused[name], label)
        answers = (a for a in self._recording["answers"] if a["request"] == name and a["node"] in {node, None})
        found = next(a for a in answers if a.get("time") == _time_asked(request))
        module = _MODULES.get(name, "admin")
        response = getattr(importlib.import_module(f"kafka.protocol.{module}"), f"{name}Response")
        answer = response.decode(bytes.fromhex(found["bytes"]), version=found["version"])
        if name in self.refused:
            refused = answer.results[0] if name == "DescribeConfigs" else answer
            refused.error_code = self.refused[name]
        if name == "DescribeLogDirs" and node in self.failed_dirs:
            answer.results[0] = _failed(answer.results[0])
        return _only_asked(answer, request) if name == "Fetch" else answer


_IN_ANSWERS = {("DescribeConfigs", False), ("DescribeQuorum", True)}  # errors of these, asked so, stand in an answer
_MODULES = {"ApiVersions": "metadata", "Fetch": "consumer", "ListOffsets": "consumer", "OffsetFetch": "consumer"}


def _failed(log_dir: Any) -> Any:
    """What Kafka tells of a log directory that failed: its path and the error, and nothing else."""
    kind = type(log_dir)
    return kind(log_dir=log_dir.log_dir, error_code=56, topics=[], total_bytes=-1, usable_bytes=-1)


def _time_asked(request: Any) -> int | str | None:
    """The time that ListOffsets asks for, as recordings have it: a moment of then is `then`."""
    topics = getattr(request, "topics", None) if type(request).__name__ == "ListOffsetsRequest" else None
    time = topics[0].partitions[0].timestamp if topics else None
    return "then" if time is not None and time > 0 else time


def _only_asked(answer: Any, request: Any) -> Any:
    """Of what a leader gave of all partitions, those that are asked for now; each was read on by itself."""
    asked = {(topic.topic, partition.partition) for topic in request.topics for partition in topic.partitions}
    for topic in answer.responses:
        topic.partitions = [
            partition for partition in topic.partitions if (topic.topic, partition.partition_index) in asked
        ]
    return answer


class _RecordedAdmin:
    """Stands where confluent-kafka's AdminClient stands."""

    def __init__(self, recording: dict[str, Any]) -> None:
        self._recording = recording
        self.unknown_topic = "UNKNOWN_TOPIC_OR_PART"
        self.unknown_group = "GROUP_ID_NOT_FOUND"

    def poll(self, timeout: float) -> int:
        del timeout
        return 0

    def list_topics(self, topic: str | None = None, timeout: float = -1) -> Any:
        from confluent_kafka import KafkaError

        del timeout
        if topic is not None:
            error = KafkaError(getattr(KafkaError, self.unknown_topic))
            return SimpleNamespace(topics={topic: SimpleNamespace(error=error, partitions={})}, cluster_id=None)
        topics = {
            name: SimpleNamespace(
                error=None,
                partitions={
                    n: SimpleNamespace(id=n, leader=leader, replicas=list(replicas), isrs=list(isrs))
                    for n, leader, replicas, isrs in partitions
                },
            )
            for name, partitions in self._recording["topics"].items()
        }
        return SimpleNamespace(topics=topics, cluster_id=None)

    def describe_acls(self, wanted: Any, request_timeout: float) -> Any:
        from confluent_kafka import KafkaError, KafkaException

        del wanted, request_timeout
        refused: Future[Any] = Future()
        refused.set_exception(KafkaException(KafkaError(KafkaError.SECURITY_DISABLED)))
        return refused

    def describe_cluster(self, *, include_authorized_operations: bool, request_timeout: float) -> Any:
        from kafka.protocol.admin import DescribeClusterResponse

        del include_authorized_operations, request_timeout
        [answer] = [a for a in self._recording["answers"] if a["request"] == "DescribeCluster"]
        seen = DescribeClusterResponse.decode(bytes.fromhex(answer["bytes"]), version=answer["version"])
        nodes = [SimpleNamespace(id=b.broker_id, host=b.host, port=b.port, rack=b.rack) for b in seen.brokers]
        living = [node for node in nodes if node.id not in self._recording["silent"]]
        return _done(
            SimpleNamespace(cluster_id=seen.cluster_id, nodes=living, controller=living[0], authorized_operations=None)
        )

    def describe_topics(self, names: Any, request_timeout: float) -> dict[str, Any]:
        del request_timeout
        internal = self._recording["internal"]
        return {name: _done(SimpleNamespace(is_internal=name in internal)) for name in names.topic_names}

    def describe_configs(self, resources: Any, request_timeout: float) -> dict[Any, Any]:
        del request_timeout
        entries = {
            name: SimpleNamespace(value=value, source=source, is_sensitive=sensitive, is_read_only=read_only)
            for name, (value, source, sensitive, read_only) in self._recording["settings"][resources[0].name].items()
        }
        return {resources[0]: _done(entries)}

    def describe_consumer_groups(self, names: Iterable[str], request_timeout: float) -> dict[str, Any]:
        from confluent_kafka import KafkaError, KafkaException

        del request_timeout
        found = {}
        for name in names:
            group = self._recording["groups"].get(name)
            if group is None:
                found[name] = Future[Any]()
                found[name].set_exception(KafkaException(KafkaError(getattr(KafkaError, self.unknown_group))))
                continue
            state, kind, coordinator, assignor, members = group
            found[name] = _done(
                SimpleNamespace(
                    state=SimpleNamespace(name=state),
                    type=SimpleNamespace(name=kind),
                    coordinator=SimpleNamespace(id=coordinator),
                    partition_assignor=assignor,
                    members=members if isinstance(members, list) else [_UNTOLD] * members,
                )
            )
        return found


_UNTOLD = SimpleNamespace(member_id="id", client_id="", host="", group_instance_id=None, assignment=None)
"""A member of which the recording keeps nothing."""


class _RecordedIntroductions:
    """What brokers that answered told of their cluster at their addresses; bootstrap servers told nothing."""

    def __init__(self, admin: _RecordedAdmin) -> None:
        seen = admin.describe_cluster(include_authorized_operations=False, request_timeout=0).result()
        brokers = {node.id: Neighbour(node.id, node.host, node.port) for node in seen.nodes}
        self._introductions = {
            host_port(broker.host, broker.port): Introduction(seen.cluster_id, brokers) for broker in brokers.values()
        }

    def why_none(self, servers: Iterable[str], protocol: str) -> None:
        del servers, protocol  # what was recorded answers the next question

    def of_servers(self, servers: Iterable[str]) -> dict[str, Introduction]:
        return self.soon(servers)

    def soon(self, servers: Iterable[str]) -> dict[str, Introduction]:
        return {server: self._introductions[server] for server in servers if server in self._introductions}

    def at(self, server: str, seconds: float) -> Introduction | None:
        del seconds
        return self._introductions.get(server)


def _done(value: Any) -> "Future[Any]":
    future: Future[Any] = Future()
    future.set_result(value)
    return future


class Played:
    """A recorded cluster to put probes to; its clients' answers may be changed before the first question."""

    def __init__(self, name: str, may_read: tuple[str, ...] = ()) -> None:
        self.recording: dict[str, Any] = json.loads(FOLDER.joinpath(f"{name}.json").read_text("utf-8"))
        self.python = _RecordedPython(self.recording)
        self.admin = _RecordedAdmin(self.recording)
        with mock.patch("confluent_kafka.admin.AdminClient", return_value=self.admin):
            confluent = ConfluentClient(SETTINGS, Deadline(5))
        self.kafka = Kafka(confluent, self.python, may_read)  # type: ignore[arg-type]

    def without_kafka_python(self, reason: str) -> None:
        """Let the settings be such that only librdkafka can use them."""
        self.kafka._python = Misconfigured(reason)
        self.kafka._confluent._introductions = _RecordedIntroductions(self.admin)  # type: ignore[assignment]

    def observe(self, probe: str, **parameters: Any) -> Fact:
        """Put a probe to it, as a worker does."""
        module = importlib.import_module(f"runbook.probes.{probe}")
        return tabulate(probe, module.PROBE.columns, module.observe(self.kafka, **parameters))

    def row(self, probe: str, **key: Any) -> dict[str, Any]:
        """Put a probe and give the one row with these keys."""
        [row] = [r for r in self.observe(probe).rows() if all(r[name] == value for name, value in key.items())]
        return row


@pytest.fixture
def play() -> Iterator[Callable[..., Played]]:
    """Play recordings by name; they are closed when the test ends."""
    played: list[Played] = []

    def begin(name: str, *may_read: str) -> Played:
        played.append(Played(name, may_read))
        return played[-1]

    yield begin
    for cluster in played:
        cluster.kafka.close()


@pytest.fixture
def healthy(play: Callable[[str], Played]) -> Played:
    """All three brokers are up and in sync."""
    return play("healthy")


@pytest.fixture
def broker_stopped(play: Callable[[str], Played]) -> Played:
    """Broker 3 was killed; it is still registered, and fenced."""
    return play("broker_stopped")
