"""Files that people hand to the tool: runbooks, inventories, bundles, evidence, walks; and where it writes."""

import datetime as dt
import json
import tempfile
from atexit import register
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from shutil import rmtree
from typing import Any

import msgspec
import yaml

from runbook.connections import manifests
from runbook.evidence.bundle import FORMAT, inventory_of, load_bundle
from runbook.evidence.chain import START, chained, first_fault
from runbook.evidence.lines import ResultLine, RunLine
from runbook.evidence.reading import examine
from runbook.evidence.snapshot import MalformedSnapshot, Snapshot, read_snapshot, write_snapshot
from runbook.evidence.store import NotKept, run_files, run_path, write_into
from runbook.evidence.store_layout import fault_of
from runbook.judge.compiled import compile_check
from runbook.model.block import Check
from runbook.model.errors import CannotLook, Invalid, UsageError
from runbook.model.fact import conform, tabulate
from runbook.model.probe import Deadline
from runbook.model.run import Expected
from runbook.parse.inventory import parse_inventory
from runbook.parse.runbook import parse_runbook, read_text
from runbook.parse.yaml_document import read_yaml
from runbook.plugins.catalog import catalog
from runbook.procedure.walk_record import NoRecord, lines_of, read_record
from support.evidence import record as kept_evidence
from support.fuzz.executing import Escaped, Target
from support.kept_runs import kept_run
from support.small_runbooks import EACH, FLEET_SAME, FRONT, LINK, check_text
from support.small_walks import WHOLE, written

ROOT = Path(__file__).parents[3]
TODAY = dt.date(2026, 11, 21)
[(PATH, RUN)] = run_files(kept_run())
SNAPSHOT = Snapshot("2026-11-21T10:00:00.000Z", "1.0.0", {"prod": ["ha"]}, [Expected("ha/x", "high", "d", "ha", "1")])


@cache
def folder() -> Path:
    """Where cases lie while they are read; in memory where the machine has such a place."""
    memory = Path("/dev/shm")
    made = Path(tempfile.mkdtemp(prefix="rb-fuzz-", dir=memory if memory.is_dir() else None))
    register(rmtree, made, ignore_errors=True)
    return made


def as_file(data: bytes, name: str) -> Path:
    """A case as a file."""
    file = folder() / name
    file.write_bytes(data)
    return file


def compact(value: Any) -> bytes:
    """JSON in one line, of which the mutator makes trees."""
    return json.dumps(value, separators=(",", ":")).encode()


# Runbooks.


