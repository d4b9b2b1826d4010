"""Runs in the new namespaces of a host, as its first process: puts its file system together and becomes its sshd."""

import os
import shutil
import socket
import sys
from pathlib import Path

import msgspec

from kafka_lab.hosts.plan import USERS, MachinePlan
from runbook.safety.child_process import become, finish

_SSHD = """\
Port {port}
ListenAddress {address}
HostKey /etc/ssh/lab_host_key
AuthorizedKeysFile /etc/ssh/lab_keys
StrictModes no
PasswordAuthentication no
KbdInteractiveAuthentication no
UsePAM no
PermitRootLogin no
AllowUsers {users}
PidFile none
MaxStartups 100
Subsystem sftp internal-sftp
"""


def main() -> None:
    """Build the host that a JSON file describes, and become its sshd."""
    plan = msgspec.json.decode(Path(sys.argv[1]).read_bytes(), type=MachinePlan)
    socket.sethostname(plan.name)
    _mount(plan)
    _fill(plan)
    sshd = shutil.which("sshd", path="/usr/sbin:/usr/bin:/sbin") or "sshd"
    os.chroot(plan.root)
    os.chdir("/")
    become([sshd, "-D", "-e", "-f", "/etc/ssh/lab_sshd_config"])


def _mount(plan: MachinePlan) -> None:
    root, folder = plan.root, Path(plan.folder)
    layers = f"lowerdir=/,upperdir={folder / 'upper'},workdir={folder / 'work'}"
    _run("mount", "-t", "overlay", "overlay", "-o", layers, str(root))
    _run("mount", "-t", "proc", "proc", f"{root}/proc")
    for tree in ("/sys", "/dev"):
        _run("mount", "--rbind", tree, f"{root}{tree}")
    for scratch in ("/run", "/tmp"):  # noqa: S108 - mounted over, so that the host sees nothing of this machine's
        _run("mount", "-t", "tmpfs", "-o", "size=64m,mode=1777", "tmpfs", f"{root}{scratch}")
    for setting in plan.kernel:
        if Path(f"{root}{setting}").exists():
            _run("mount", "--bind", str(plan.value_file(setting)), f"{root}{setting}")
    for path in plan.shared:
        inside = Path(f"{root}{path}")
        inside.mkdir(parents=True, exist_ok=True)
        _run("mount", "--bind", path, str(inside))
        _run("mount", "-o", "remount,bind,noatime", str(inside))
        _open_way(root, inside)
    for path in plan.readable:
        inside = Path(f"{root}{path}")
        if not inside.exists():  # it lies in a folder that was mounted over
            inside.mkdir(parents=True)
            _run("mount", "--bind", path, str(inside))
        _open_way(root, inside)


def _open_way(root: Path, inside: Path) -> None:
    """Let the users of the host pass to a folder that lies, say, in root's own home."""
    for folder in inside.parents:
        if folder == root:
            return
        folder.chmod(folder.stat().st_mode | 0o111)


def _fill(plan: MachinePlan) -> None:
    root, folder = plan.root, Path(plan.folder)
    (root / "run" / "sshd").mkdir(mode=0o755)
    ssh = root / "etc" / "ssh"
    ssh.mkdir(parents=True, exist_ok=True)
    shutil.copy(folder / "host_key", ssh / "lab_host_key")
    (ssh / "lab_host_key").chmod(0o600)
    (ssh / "lab_keys").write_text((folder / "authorized_keys").read_text("utf-8"), encoding="utf-8")
    (ssh / "lab_keys").chmod(0o644)
    settings = _SSHD.format(port=plan.port, address=plan.address, users=" ".join(USERS))
    (ssh / "lab_sshd_config").write_text(settings, encoding="utf-8")
    (root / "etc" / "hostname").write_text(plan.name + "\n", encoding="utf-8")
    for name, number in USERS.items():
        _append(root / "etc" / "passwd", f"{name}:x:{number}:{number}::/tmp:/bin/sh")
        _append(root / "etc" / "group", f"{name}:x:{number}:")
        _append(root / "etc" / "shadow", f"{name}:*:20000:0:99999:7:::")
    for path, text in plan.files.items():
        file = Path(f"{root}{path}")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        file.chmod(0o755 if text.startswith("#!") else 0o644)
        if path in plan.private:
            os.chown(file, USERS["kafka"], USERS["kafka"])
            file.chmod(0o600)


def _append(file: Path, line: str) -> None:
    with file.open("a", encoding="utf-8") as lines:
        lines.write(line + "\n")


def _run(*command: str) -> None:
    finish(command).check_returncode()


if __name__ == "__main__":
    main()
