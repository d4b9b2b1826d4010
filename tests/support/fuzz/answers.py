"""What systems answer to questions: Prometheus, Jolokia, Connect, the Schema Registry and ZooKeeper."""

import json
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from typing import Any

import msgspec

from runbook.answers.zookeeper import QUESTIONS
from runbook.connections.connect import reading as connect
from runbook.connections.jolokia import bulk
from runbook.connections.prometheus import server as prometheus
from runbook.connections.schema_registry import answers as registry
from runbook.connections.zookeeper import by_admin, by_word
from runbook.formats.metrics import Sheet, samples
from runbook.formats.metrics.meters import IDENTITY
from runbook.formats.metrics.table import require_identity, tell
from runbook.model.errors import CannotLook, Garbled
from runbook.model.fact import tabulate
from runbook.plugins.catalog import catalog
from runbook.probes._metrics import OF_BROKERS, metrics_of
from support.fuzz.executing import Target
from support.fuzz.files import ROOT, compact
from support.fuzz.systems import metric_samples, sent

RECORDED = ROOT / "tests" / "connections"
ASKED = (IDENTITY, *metrics_of(OF_BROKERS))
BEANS = bulk.questions(ASKED)


def facts_of(sheet: Sheet) -> Iterator[str]:
    """All facts about brokers, out of what one told."""
    require_identity(sheet)
    for probe in OF_BROKERS:
        module = catalog("probes").load(probe)
        try:
            fact = tabulate(probe, module.PROBE.columns, tell(([sheet], []), module.GROUP))
        except CannotLook as reason:  # each is a probe's of its own
            yield str(reason)
        else:
            yield from sent(fact)


def prometheus_samples() -> Iterator[bytes]:
    """A server's answer to the one query there is."""
    from runbook.formats.metrics import exposition

    wanted = samples.names(ASKED, "plain")
    read = [sample for page in metric_samples() for sample in exposition.read(page.decode(), wanted)]
    series = [
        {
            "metric": {"__name__": sample.name, "instance": "a:1"} | sample.labels,
            "values": [[1.7e9, "1"], [1.70001e9, "2"]],
        }
        for sample in read[:12]
    ]
    yield compact({"status": "success", "data": {"resultType": "matrix", "result": series}, "warnings": ["some"]})
    yield compact({"status": "error", "errorType": "bad_data", "error": "parse error"})


def read_prometheus(data: bytes) -> Iterable[Any]:
    """An answer, instance by instance."""
    found, warnings = prometheus._read(data)
    yield from warnings
    for its in found.values():
        yield from facts_of(samples.sheet(1, its, ASKED, "plain"))


def jolokia_samples() -> Iterator[bytes]:
    """An agent's answer to all questions: numbers for each attribute, and the ways to refuse one."""
    missing = {"status": 404, "error_type": "javax.management.InstanceNotFoundException", "error": "no such MBean"}
    refused = {"status": 403, "error": "not allowed"}
    for others in ([missing], [refused], []):
        yield compact([_answer(bean) if place % 3 or not others else others[0] for place, bean in enumerate(BEANS)])
    yield compact(refused)


def _answer(question: bulk.AttributeQuestion) -> dict[str, Any]:
    value: Any = {name: {"used": 5, "max": -1} if "Usage" in name else 7 for name in question.attributes}
    if question.path:
        value = 7
    elif question.is_pattern:
        value = {question.bean.removesuffix(",*").replace("*", "1"): value}
    return {"status": 200, "value": value, "timestamp": 1}


def read_jolokia(data: bytes) -> Iterable[Any]:
    """An answer, as facts."""
    yield from facts_of(bulk.read(data, BEANS, 1))


def named(functions: dict[str, Callable[[bytes], Any]]) -> Callable[[bytes], Iterable[Any]]:
    """Read an input of which the first line says by which of these functions; other lines are the answer."""

    def read(data: bytes) -> Iterable[Any]:
        name, _, body = data.partition(b"\n")
        function = functions.get(name.decode("utf-8", "replace"))
        yield function(body) if function else ""

    return read


