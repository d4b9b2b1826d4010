"""Which of fsspec's drivers a store may use, and that none of them speaks SSH to a host that nobody knows."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from fsspec.implementations.sftp import SFTPFileSystem
from fsspec.registry import get_filesystem_class, known_implementations

from runbook.evidence.store import keep_run
from runbook.model.errors import UsageError
from runbook.stores import _sftp, open_store
from runbook.stores._drivers import ALLOWED, REFUSED
from support.kept_runs import kept_run
from support.ssh_server import LACKING, Server, running_sshd


def test_every_driver_of_the_library_is_allowed_or_refused_with_a_reason() -> None:
    known = set(known_implementations)
    assert len(known) > 50
    assert known - ALLOWED - REFUSED.keys() == set()  # a newer library's: look at it, then put it into one of them
    assert ALLOWED & REFUSED.keys() == set()


@pytest.mark.parametrize(
    "where",
    [*(f"{scheme}://h/x" for scheme in REFUSED), "simplecache::sftp://h/x", "dir::ssh://h/x", "zip://a::sftp://h/x"],
)
def test_a_driver_that_may_run_something_is_refused(where: str) -> None:
    with pytest.raises(UsageError, match="is no address for results"):
        open_store(where)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    if LACKING:
        pytest.skip(LACKING)
    with running_sshd(tmp_path_factory.mktemp("sshd")) as made:
        yield made


@pytest.fixture
def known_hosts(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that vouches, empty; and the key that may log in."""
    file = tmp_path / "known_hosts"
    monkeypatch.setattr(_sftp, "KNOWN_HOSTS", (str(file),))
    monkeypatch.setitem(os.environ, "HOME", str(tmp_path))
    (tmp_path / ".ssh").mkdir(mode=0o700)
    (tmp_path / ".ssh" / "id_ed25519").write_bytes((server.folder / "key").read_bytes())
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
    return file


@pytest.mark.parametrize("scheme", ["sftp", "ssh"])
def test_an_unknown_host_is_refused_before_any_login(scheme: str, server: Server, known_hosts: Path) -> None:
    logins = (server.folder / "log").read_text().count("Accepted publickey")
    get_filesystem_class("sftp").clear_instance_cache()
    with pytest.raises(UsageError, match=r"is not in .*nothing was sent"):
        open_store(f"{scheme}://root@127.0.0.1:{server.port}{known_hosts.parent}/store").sizes()
    assert (server.folder / "log").read_text().count("Accepted publickey") == logins


def test_the_librarys_own_driver_would_have_logged_in(server: Server, known_hosts: Path) -> None:
    """Else the tests around this one would prove nothing."""
    logins = (server.folder / "log").read_text().count("Accepted publickey")
    files = SFTPFileSystem("127.0.0.1", port=server.port, username="root")
    files.client.close()
    assert not known_hosts.exists()
    assert (server.folder / "log").read_text().count("Accepted publickey") == logins + 1


@pytest.mark.parametrize("mark", ["@revoked", "@revoked elsewhere", "other"])
def test_a_host_with_another_key_or_a_revoked_one_is_refused(
    mark: str, server: Server, known_hosts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = (server.folder / "known_hosts").read_text()
    other = f"[127.0.0.1]:{server.port} {(server.folder / 'key.pub').read_text().strip()}\n"
    known_hosts.write_text({"@revoked": f"{line}@revoked {line}", "@revoked elsewhere": line, "other": other}[mark])
    everybodys = known_hosts.with_name("ssh_known_hosts")
    everybodys.write_text(f"@revoked {line}" if mark == "@revoked elsewhere" else "")
    monkeypatch.setattr(_sftp, "KNOWN_HOSTS", (str(known_hosts), str(everybodys)))
    logins = (server.folder / "log").read_text().count("Accepted publickey")
    get_filesystem_class("sftp").clear_instance_cache()
    with pytest.raises(UsageError, match="nothing was sent"):
        open_store(f"sftp://root@127.0.0.1:{server.port}{known_hosts.parent}/store").sizes()
    assert (server.folder / "log").read_text().count("Accepted publickey") == logins


def test_a_known_host_keeps_results(server: Server, known_hosts: Path) -> None:
    known_hosts.write_text("# a remark\n|broken line\n" + (server.folder / "known_hosts").read_text())
    get_filesystem_class("sftp").clear_instance_cache()
    store = open_store(f"sftp://root@127.0.0.1:{server.port}{known_hosts.parent}/store")
    keep_run(store, kept_run("prod", "test"))
    assert list(store.sizes())
    store._files.client.close()  # type: ignore[attr-defined]
