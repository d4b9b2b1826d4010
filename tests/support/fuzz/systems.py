"""What systems answer: schemas, certificates, Kubernetes objects, pages of metrics."""

import datetime as dt
import importlib
import json
from collections.abc import Iterable, Iterator
from functools import cache, partial
from io import BytesIO
from typing import Any

from runbook.answers.tls import named
from runbook.connections.kubernetes import Kubernetes
from runbook.connections.kubernetes.settings import access
from runbook.connections.tls.chain import described, load, whole_chain
from runbook.formats.metrics import exposition, samples
from runbook.formats.metrics.dialect import DIALECTS
from runbook.formats.metrics.meters import IDENTITY
from runbook.formats.metrics.table import require_identity, tell
from runbook.model.errors import CannotLook, Garbled
from runbook.model.fact import Fact, tabulate
from runbook.model.sentence import shown
from runbook.plugins.catalog import catalog
from runbook.probes._metrics import OF_BROKERS, metrics_of
from runbook.run.collection.worker import Frame, Outlet, decoded
from schema_compat import SchemaError, UndecidedSchema, incompatibilities, parse, unreserved
from support.fuzz.executing import Target
from support.fuzz.files import ROOT, compact
from support.schema_pairs import pairs


def sent(fact: Fact) -> Iterator[str]:
    """A fact as it comes from its worker, in texts."""
    stream = BytesIO()
    Outlet(stream).send(Frame(1, {"": fact}))
    came = decoded(stream.getvalue()[4:])
    for given in (came.facts or {}).values():
        given.digest()
        yield from (shown(gap.reason) for gap in given.gaps)
        yield from (str(row) for row in given.rows())


# Schemas.


@cache
def schema_samples(kind: str) -> list[bytes]:
    """Schemas as people write them and change them."""
    found = list(pairs(kind, 12, 7))
    texts = [schema for pair in found for schema in (pair.reader, pair.writer)]
    return [compact(json.loads(text)) if kind != "PROTOBUF" else text.encode() for text in texts]


def read_schema(kind: str, data: bytes) -> Iterable[Any]:
    """A schema of a registry's, and whether it and another read each other."""
    known = schema_samples(kind)
    parsed = parse(kind, data.decode("utf-8", "replace"))
    other = parse(kind, known[len(data) % len(known)].decode())
    for reader, writer in ((parsed, other), (other, parsed), (parsed, parsed)):
        yield unreserved(reader, writer)
        try:
            yield from incompatibilities(reader, writer)
        except UndecidedSchema as undecided:
            yield str(undecided)


# Certificates.


