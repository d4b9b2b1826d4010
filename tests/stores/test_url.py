import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fsspec.implementations.memory import MemoryFileSystem

from runbook.evidence.import_runs import import_runs
from runbook.evidence.store import NotKept, keep_run, run_files
from runbook.model.errors import UsageError
from runbook.stores import open_store, url
from support.kept_runs import kept_run

WHERE = "memory://evidence/results"


@pytest.fixture(autouse=True)
def memory() -> Iterator[MemoryFileSystem]:
    """An empty file system in this process."""
    MemoryFileSystem.store.clear()
    yield MemoryFileSystem()
    MemoryFileSystem.store.clear()


def test_a_run_that_is_kept_comes_back() -> None:
    store = open_store(WHERE)
    assert store.sizes() == {}
    run = kept_run("prod", "test")
    keep_run(store, run)
    assert {stored.path: stored.content for stored in store.read(lambda *_: True)} == dict(run_files(run))


def test_many_files_are_fetched_in_portions(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(url, "_AT_ONCE", 3)
    store, copy = open_store(WHERE), open_store(str(tmp_path))
    for number in range(7):
        keep_run(store, kept_run(number=number))
    assert len(import_runs(store, copy).written) == 7
    assert import_runs(store, copy).present == 7


def test_nothing_shows_under_its_name_before_all_of_it_is_there(
    memory: MemoryFileSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[list[str]] = []
    move = MemoryFileSystem.mv

    def watched(files: MemoryFileSystem, *arguments: Any, **options: Any) -> None:
        seen.append([path for path in files.find("/evidence") if path.endswith(".jsonl")])
        move(files, *arguments, **options)

    monkeypatch.setattr(MemoryFileSystem, "mv", watched)
    keep_run(open_store(WHERE), kept_run())
    assert seen == [[]]
    assert [path.rpartition(".")[2] for path in memory.find("/evidence")] == ["jsonl"]


def test_a_write_that_is_refused_is_said_so_and_leaves_nothing(
    memory: MemoryFileSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: Any, **__: Any) -> None:
        raise RuntimeError("quota exceeded\nby much")

    monkeypatch.setattr(MemoryFileSystem, "mv", refused)
    with pytest.raises(NotKept, match=r"memory://evidence/results/runs/prod/.* RuntimeError: quota exceeded; nothing"):
        keep_run(open_store(WHERE), kept_run())
    assert memory.find("/evidence") == []


def test_a_file_system_that_stays_silent_costs_a_minute_not_the_evening(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = threading.Event()
    monkeypatch.setattr(url, "_PATIENCE", 0.05)
    monkeypatch.setattr(MemoryFileSystem, "walk", lambda *_, **__: answer.wait(20))
    with pytest.raises(UsageError, match="can't be looked at: no answer within"):
        open_store(WHERE).sizes()
    answer.set()


def test_a_file_that_can_not_be_fetched_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    store = open_store(WHERE)
    for number in range(2):
        keep_run(store, kept_run(number=number))
    fetch = MemoryFileSystem.cat_file

    def broken(files: MemoryFileSystem, path: str, *arguments: Any, **options: Any) -> bytes:
        if path.endswith("1.jsonl"):
            raise OSError("the block is lost")
        content: bytes = fetch(files, path, *arguments, **options)
        return content

    monkeypatch.setattr(MemoryFileSystem, "cat_file", broken)
    first, second = store.read(lambda *_: True)
    assert first.content
    assert second.trouble == "it can't be read: the block is lost"


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("nope://bucket/x", "no driver for nope://; there are abfs, gs, hdfs, s3, sftp, webhdfs and kafka"),
        ("webhdfs://me:geheim@host:1/x", r"webhdfs://me:…@host:1/x holds a password: give it to the driver by"),
    ],
)
def test_an_address_that_can_not_be_used_is_said_so(where: str, expected: str) -> None:
    with pytest.raises(UsageError, match=expected) as refused:
        open_store(where)
    assert "geheim" not in str(refused.value)


def test_a_missing_driver_is_said_so_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    from fsspec.registry import known_implementations

    monkeypatch.setitem(known_implementations, "gs", {"class": "not_there.Gs", "err": "Install gcsfs to access it"})
    with pytest.raises(UsageError, match="needs a driver that is not installed here: Install gcsfs"):
        open_store("gs://bucket/results")


def test_settings_of_a_driver_are_its_own_matter() -> None:
    with pytest.raises(UsageError, match=r"configure fsspec's driver instead"):
        open_store(WHERE, {"key": "geheim"})


def test_a_server_that_refuses_is_named() -> None:
    with pytest.raises(UsageError, match=r"webhdfs://127\.0\.0\.1:9/x can't be looked at: "):
        open_store("webhdfs://127.0.0.1:9/x").sizes()


HOSTILE_PLACES = (
    "/evidence/results/runs/prod/2026-11-22/../../../../../etc/passwd.jsonl",
    "/evidence/results/runs/../../../home/root/.ssh/authorized_keys.jsonl",
    "/evidence/results/runs/\x1b[2J\n/2026-11-22/a.jsonl",
    "/evidence/results/runs/" + "a" * 100_000 + "/2026-11-22/x.jsonl",
)


@pytest.mark.parametrize("place", HOSTILE_PLACES)
def test_a_server_that_lists_places_elsewhere_gets_nothing_written_there(
    memory: MemoryFileSystem, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, place: str
) -> None:
    listed = {place: {"name": place, "size": 3, "type": "file"}}
    monkeypatch.setattr(MemoryFileSystem, "walk", lambda *_, **__: [("/evidence/results/runs", {}, listed)])
    monkeypatch.setattr(MemoryFileSystem, "cat_file", lambda *_, **__: b"{}\n")
    copy = tmp_path / "copy"
    report = import_runs(open_store(WHERE), open_store(str(copy)))
    assert not report.written
    assert [file for file in tmp_path.rglob("*") if file.is_file()] == []
    assert memory.find("/evidence") == []


@pytest.mark.parametrize(
    ("name", "size"), [("/other/runs/x/2026-11-22/a.jsonl", 3), ("", 3), ("/evidence/results/runs/a.jsonl", None)]
)
def test_a_server_whose_list_makes_no_sense_is_told_and_is_no_mistake_of_ours(
    monkeypatch: pytest.MonkeyPatch, name: str, size: int | None
) -> None:
    listed = {name: {"name": name, "size": size, "type": "file"}}
    monkeypatch.setattr(MemoryFileSystem, "walk", lambda *_, **__: [("/evidence/results/runs", {}, listed)])
    with pytest.raises(UsageError, match="can't be looked at"):
        open_store(WHERE).sizes()
