"""What hosts hold: GC logs, settings, logins, loggers, logs, and what commands print."""

import importlib.util
import struct
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from types import ModuleType
from typing import Any

from runbook.formats import leaks
from runbook.formats.client_files import read_client_file
from runbook.formats.gc_log import LogPart, Reader, summarize
from runbook.formats.jaas import read_logins
from runbook.formats.java_properties import read_properties
from runbook.formats.json_lines import LogSample
from runbook.formats.jvm_options import JvmOptions
from runbook.formats.listeners import controllers, controllers_encrypted, listeners
from runbook.formats.log4j import read_log4j
from runbook.formats.metrics import object_name
from runbook.formats.mirror_maker import read_dedicated, read_link
from runbook.formats.mirror_positions import checkpoint, offset_sync
from runbook.formats.socket_statistics import read_connections
from runbook.formats.subjects import context_of, name_in_context
from runbook.model.errors import Garbled
from support.fuzz.executing import Target
from support.fuzz.files import ROOT, compact

TESTS = ROOT / "tests" / "formats"


def module_of(file: str) -> ModuleType:
    """A module of tests, for the samples in it."""
    place = TESTS / file
    spec = importlib.util.spec_from_file_location(f"samples_of_{place.stem}", place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def texts_in(file: str) -> Iterator[bytes]:
    """The samples in a module of tests: its constants of several lines."""
    for name, value in vars(module_of(file)).items():
        if name.isupper() and isinstance(value, str) and "\n" in value:
            yield value.encode()


def text(data: bytes) -> str:
    """As what hosts tell is read: what is no UTF-8 is replaced."""
    return data.decode("utf-8", "replace")


def gc_samples() -> Iterator[bytes]:
    """Of each recorded and written log: its beginning, and a part of its middle."""
    files = [*(TESTS / "gc_log").rglob("*.log"), *(TESTS / "gc_log").rglob("*.log.?")]
    for file in sorted(files):
        lines = file.read_bytes().split(b"\n")
        yield b"\n".join(lines[:25]) + b"\n"
        yield b"\n".join(lines[len(lines) // 2 :][:25]) + b"\n"


def read_gc_log(data: bytes) -> Iterable[Any]:
    """A log in numbers, whatever its lines are."""
    reader = Reader()
    yield summarize(reader, [LogPart(text(data).split("\n"), 1.0)])
    yield reader.first
    yield summarize(Reader(), [LogPart(text(data).split("\n"))], since=1.7e9)


_BROKER = rb"""process.roles=broker
node.id=1
listeners=PLAINTEXT://:9092,CONTROLLER://[::1]:9093
ssl.client.auth=required
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:SASL_SSL
controller.listener.names=CONTROLLER
advertised.listeners=PLAINTEXT://kafka-1.example:9092
controller.quorum.voters=1@a:9093,2@[fd00::2]:9093
"""
_CLIENT = rb"""# comment
bootstrap.servers=a:9092,\
   b:9092
group.id : billing
acks all
key\ with\=odd = \u00e9\t
"""
_SPRING = b"""spring:
  kafka:
    bootstrap-servers: [a:9092, b:9092]
    consumer: {group-id: g, auto-offset-reset: latest}
    producer:
      properties:
        linger.ms: 5
---
spring.kafka.consumer.max-poll-records: 5
"""
PROPERTIES = (
    _CLIENT,
    _BROKER,
    b"spring.kafka.bootstrap-servers=a:9092\nspring.kafka.consumer.group-id=g\nspring.kafka.producer.properties[acks]=1\n",
    b"connector.class=FileStreamSource\ntasks.max=1\nproducer.override.acks=all\nerrors.tolerance=all\n",
)
SPRING = (
    _SPRING,
    compact({"spring": {"kafka": {"producer": {"acks": "all", "retries": 3}, "properties": {"a": {"b": [1, {}]}}}}}),
)
CONNECTOR = (
    compact({"name": "n", "config": {"connector.class": "X", "tasks.max": "1", "consumer.override.group.id": "g"}}),
    compact({"connector.class": "X", "errors.tolerance": "all", "transforms": ["a", {"b": None}], "x": True}),
)


def read_settings(data: bytes) -> Iterable[Any]:
    """Properties, and the listeners that they tell."""
    found = {entry.name: entry.value for entry in read_properties(text(data))}
    yield found
    yield listeners(found)
    yield controllers(found)
    yield controllers_encrypted(found)


def read_client(ending: str, data: bytes) -> Iterable[Any]:
    """What a client was deployed with."""
    yield read_client_file(text(data), f"client.{ending}")


def jaas_samples() -> Iterator[bytes]:
    """Pieces as a host tells them."""
    yield (
        b"KafkaServer {\norg.apache.kafka.common.security.plain.PlainLoginModule required\nusername=admin\npassword\n"
        b"user_ada\n}\n/*\nClient {\n*/\nClient\n{\norg.apache.zookeeper.server.auth.DigestLoginModule required\n"
        b'sasl.jaas.config=\norg.apache.kafka.common.security.scram.ScramLoginModule required\nusername="b"\n'
    )


def read_log4j_as(ending: str, data: bytes) -> Iterable[Any]:
    """Loggers."""
    yield read_log4j(text(data), f"log4j2.{ending}")


LOGGERS = {
    "Configuration": {
        "Loggers": {
            "Root": {"level": "INFO", "AppenderRef": [{"ref": "STDOUT"}]},
            "Logger": [{"name": "kafka", "level": "INFO", "additivity": False, "AppenderRef": {"ref": "A"}}],
        }
    }
}


def read_dedicated_file(data: bytes) -> Iterable[Any]:
    """A dedicated MirrorMaker's file, and what becomes of it."""
    found = read_dedicated(text(data), "mm2.properties")
    yield found.unread
    for connector in found.connectors[:12]:
        yield connector.name, connector.group, connector.exactly_once
        yield read_link(connector.kind, connector.given)
        yield connector.settings()


def mirror_samples() -> Iterator[bytes]:
    """The file of the tests, with some more."""
    base = module_of("mirror_maker/test_dedicated.py").FILE.encode()
    yield base
    yield base + b"topics = a.*\nus->eu.topics = b.*\noffset.lag.max = 5\nus.consumer.fetch.min.bytes = 2\n"
    yield base + b"emit.heartbeats.enabled = false\nsync.group.offsets.enabled = true\ntasks.max = 3\n"


def read_sample(data: bytes) -> Iterable[Any]:
    """A log of JSON objects."""
    sample = LogSample()
    sample.add(text(data).split("\n"))
    yield sample.lines, sample.objects, sample.cut
    yield from sample.fields


def log_samples() -> Iterator[bytes]:
    """Lines of logs as applications write them."""
    yield compact({"@timestamp": "2026-11-22T10:00:00Z", "level": "INFO", "kafka": {"topic": "a", "offset": 7}}) + b"\n"
    yield compact({"level": "WARN", "values": [1, {"a": 2}], "n": 1.5}) + b"\nno JSON\n" + compact({"level": None})
    yield b"password=hunter2 u=https://ada:secret@host/ authorization: Bearer abcdefghijkl 4111 1111 1111 1111\n"


def read_positions(data: bytes) -> Iterable[Any]:
    """Records of MirrorMaker: the key up to a mark, then the value."""
    key, _, value = data.partition(b"|||")
    for read in (checkpoint, offset_sync):
        try:
            yield read(key, value)
        except Garbled as refused:
            yield str(refused)


def position_samples() -> Iterator[bytes]:
    """A checkpoint and an offset sync."""
    tests = module_of("test_mirror_positions.py")
    yield tests.KEY + b"|||" + tests.VALUE
    yield tests.text("orders") + struct.pack(">i", 0) + b"|||" + struct.pack(">qq", 1, 7)


def read_name(data: bytes) -> Iterable[Any]:
    """An MBean's name."""
    name = object_name.read(text(data))
    yield name
    yield object_name.labels(object_name.read("kafka.server:type=A,name=*"), name)


def simple(read: Callable[[str], Any]) -> Callable[[bytes], Iterable[Any]]:
    """A function of a text, as one of an input."""

    def given(data: bytes) -> Iterable[Any]:
        yield read(text(data))

    return given


def _options(said: str) -> list[Any]:
    found = JvmOptions(said.split())
    return [found.heap_max, found.heap_min, found.collector, found.gc_log]


OPTIONS = (
    b'java -Xmx4g -Xms512m -XX:+UseG1GC -XX:-UseZGC -XX:MaxHeapSize=1t -Xlog:gc*=info:file="/a":time,tags kafka',
)
NAMES = (b'kafka.server:type=BrokerTopicMetrics,name=BytesInPerSec,topic="a\\"b"', b"java.lang:type=Memory")

TARGETS = (
    Target("GC log", gc_samples, read_gc_log),
    Target("properties", lambda: PROPERTIES, read_settings),
    Target("client file, properties", lambda: PROPERTIES, partial(read_client, "properties"), (Garbled,)),
    Target("client file, YAML", lambda: SPRING, partial(read_client, "yaml"), (Garbled,)),
    Target("client file, JSON", lambda: CONNECTOR, partial(read_client, "json"), (Garbled,)),
    Target("logins", jaas_samples, simple(lambda said: read_logins(said.split("\n")))),
    Target("loggers, properties", lambda: texts_in("test_log4j.py"), partial(read_log4j_as, "properties"), (Garbled,)),
    Target(
        "loggers, YAML",
        lambda: [*texts_in("test_log4j.py"), compact(LOGGERS)],
        partial(read_log4j_as, "yaml"),
        (Garbled,),
    ),
    Target("dedicated MirrorMaker", mirror_samples, read_dedicated_file, (Garbled,)),
    Target("JSON log", log_samples, read_sample),
    Target("leaks in a log", log_samples, simple(lambda said: leaks.count(said.split("\n")))),
    Target("MirrorMaker's positions", position_samples, read_positions),
    Target(
        "socket statistics",
        lambda: texts_in("test_socket_statistics.py"),
        simple(lambda said: [*read_connections(said)]),
        (ValueError,),
    ),
    Target("JVM options", lambda: OPTIONS, simple(_options)),
    Target("MBean names", lambda: NAMES, read_name, (ValueError,)),
    Target(
        "subjects",
        lambda: [b":.context:orders-value"],
        simple(lambda subject: (context_of(subject), name_in_context(subject))),
    ),
)
