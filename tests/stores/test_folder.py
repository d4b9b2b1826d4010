import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from runbook.evidence.store import NotKept, keep_run, run_files
from runbook.evidence.store_layout import fault_of
from runbook.model.errors import UsageError
from runbook.stores import open_store
from support.kept_runs import kept_run


def bind(place: Path) -> None:
    """Leave a socket there."""
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(place))


def test_a_run_that_is_kept_comes_back(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "results"))
    run = kept_run("prod", "test")
    keep_run(store, run)
    assert {stored.path: stored.content for stored in store.read(lambda *_: True)} == dict(run_files(run))
    assert store.sizes() == {path: len(content) for path, content in run_files(run)}


def test_a_store_that_is_not_there_yet_is_empty(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "none"))
    assert store.sizes() == {}
    assert list(store.read(lambda *_: True)) == []


def test_half_written_and_foreign_files_are_not_read(tmp_path: Path) -> None:
    store = open_store(str(tmp_path))
    keep_run(store, kept_run())
    [path] = store.sizes()
    (tmp_path / path).with_suffix(".jsonl.77.part").write_text("half")
    (tmp_path / "weeks").mkdir()
    (tmp_path / "weeks" / "x.jsonl").write_text("derived")
    assert list(store.sizes()) == [path]


def test_an_odd_file_is_found_so_that_it_can_be_named(tmp_path: Path) -> None:
    odd = tmp_path / "runs" / "prod" / "notes.jsonl"
    odd.parent.mkdir(parents=True)
    odd.write_text("{}\n")
    [found] = open_store(str(tmp_path)).read(lambda *_: True)
    assert "no run or snapshot of ours" in str(fault_of(found.path, found.content))


def test_a_file_that_may_not_be_read_is_named(tmp_path: Path) -> None:
    store = open_store(str(tmp_path))
    keep_run(store, kept_run())
    [path] = store.sizes()
    (tmp_path / path).unlink()
    (tmp_path / path).symlink_to("/proc/self/mem")  # there, and not readable from its beginning
    [found] = store.read(lambda *_: True)
    assert found.trouble.startswith("it can't be read: ")


def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("")
    with pytest.raises(UsageError, match="is no folder"):
        open_store(str(tmp_path / "f")).sizes()
    with pytest.raises(NotKept, match="could not be written: Not a directory"):
        keep_run(open_store(str(tmp_path / "f")), kept_run())


def test_a_folder_takes_no_settings(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"it takes no settings, but results has sasl\.password"):
        open_store(str(tmp_path), {"sasl.password": "geheim"})


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    """A file of ours that somebody put a link at would be copied to where results are brought together."""
    (tmp_path / "private").write_text("a key of ours\n")
    place = tmp_path / "store" / "runs" / "prod" / "2026-11-22" / "20261122T100000Z-000000000000.jsonl"
    place.parent.mkdir(parents=True)
    place.symlink_to(tmp_path / "private")
    [found] = open_store(str(tmp_path / "store")).read(lambda *_: True)
    assert found.content == b""
    assert "is a link" in found.trouble


@pytest.mark.parametrize(("make", "kind"), [(os.mkfifo, "a pipe"), (os.mkdir, "a folder"), (bind, "a socket")])
def test_what_is_no_file_is_named_and_never_waited_for(
    tmp_path: Path, make: Callable[[Path], None], kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "runs" / "prod" / "2026-11-22" / "20261122T100000Z-000000000000.jsonl"
    place.parent.mkdir(parents=True)
    monkeypatch.chdir(place.parent)
    make(Path(place.name))
    [found] = open_store(str(tmp_path)).read(lambda *_: True)
    assert (found.content, found.trouble) == (b"", f"it can't be read: it is {kind}, which no run leaves: not read")
