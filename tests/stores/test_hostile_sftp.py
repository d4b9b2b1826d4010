"""Results on a host over SSH, by a real sshd: what is no file there, what grows, and ends in the middle of a write."""

import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import psutil
import pytest
from fsspec.registry import get_filesystem_class

from runbook.evidence.import_runs import import_runs
from runbook.evidence.store import NotKept, Store, keep_run, run_files, run_path
from runbook.evidence.store_layout import fault_of
from runbook.stores import _sftp, open_store
from support.kept_runs import kept_run
from support.killed_collectors import reported_before_kills
from support.ssh_server import LACKING, Server, running_sshd

pytestmark = pytest.mark.skipif(bool(LACKING), reason=LACKING)
KILLS: Final = 3
SOUND: Final = dict(run_files(kept_run("prod", number=1)))
PIECE: Final = b"x" * (1 << 16)


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """An sshd that is known, and the key that may log in."""
    (tmp_path / "sshd").mkdir()
    with running_sshd(tmp_path / "sshd") as made:
        monkeypatch.setattr(_sftp, "KNOWN_HOSTS", (str(made.folder / "known_hosts"),))
        monkeypatch.setenv("HOME", str(tmp_path))
        monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
        (tmp_path / ".ssh").mkdir(mode=0o700)
        (tmp_path / ".ssh" / "id_ed25519").write_bytes((made.folder / "key").read_bytes())
        (tmp_path / ".ssh" / "known_hosts").write_bytes((made.folder / "known_hosts").read_bytes())
        get_filesystem_class("sftp").clear_instance_cache()
        yield made
        get_filesystem_class("sftp").clear_instance_cache()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the store is on that host: one sound run is in it."""
    place = tmp_path / "results"
    for path, content in SOUND.items():
        (place / path).parent.mkdir(parents=True)
        (place / path).write_bytes(content)
    return place


@pytest.fixture
def where(server: Server, folder: Path) -> str:
    """Its address."""
    return f"sftp://root@127.0.0.1:{server.port}{folder}"


def beside(folder: Path, number: int) -> Path:
    """The place of another run."""
    run = kept_run("prod", number=number)
    place = folder / run_path("prod", run.started_at, run.id)
    place.parent.mkdir(parents=True, exist_ok=True)
    return place


def test_what_is_no_file_is_told_and_not_read(where: str, folder: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.jsonl"
    outside.write_bytes(next(iter(SOUND.values())))
    beside(folder, 2).symlink_to("/dev/zero")
    beside(folder, 3).symlink_to(outside)
    os.mkfifo(beside(folder, 4))
    beside(folder, 5).mkdir()
    (folder / "runs" / "around").symlink_to(folder / "runs")
    landed = import_runs(open_store(where), open_store(str(tmp_path / "copy")))
    assert landed.written == [*SOUND]
    told = {path.rpartition("-")[2].removesuffix(".jsonl").lstrip("0"): why for path, why in landed.left}
    a_link = "it can't be read: it is a link, which no run leaves, and which is not followed: it could lead to any file"
    assert told == {"2": a_link, "3": a_link, "4": "it can't be read: it is a pipe, which no run leaves: not read"}


def test_a_file_that_grows_without_end_is_told(where: str, folder: Path, tmp_path: Path) -> None:
    ended = threading.Event()

    def grows() -> None:
        with beside(folder, 2).open("wb", buffering=0) as file:
            while not ended.wait(0.001) and file.tell() < 1 << 27:
                file.write(PIECE)

    writer = threading.Thread(target=grows)
    writer.start()
    try:
        landed = import_runs(open_store(where), open_store(str(tmp_path / "copy")))
    finally:
        ended.set()
        writer.join()
    assert landed.written == [*SOUND]
    [(_, why)] = landed.left
    assert "more came: files of a store never change" in why or "more than any run leaves: not read" in why


def test_a_file_larger_than_any_run_is_not_fetched(where: str, folder: Path, tmp_path: Path) -> None:
    with beside(folder, 2).open("wb") as file:
        file.truncate(1 << 40)
    landed = import_runs(open_store(where), open_store(str(tmp_path / "copy")))
    assert landed.written == [*SOUND]
    [(_, why)] = landed.left
    assert why == f"it can't be read: it has {1 << 40} bytes, more than any run leaves: not read"


def test_a_collector_killed_at_any_moment_leaves_no_half_file(where: str, folder: Path) -> None:
    reported = reported_before_kills(
        where, KILLS, lambda kill, printed: [printed.readline().strip() for _ in range(1 + kill)]
    )
    found = {file.path: file.content for file in open_store(where).read(lambda *_: True)}
    assert [path for path, content in found.items() if fault_of(path, content)] == []
    assert len(reported) >= KILLS
    assert {*reported} <= {path.rpartition("/")[2].removesuffix(".jsonl") for path in found}
    assert not [file for file in folder.rglob("*.jsonl") if file.name.startswith(".")]


def test_a_connection_lost_in_the_middle_of_an_import_is_told_and_goes_on_later(
    where: str, server: Server, tmp_path: Path
) -> None:
    source = open_store(str(tmp_path / "source"))
    for number in range(2, 40):
        keep_run(source, kept_run("prod", number=number))
    target = open_store(where)
    with pytest.raises(NotKept, match=r"could not be written: .*; nothing of it is kept"):
        import_runs(source, target, lambda landed: _hang_up(server) if len(landed.written) == 5 else None)
    get_filesystem_class("sftp").clear_instance_cache()
    again = open_store(where)
    assert _faults(again) == []
    landed = import_runs(source, again)
    assert landed.left == []
    assert len(again.sizes()) == len(source.sizes()) + len(SOUND)
    assert _faults(again) == []


def _hang_up(server: Server) -> None:
    """End the sessions of this sshd, as a network does that is lost; the daemon goes on."""
    [daemon] = [
        one
        for one in psutil.process_iter(["cmdline"])
        if one.info["cmdline"] and str(server.folder / "config") in one.info["cmdline"]
    ]
    for session in daemon.children(recursive=True):
        os.kill(session.pid, signal.SIGKILL)


def _faults(store: Store) -> list[str]:
    return [file.path for file in store.read(lambda *_: True) if file.trouble or fault_of(file.path, file.content)]