def runbook_samples() -> Iterator[bytes]:
    """Small ones, the blocks of ours with their YAML as JSON, and the beginning of each of ours as it stands."""
    yield (FRONT + "\n".join(check_text(body, f"c{n}") for n, body in enumerate((EACH, LINK, FLEET_SAME)))).encode()
    for file in sorted((ROOT / "runbooks").glob("*.md")):
        text = file.read_text("utf-8")
        parts = text.split("```yaml {.")
        for part in parts[1 : len(parts) : max(1, len(parts) // 4)]:
            kind, _, rest = part.partition("}\n")
            body = rest.partition("```")[0]
            flow = compact(yaml.load(body, Loader=yaml.BaseLoader)).decode()
            yield f"{FRONT}\n# One\n\nProse.\n\n```yaml {{.{kind}}}\n{body}```\n".encode()
            yield f"{FRONT}\n```yaml {{.{kind}}}\n{flow}\n```\n".encode()


def read_a_runbook(data: bytes) -> Iterable[Any]:
    """As `runbook lint` does: the file, then each check for itself."""
    book = parse_runbook(read_text(as_file(data, "book.md"), "book.md"), "book", "book.md")
    yield book.front.title
    for placed in book.placed():
        yield placed.block.title
        yield placed.digest()
        if isinstance(placed.block, Check):
            compile_check(placed)


# Inventories and other YAML.


def inventory_samples() -> Iterator[bytes]:
    """Those that the pages show, as they stand and as JSON."""
    for file in sorted((ROOT / "docs").rglob("*.md")):
        for part in file.read_text("utf-8").split("```yaml")[1:]:
            body = part.partition("\n")[2].partition("```")[0]
            if body.startswith("environments:"):
                yield body.encode()
                yield compact(yaml.load(body, Loader=yaml.BaseLoader))
    waiver = {"check": "ha/x", "owner": "ada", "reason": "we move next week", "expires": "2026-12-31"}
    canary = {"topics": {"prefix": "canary"}}
    prod = {"kafka": {"bootstrap.servers": "k:9092"}, "waivers": [waiver], "canary": canary, "labels": {"tier": "prod"}}
    mirror = {"from": "prod", "to": "test", "kind": "mm2"}
    yield compact({"environments": {"prod": prod, "test": {}}, "mirrors": [mirror], "default": "prod", "results": "r"})


def read_an_inventory(data: bytes) -> Iterable[Any]:
    """As every command does."""
    found = parse_inventory(read_text(as_file(data, "inventory.yaml"), "inventory.yaml"), "inventory.yaml", TODAY)
    for name, target in found.targets.items():
        yield name
        yield target.environment.ranking()
        for waiver in target.environment.waivers:
            yield waiver.expired(dt.datetime.now(dt.UTC))
    yield found.results


def read_some_yaml(data: bytes) -> Iterable[Any]:
    """By the one reader of YAML there is."""
    document = read_yaml(read_text(as_file(data, "some.yaml"), "some.yaml"), "some.yaml")
    yield document.value
    yield from (str(place) for place in document.keys.values())


def manifest_samples() -> Iterator[bytes]:
    """The lab's resources of Strimzi: all of them, and each as JSON; and Helm values of each chart that is read."""
    whole = (ROOT / "checks" / "kafka_lab" / "kubernetes" / "strimzi.yaml").read_bytes()
    yield whole
    yield from (compact(document) for document in yaml.safe_load_all(whole))
    charts = yaml.safe_load((ROOT / "tests" / "records" / "manifests" / "charts.yaml").read_bytes())
    yield from (yaml.safe_dump(values).encode() for values in charts["bases"].values())


def read_manifests(data: bytes) -> Iterable[Any]:
    """As the checks of what is declared do."""
    files = manifests.connect({"paths": str(as_file(data, "manifests.yaml"))}, Deadline(5))
    for probe in ("strimzi_kafka", *(f"{of}_declaration" for of in ("cluster", "listener", "node", "topic", "acl"))):
        module = catalog("probes").load(probe)
        try:
            fact = tabulate(probe, module.PROBE.columns, module.observe(files))
        except CannotLook as failure:  # what a check over it then says
            yield str(failure)
            continue
        yield from (str(row)[:200] for row in fact.rows())


# Bundles.


def bundle_samples() -> Iterator[bytes]:
    """A small one, and one that a lab left, with a few facts of a few rows."""
    ask = {"environment": "prod", "connection": "kafka", "probe": "kafka_broker", "given": "{}"}
    fact = {"source": "kafka_broker", "columns": {"broker": [1], "rack": ["a"]}, "gaps": [{"reason": "r", "keys": {}}]}
    yield compact(
        {
            "format": FORMAT,
            "tool_version": "1",
            "run": "r1",
            "started_at": "2026-11-22T10:00:00.000Z",
            "environments": {"prod": {"labels": {"a": "b"}}, "test": {}},
            "connections": {"prod": ["kafka"], "test": {"kafka": ["bootstrap.servers"]}},
            "mirrors": [{"from": "prod", "to": "test", "kind": "mm2"}],
            "kept": [{"ask": ask, "facts": {"": fact}}, {"ask": ask | {"looks": "10s"}, "facts": {"": fact}}],
        }
    )
    for scene in ("stop-broker", "unsafe-topic"):
        whole = msgspec.to_builtins(kept_evidence.read(kept_evidence.place_of("plain", scene, "before")).bundle)
        whole["kept"] = [kept for kept in whole["kept"] if len(json.dumps(kept)) < 3000][:6]
        yield compact(whole)


def read_a_bundle(data: bytes) -> Iterable[Any]:
    """As `check --from` does, up to the facts as their probes declare them today."""
    bundle = load_bundle(as_file(data, "bundle.json"))
    yield from inventory_of(bundle, "bundle.json").targets
    for kept in bundle.kept:
        for fact in kept.facts.values():
            yield from (gap.reason for gap in fact.gaps)
            if kept.ask.probe in catalog("probes"):
                try:
                    conformed = conform(fact, catalog("probes").load(kept.ask.probe).PROBE.columns)
                except CannotLook as failure:  # what a check over it then says, and goes on
                    yield str(failure)
                    continue
                conformed.digest()
                yield from (str(row)[:200] for row in conformed.rows())
    yield run_path(bundle.kept[0].ask.environment if bundle.kept else "x", bundle.started_at, bundle.run)


# Evidence.


def evidence_samples() -> Iterator[bytes]:
    """Runs as stores keep them."""
    yield RUN
    yield b"".join(content for _, content in run_files(kept_run("prod", number=3, generated=True)))


def read_evidence(data: bytes) -> Iterable[Any]:
    """All that is ever asked of a file of a store; each has an answer for every file."""
    yield str(first_fault(data) or "")
    yield fault_of(PATH, data)
    yield from _examined(data)


def _examined(data: bytes) -> Iterator[Any]:
    for line in examine(data, PATH):
        yield line.reason
        if isinstance(line.record, RunLine):
            yield line.record.started, line.record.scored
        if isinstance(line.record, ResultLine):
            yield line.record.reason
            yield from (row.message for row in line.record.rows)


def read_evidence_chained_anew(data: bytes) -> Iterable[Any]:
    """The same of lines whose chain somebody worked out who changed them: it has no key."""
    yield from read_evidence(b"".join(line + b"\n" for line in chained(_records(data))))


def _records(data: bytes) -> Iterator[dict[str, Any]]:
    for line in data.split(b"\n"):
        try:
            record = msgspec.json.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            continue
        if isinstance(record, dict):
            record.pop("chain", None)
            yield record


def read_a_snapshot(data: bytes) -> Iterable[Any]:
    """As a scorecard does."""
    yield read_snapshot(data).at


def read_a_snapshot_signed_anew(data: bytes) -> Iterable[Any]:
    """The same of one whose digest somebody worked out who changed it."""
    from runbook.evidence.snapshot import _as_written

    for record in _records(data):
        snapshot = read_snapshot(_as_written(record))
        yield snapshot.at
        yield [check.check for check in snapshot.checks]


def walk_samples() -> Iterator[bytes]:
    """Whole ones, and one under way."""
    yield written(WHOLE)
    yield written(WHOLE[:4])


def read_a_walk(data: bytes) -> Iterable[Any]:
    """As `procedure show` and `--resume` do."""
    record = read_record(data)
    yield record.fault
    yield record.begun.title
    yield from record.entries


def read_a_walk_chained_anew(data: bytes) -> Iterable[Any]:
    """The same of lines whose chain somebody worked out."""
    link, content = START, b""
    for number, record in enumerate(record for record in _records(data) if "kind" in record):
        text, link = lines_of(record, "w", link, number)
        content += text
    yield from read_a_walk(content)


# What writes.


def place_samples() -> Iterator[bytes]:
    """Places in a store, and parts of names that become such."""
    yield PATH.encode()
    yield b"expected/2026-11-21/20261121T100000Z-0123456789ab.json"
    yield b"runs/prod/2026-11-21/20261121T100000Z-0123456789ab.jsonl"
    yield b"../outside"
    yield b"runs/../../outside/20261121T100000Z-a.jsonl"
    yield b"/etc/passwd"


def write_there(data: bytes) -> Iterable[Any]:
    """Write into a store at a place that somebody else named; then look whether anything is beside the store."""
    within = folder() / "beside"
    store = within / "store"
    store.mkdir(parents=True, exist_ok=True)
    path = data[:4000].decode("utf-8", "surrogateescape")
    try:
        file = write_into(store, path, b"x")
    finally:
        if (strange := [path.name for path in within.iterdir() if path != store]) or not within.is_dir():
            for written in strange:
                within.joinpath(written).unlink(missing_ok=True)
            raise Escaped("a file beside the store")
    if store.resolve() not in file.resolve().parents:
        raise Escaped("a file outside of the store")
    rmtree(store)
    yield file.name


def write_a_run(data: bytes) -> Iterable[Any]:
    """File a run under the names that a bundle gives, as `check --from BUNDLE --results STORE` does."""
    bundle = load_bundle(as_file(data, "bundle.json"))
    for environment in bundle.environments:
        yield from write_there(run_path(environment, bundle.started_at, bundle.run).encode("utf-8", "surrogatepass"))


TARGETS = (
    Target("runbook", runbook_samples, read_a_runbook, (Invalid,)),
    Target("inventory", inventory_samples, read_an_inventory, (Invalid,)),
    Target("yaml", inventory_samples, read_some_yaml, (Invalid,)),
    Target("manifests", manifest_samples, read_manifests),
    Target("bundle", bundle_samples, read_a_bundle, (UsageError,)),
    Target("evidence", evidence_samples, read_evidence),
    Target("evidence chained anew", evidence_samples, read_evidence_chained_anew),
    Target("snapshot", lambda: [write_snapshot(SNAPSHOT)], read_a_snapshot, (MalformedSnapshot,)),
    Target(
        "snapshot signed anew", lambda: [write_snapshot(SNAPSHOT)], read_a_snapshot_signed_anew, (MalformedSnapshot,)
    ),
    Target("walk", walk_samples, read_a_walk, (NoRecord,)),
    Target("walk chained anew", walk_samples, read_a_walk_chained_anew, (NoRecord,)),
    Target("place in a store", place_samples, write_there, (NotKept,)),
    Target("bundle into a store", bundle_samples, write_a_run, (NotKept, UsageError)),
)
