"""Facts of runs are kept beside their results, each environment's for itself, and no longer than was declared."""

import datetime as dt
import gzip
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from fsspec.implementations.memory import MemoryFileSystem

from runbook.evidence.bundle import FORMAT, Bundle, Kept
from runbook.evidence.kept_facts import FactStore, fact_store, keep_facts, kept_facts, kept_runs_of
from runbook.evidence.store import keep_run
from runbook.model.ask import FactQuestion
from runbook.model.errors import UsageError
from runbook.model.fact import Fact
from runbook.parse.inventory import Environment
from runbook.stores import open_store
from support.kept_runs import kept_run

WEEK = dt.timedelta(days=7)


def bundle(day: int, *environments: str) -> Bundle:
    """The facts of a run of that day of November 2026."""
    names = environments or ("prod",)
    kept = [
        Kept(FactQuestion(name, "kafka", "kafka_topic"), {"": Fact("kafka_topic", {"name": [name]})}) for name in names
    ]
    at = f"2026-11-{day:02}T06:00:00.000Z"
    of = {name: Environment() for name in names}
    return Bundle(
        FORMAT,
        "0",
        f"202611{day:02}T060000Z-abc",
        at,
        of,
        {name: {} for name in names},
        [],
        kept,
        [*names],
        typed_gaps=True,
    )


@pytest.fixture(params=["folder", "memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[FactStore]:
    """A folder, and a file system that has an address."""
    MemoryFileSystem.store.clear()
    yield fact_store(open_store(str(tmp_path / "kept") if request.param == "folder" else "memory://evidence/results"))
    MemoryFileSystem.store.clear()


def test_facts_that_are_kept_come_back_each_environments_for_itself(store: FactStore) -> None:
    assert kept_runs_of(store, "prod") == []
    keep_facts(store, bundle(23, "prod", "stage"), WEEK)
    found = kept_facts(store, "stage", "20261123T060000Z-abc")
    assert ([*found.environments], [*found.connections], found.selected) == (["stage"], ["stage"], ["stage"])
    assert [kept.facts[""].columns for kept in found.kept] == [{"name": ["stage"]}]
    assert kept_runs_of(store, "prod") == ["20261123T060000Z-abc"]


def test_looks_at_incidents_are_kept_and_are_not_what_later_ones_are_compared_with(store: FactStore) -> None:
    keep_facts(store, bundle(22), WEEK)
    keep_facts(store, bundle(23), WEEK, of_incident=True)
    assert [run[:8] for run in kept_runs_of(store, "prod")] == ["20261122"]
    assert [run[:8] for run in kept_runs_of(store, "prod", of_incidents=True)] == ["20261122", "20261123"]
    assert kept_facts(store, "prod", "20261123T060000Z-abc").started_at == "2026-11-23T06:00:00.000Z"
    keep_facts(store, bundle(30), WEEK)  # what is older goes, whatever it was kept for
    assert [run[:8] for run in kept_runs_of(store, "prod", of_incidents=True)] == ["20261123", "20261130"]


def test_what_is_older_than_was_declared_is_removed_and_nothing_else(store: FactStore) -> None:
    keep_facts(store, bundle(1, "prod", "stage"), WEEK)
    keep_run(open_store(store.name), kept_run("prod", number=0))  # of the first of November
    before = open_store(store.name).sizes()
    for day in (9, 16, 17):
        keep_facts(store, bundle(day), WEEK)
    assert [run[:8] for run in kept_runs_of(store, "prod")] == ["20261116", "20261117"]
    assert [run[:8] for run in kept_runs_of(store, "stage")] == ["20261101"]  # of which nothing new came
    assert len(before) == 1
    assert open_store(store.name).sizes() == before


def test_what_lies_on_the_day_itself_is_kept(store: FactStore) -> None:
    keep_facts(store, bundle(9), WEEK)
    keep_facts(store, bundle(16), WEEK)
    assert [run[:8] for run in kept_runs_of(store, "prod")] == ["20261109", "20261116"]


def test_only_facts_are_ever_removed(store: FactStore, tmp_path: Path) -> None:
    keep_run(open_store(store.name), kept_run("prod"))
    [path] = open_store(store.name).sizes()
    for wrong in (path, "facts/../runs/x", "facts/prod/2026-11-23/notes.txt", str(tmp_path / "a")):
        with pytest.raises(UsageError, match="nothing else is ever removed"):
            store.forget(wrong)
    assert [*open_store(store.name).sizes()] == [path]


def test_facts_are_read_by_their_owner_only_and_results_as_before(tmp_path: Path) -> None:
    folder = open_store(str(tmp_path))
    keep_facts(fact_store(folder), bundle(23), WEEK)
    [file] = tmp_path.rglob("*.json.gz")
    assert file.stat().st_mode & 0o777 == 0o600
    keep_run(folder, kept_run())
    [lines] = tmp_path.rglob("*.jsonl")
    assert lines.stat().st_mode & 0o044


def test_links_and_other_peoples_files_are_no_facts(tmp_path: Path) -> None:
    store = fact_store(open_store(str(tmp_path)))
    keep_facts(store, bundle(23), WEEK)
    [file] = tmp_path.rglob("*.json.gz")
    file.with_name("20261124T060000Z-abc.json.gz").symlink_to(file)
    file.with_name("notes.json.gz").write_text("no")
    assert kept_runs_of(store, "prod") == ["20261123T060000Z-abc"]


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda whole: whole[:-9], "cut off"),
        (lambda whole: b"no gzip" + whole, "not as it was written"),
        (lambda _: gzip.compress(b"{}"), "is no bundle"),
        (lambda _: gzip.compress(msgspec.json.encode(bundle(24))), "another run or environment"),
    ],
)
def test_facts_that_are_not_as_they_were_written_are_refused(spoil, said: str, tmp_path: Path) -> None:  # noqa: ANN001
    store = fact_store(open_store(str(tmp_path)))
    keep_facts(store, bundle(23), WEEK)
    [file] = tmp_path.rglob("*.json.gz")
    file.write_bytes(spoil(file.read_bytes()))
    with pytest.raises(UsageError, match=said):
        kept_facts(store, "prod", "20261123T060000Z-abc")


def test_a_run_without_facts_and_a_store_that_keeps_none_are_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="keeps no facts of the run r1 of prod"):
        kept_facts(fact_store(open_store(str(tmp_path))), "prod", "r1")
    with pytest.raises(UsageError, match="is no place for facts"):
        fact_store(open_store("kafka://broker:9092/results"))
