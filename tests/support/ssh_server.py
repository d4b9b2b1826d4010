"""A real sshd on loopback, without namespaces: it gives this machine as a host. For tests of several rooms."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from kafka_lab.ports import free_ports
from runbook.model.probe import Deadline

SSHD = shutil.which("sshd", path="/usr/sbin:/usr/bin:/sbin")
LACKING = "" if SSHD and os.geteuid() == 0 else "needs root and sshd: apt-get install openssh-server"


def patient() -> Deadline:
    """A clock for tests that are not about time: the machine may be busy with other tests."""
    return Deadline(90, patience=30)


class Server(NamedTuple):
    """An sshd: its port, and the folder with host_key, key and known_hosts."""

    port: int
    folder: Path

    def settings(self, **more: Any) -> dict[str, Any]:
        """The settings for it, as the inventory gives them."""
        return {
            "hosts": {"h1": {"address": "127.0.0.1", "port": self.port}},
            "user": "root",
            "config": str(self.folder / "ssh_config"),
            "known_hosts": str(self.folder / "known_hosts"),
            "identity": str(self.folder / "key"),
            "agent": False,
        } | more


def make_key(file: Path, passphrase: str = "") -> str:
    """Make a pair of keys; gives the public half."""
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", passphrase, "-C", "", "-f", file], check=True)
    return file.with_suffix(".pub").read_text().strip()


@contextmanager
def running_sshd(folder: Path, options: str = "") -> Iterator[Server]:
    """Run an sshd; `options` stand before the key that may log in as root."""
    (folder / "authorized_keys").write_text(f"{options} {make_key(folder / 'key')}\n".lstrip())
    (folder / "ssh_config").touch()
    public = make_key(folder / "host_key")
    [port] = free_ports(1)
    (folder / "known_hosts").write_text(f"[127.0.0.1]:{port} {public}\n")
    Path("/run/sshd").mkdir(exist_ok=True)  # where sshd gives up its rights
    settings = {
        "ListenAddress": f"127.0.0.1:{port}",
        "HostKey": folder / "host_key",
        "AuthorizedKeysFile": folder / "authorized_keys",
        "PidFile": "none",
        "UsePAM": "no",
        "StrictModes": "no",
        "PasswordAuthentication": "no",
        "PermitRootLogin": "yes",
        "MaxStartups": "100",
        "LogLevel": "VERBOSE",
        "Subsystem": "sftp internal-sftp",
    }
    (folder / "config").write_text("".join(f"{name} {value}\n" for name, value in settings.items()))
    process = subprocess.Popen([str(SSHD), "-D", "-f", folder / "config", "-E", folder / "log"])
    try:
        _await(port)
        yield Server(port, folder)
    finally:
        process.terminate()
        process.wait(10)


def _await(port: int) -> None:
    for _ in range(200):
        with socket.socket() as door:
            if door.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError(f"sshd does not listen on {port}")