@cache
def certificate_samples() -> list[bytes]:
    """Certificates of two kinds of key and most extensions, the same each time: of known keys, signed without dice."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec, ed25519
    from cryptography.hazmat.primitives.serialization import Encoding
    from cryptography.x509.oid import AuthorityInformationAccessOID, ExtendedKeyUsageOID, NameOID

    def at(url: str) -> x509.UniformResourceIdentifier:
        return x509.UniformResourceIdentifier(url)

    name = x509.Name(
        [x509.NameAttribute(NameOID.COMMON_NAME, "kafka-1"), x509.NameAttribute(NameOID.COUNTRY_NAME, "DE")]
    )
    names = [
        x509.DNSName("kafka-1.example"),
        x509.DNSName("*.example"),
        at("https://a/"),
        x509.RFC822Name("a@b.example"),
    ]
    point = x509.DistributionPoint([at("http://crl.example/1")], None, None, None)
    ocsp = x509.AccessDescription(AuthorityInformationAccessOID.OCSP, at("http://ocsp.example"))

    def built(key: Any, **sign: Any) -> bytes:
        made = (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(name)
            .public_key(key.public_key())
            .serial_number(255)
            .not_valid_before(dt.datetime(2026, 1, 1, tzinfo=dt.UTC))
            .not_valid_after(dt.datetime(2027, 1, 1, tzinfo=dt.UTC))
            .add_extension(x509.SubjectAlternativeName(names), critical=False)
            .add_extension(x509.BasicConstraints(ca=True, path_length=3), critical=True)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
            .add_extension(x509.AuthorityInformationAccess([ocsp]), critical=False)
            .add_extension(x509.CRLDistributionPoints([point]), critical=False)
        )
        return bytes(made.sign(key, **sign).public_bytes(Encoding.DER))

    curve = ec.derive_private_key(20261122, ec.SECP256R1())
    edwards = ed25519.Ed25519PrivateKey.from_private_bytes(b"7" * 32)
    return [built(edwards, algorithm=None), built(curve, algorithm=hashes.SHA256(), ecdsa_deterministic=True)]


def read_certificate(data: bytes) -> Iterable[Any]:
    """A chain of one, its facts, and whom it leads to."""
    shown = load([data])
    facts = described(shown[0])
    yield from (facts.subject, facts.issuer, facts.names, facts.ocsp, facts.crl, facts.not_after)
    yield named("kafka-1.example", facts.names)
    yield whole_chain(shown, load(certificate_samples()))[1]
    yield whole_chain(load(certificate_samples()[:1]), shown)[1]


# Kubernetes.

SETTINGS = {"server": "https://127.0.0.1:1", "namespace": "kafka", "brokers": "app=kafka", "controllers": "app=kafka"}
PROBES = [name for name in catalog("probes").names() if name.startswith("kubernetes_")]


@cache
def answers() -> dict[str, Any]:
    """What a recorded cluster answered: of each list three objects, without who set which field."""
    recorded = ROOT / "tests" / "connections" / "kubernetes" / "recorded" / "everything.json"
    recorded_answers: dict[str, Any] = json.loads(recorded.read_text("utf-8")) if recorded.exists() else {}
    for answer in recorded_answers.values():
        if isinstance(answer.get("items"), list):
            answer["items"] = answer["items"][:3]
            for item in answer["items"]:
                item["metadata"].pop("managedFields", None)
    return recorded_answers


def kubernetes_samples() -> Iterator[bytes]:
    """One answer each, after the path that it answers."""
    for path, answer in answers().items():
        yield path.encode() + b"\n" + compact(answer)


class Server:
    """An API server of which one answer is the case."""

    server = "the API server"

    def __init__(self) -> None:
        from runbook.connections.kubernetes.api import Api
        from runbook.model.probe import Deadline

        self.access = access(SETTINGS, Deadline(3600))
        self.api = Api(self.access, Deadline(3600))
        self.answers = {path: compact(answer) for path, answer in answers().items()}
        self.path, self.body = "", b""
        self.asked: set[str] = set()
        self.api._request = self._answer  # type: ignore[method-assign]

    def _answer(self, path: str, query: dict[str, Any]) -> tuple[int, bytes]:
        del query
        self.asked.add(path)
        body = self.body if path == self.path else self.answers.get(path)
        return (200, body) if body is not None else (404, b"{}")


server = cache(Server)


@cache
def concerned(path: str) -> list[str]:
    """The probes that ask for a path; one alone where none or all of them do."""
    played, found = server(), []
    for probe in PROBES:
        played.path, played.asked = "", set()
        importlib.import_module(f"runbook.probes.{probe}").observe(Kubernetes(played.api, played.access))
        found += [probe] if path in played.asked else []
    return found if 0 < len(found) < len(PROBES) else PROBES[:1]


def read_answer(data: bytes) -> Iterable[Any]:
    """Each probe, put to a cluster one answer of which is hostile."""
    path, _, body = data.partition(b"\n")
    played, asked = server(), path.decode("utf-8", "replace")
    probes = concerned(asked) if asked in played.answers else PROBES[:1]
    played.path, played.body = asked, body
    cluster = Kubernetes(played.api, played.access)
    for probe in probes:
        module = importlib.import_module(f"runbook.probes.{probe}")
        try:
            fact = tabulate(probe, module.PROBE.columns, module.observe(cluster))
        except CannotLook as reason:
            yield str(reason)
        else:
            yield from sent(fact)


# Metrics.

PAGE = b"""# HELP up Whether it is up.
kafka_server_app_info_id 1.0
kafka_server_kafkaserver_brokerstate 3.0
kafka_server_replicamanager_underreplicatedpartitions 0.0
kafka_server_brokertopicmetrics_bytesin_total{topic="a\\\\\\"b\\n",} 1.5e7 1700000000000
kafka_network_requestmetrics_totaltimems{request="Produce",quantile="0.99",} 12.5
kafka_controller_kafkacontroller_activecontrollercount 1
jvm_memory_used_bytes{area="heap",} 1.0E8
jvm_memory_max_bytes{area="heap",} 1.0E9
jvm_memory_pool_used_bytes{pool="G1 Old Gen",} 5.0E7
jvm_gc_collection_seconds_count{gc="G1 Young Generation",} 12.0
jvm_gc_collection_seconds_sum{gc="G1 Young Generation",} 0.5
jvm_threads_current 80
jvm_threads_deadlocked NaN
process_start_time_seconds 1.7E9
process_open_fds +Inf
java_lang_Runtime_Uptime 1000
kafka_server_BrokerTopicMetrics_OneMinuteRate{name="BytesInPerSec",topic="a"} 2
"""


@cache
def metric_samples() -> list[bytes]:
    """A page as exporters give it, and one that has a sample of every series that is asked for."""
    asked = (IDENTITY, *metrics_of(OF_BROKERS))
    pages = [
        "".join(
            f"{name}{{{','.join(f'{label}={json.dumps(value)}' for label, value in labels.items())}}} 1.5\n"
            for name, labels in _series(asked, dialect)
        ).encode()
        for dialect in DIALECTS
    ]
    return [PAGE, *(page for page in pages if page)]


def _series(asked: Iterable[Any], dialect: str) -> Iterator[tuple[str, dict[str, str]]]:
    from runbook.formats.metrics.dialect import Unnamed, series

    for metric in asked:
        try:
            for place in series(metric, dialect):
                yield place.names[0], place.labels | dict.fromkeys(place.stars, "1")
        except Unnamed:
            continue


def read_metrics(dialect: str, data: bytes) -> Iterable[Any]:
    """A page, as facts."""
    try:
        page = data.decode()
    except UnicodeDecodeError as error:
        raise Garbled("answered with metrics that are no text") from error
    asked = (IDENTITY, *metrics_of(OF_BROKERS))
    sheet = samples.sheet(1, exposition.read(page, samples.names(asked, dialect)), asked, dialect)
    require_identity(sheet)
    for probe in OF_BROKERS:
        module = catalog("probes").load(probe)
        fact = tabulate(probe, module.PROBE.columns, tell(([sheet], []), module.GROUP))
        yield from sent(fact)


TARGETS = (
    *(
        Target(f"schema, {kind}", partial(schema_samples, kind), partial(read_schema, kind), (SchemaError,))
        for kind in ("AVRO", "JSON", "PROTOBUF")
    ),
    Target("certificate", certificate_samples, read_certificate, (Garbled,)),
    Target("Kubernetes", kubernetes_samples, read_answer, (CannotLook,)),
    *(
        Target(f"metrics, {dialect}", metric_samples, partial(read_metrics, dialect), (Garbled,))
        for dialect in DIALECTS
    ),
)