CONNECT: dict[str, Callable[[bytes], Any]] = {
    "/": connect.worker,
    "/connectors": connect.names,
    "/connectors?expand=info&expand=status": connect.connectors,
    "/connector-plugins?connectorsOnly=false": connect.plugins,
}


def connect_samples() -> Iterator[bytes]:
    """What workers answered."""
    for file in ("healthy", "broken"):
        recorded = json.loads(RECORDED.joinpath("connect", "recorded", f"{file}.json").read_text("utf-8"))
        for worker in list(recorded.values())[:1]:
            for path, answer in worker["answers"].items():
                if isinstance(answer, str):
                    yield path.encode() + b"\n" + answer.encode()[:8000]


REGISTRY: dict[str, Callable[[bytes], Any]] = {
    name: getattr(registry, name)
    for name in ("subjects", "types", "versions", "schema", "schemas", "trial", "level", "mode", "version")
}


def registry_samples() -> Iterator[bytes]:
    """Answers as Confluent's registry gives them."""
    schema = {"subject": "a-value", "version": 1, "id": 7, "schemaType": "AVRO", "schema": '"string"'}
    schema["references"] = [{"name": "b", "subject": "b-value", "version": 1}]
    for name, answer in {
        "subjects": ["a-value", ":.context:b"],
        "types": ["AVRO", "JSON"],
        "versions": [1, 2],
        "schema": schema,
        "schemas": [schema, schema],
        "trial": {"is_compatible": False, "messages": ["{errorType:'X'}"]},
        "level": {"compatibilityLevel": "BACKWARD"},
        "mode": {"mode": "READWRITE"},
        "version": {"version": "7.9.0", "commitId": "a"},
    }.items():
        yield name.encode() + b"\n" + compact(answer)


@cache
def zookeeper_ways() -> dict[str, Callable[[bytes], Any]]:
    """Each word, and each command of the admin server with those that belong to it, a line each."""
    found: dict[str, Callable[[bytes], Any]] = {}
    for question in QUESTIONS:
        found[question.word] = partial(_by_word, by_word.READERS[question])
        found[f"admin {question.word}"] = partial(_by_admin, by_admin.READERS[question], len(question.commands))
    return found


def _by_word(read: Callable[[str], Any], body: bytes) -> Any:
    return read(body.decode("utf-8", "replace"))


def _by_admin(read: Callable[[Any], Any], commands: int, body: bytes) -> Any:
    return read([by_admin.document(line) for line in [*body.split(b"\n"), b""][:commands]])


def zookeeper_samples() -> Iterator[bytes]:
    """What servers answered."""
    for file in ("healthy", "ensemble_lost"):
        recorded = json.loads(RECORDED.joinpath("zookeeper", "recorded", f"{file}.json").read_text("utf-8"))
        for server in list(recorded.values())[:2]:
            for question in QUESTIONS:
                if isinstance(said := server.get(question.word), str):
                    yield question.word.encode() + b"\n" + said.encode()
                bodies = [server.get(command) for command in question.commands]
                if all(isinstance(body, str) for body in bodies):
                    yield f"admin {question.word}\n".encode() + b"\n".join(compact(json.loads(body)) for body in bodies)


def read_zookeeper(data: bytes) -> Iterable[Any]:
    """An answer, and that it can be sent."""
    for answer in named(zookeeper_ways())(data):
        yield msgspec.json.encode(answer) if str(answer).isascii() else answer


TARGETS = (
    Target("Prometheus server", prometheus_samples, read_prometheus, (CannotLook,)),
    Target("Jolokia", jolokia_samples, read_jolokia, (CannotLook,)),
    Target("Connect", connect_samples, named(CONNECT), (Garbled,)),
    Target("Schema Registry", registry_samples, named(REGISTRY), (Garbled,)),
    Target("ZooKeeper", zookeeper_samples, read_zookeeper, (Garbled,)),
)
