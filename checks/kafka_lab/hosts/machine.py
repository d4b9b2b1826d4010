"""Start and stop hosts of the lab, and start processes in them."""

import os
import shutil
import socket
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kafka_lab import processes
from kafka_lab.errors import LabError
from kafka_lab.hosts.plan import USERS, MachinePlan
from kafka_lab.processes import Process
from runbook.safety.child_process import finish, python_module

_UP_WITHIN = 180.0  # half a second on a machine with nothing else to do
_CHILD_WITHIN = 30.0
_TOOLS = ("sshd", "ssh-keygen", "unshare", "nsenter", "mount", "setpriv", "prlimit")
_PATH = "/usr/sbin:/usr/bin:/sbin:/bin"


class Machine(Struct):
    """A host that runs.

    Attributes:
        plan: what it is like.
        keeper: the process that holds its namespaces.
        first: its sshd, which is its first process: when it ends, everything in the host ends.
        host_key: the public half of its host key.
    """

    plan: MachinePlan
    keeper: Process
    first: Process
    host_key: str

    @property
    def known_hosts_line(self) -> str:
        """Its line in known_hosts."""
        return f"[{self.plan.address}]:{self.plan.port} {self.host_key}"

    def set_kernel(self, setting: str, value: str) -> None:
        """Let one of its kernel settings show another value, from now on."""
        self.plan.value_file(setting).write_text(value + "\n", encoding="utf-8")


def lacking() -> str:
    """Say why hosts can't be started on this machine and what would help; "" if they can."""
    if sys.platform != "linux":
        return "hosts need Linux: they are made of its namespaces"
    if os.geteuid() != 0:
        return "hosts need root, to make namespaces and mounts: start the lab as root"
    missing = [tool for tool in _TOOLS if shutil.which(tool, path=_PATH) is None]
    if missing:
        return f"hosts need {', '.join(missing)}: apt-get install openssh-server openssh-client util-linux"
    return ""


def make_key(file: Path) -> str:
    """Make a pair of keys without a passphrase, unless there is one; gives the public half."""
    if not file.exists():
        tool = shutil.which("ssh-keygen", path=_PATH) or "ssh-keygen"
        finish([tool, "-q", "-t", "ed25519", "-N", "", "-C", "runbook lab", "-f", str(file)]).check_returncode()
    return " ".join(file.with_suffix(".pub").read_text(encoding="utf-8").split()[:2])


def start(plans: Sequence[MachinePlan], public_key: str) -> list[Machine]:
    """Start hosts, and return when their sshds answer.

    Args:
        plans: what they are like.
        public_key: whose owner may log in, as any of their users.

    Raises:
        LabError: one did not come up; none of them stays.
    """
    machines = []
    try:
        for plan in plans:
            machines.append(_start(plan, public_key))  # noqa: PERF401 - those started must be known when one fails
        return [_awaited(machine) for machine in machines]
    except BaseException:
        for machine in machines:
            stop(machine)
        raise


def start_inside(machine: Machine, command: Sequence[str], *, files: int, output: Path, folder: Path) -> Process:
    """Start a process in a host, as its user kafka.

    Args:
        machine: the host.
        command: the argument vector.
        files: its limit of open files.
        output: the file that takes what it prints, outside of the host.
        folder: where it runs, in the host.

    Raises:
        LabError: it could not be started.
    """
    user = str(USERS["kafka"])
    enter = [
        *("nsenter", "--target", str(machine.first.pid), "--mount", "--uts", "--ipc", "--pid", "--root"),
        *("prlimit", f"--nofile={files}:{files}"),
        *("setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"),
        *("env", f"--chdir={folder}"),
    ]
    keeper = processes.start([*enter, *command], output=output, folder=Path("/"))
    return _child_of(keeper, f"{command[0]} in host {machine.plan.name}", output)


def stop(machine: Machine) -> None:
    """End a host and everything in it, and remove its files. Safe to call at any time."""
    processes.terminate(machine.first, patience=0.0)
    processes.terminate(machine.keeper, patience=0.0)
    shutil.rmtree(machine.plan.folder, ignore_errors=True)


def _start(plan: MachinePlan, public_key: str) -> Machine:
    folder = Path(plan.folder)
    shutil.rmtree(folder, ignore_errors=True)
    for name in ("upper", "work", "root", "kernel"):
        (folder / name).mkdir(parents=True)
    (folder / "upper").chmod(0o755)
    for setting, value in plan.kernel.items():
        plan.value_file(setting).write_text(value + "\n", encoding="utf-8")
    host_key = make_key(folder / "host_key")
    options = f'restrict,command="{plan.forced}" ' if plan.forced else ""
    (folder / "authorized_keys").write_text(f"{options}{public_key}\n", encoding="utf-8")
    (folder / "plan.json").write_bytes(msgspec.json.encode(plan))
    command = [
        *("unshare", "--mount", "--uts", "--ipc", "--pid", "--fork", "--kill-child", "--propagation", "private"),
        *python_module("kafka_lab.hosts.inside", str(folder / "plan.json")),
    ]
    keeper = processes.start(command, output=folder / "log", folder=Path("/"))
    return Machine(plan, keeper, _child_of(keeper, f"host {plan.name}", folder / "log"), host_key)


def _child_of(keeper: Process, what: str, output: Path) -> Process:
    """The one child of a process that does nothing else but keep it."""
    file = Path(f"/proc/{keeper.pid}/task/{keeper.pid}/children")
    end = time.monotonic() + _CHILD_WITHIN
    while time.monotonic() < end and processes.condition(keeper) == "alive":
        children = file.read_text(encoding="ascii").split()
        if children:
            return processes.known_by(int(children[0]))
        time.sleep(0.02)
    raise LabError(f"{what} could not be started: {_last_words(output)}")


def _awaited(machine: Machine) -> Machine:
    end = time.monotonic() + _UP_WITHIN
    address = (machine.plan.address, machine.plan.port)
    while time.monotonic() < end and processes.condition(machine.keeper) == "alive":
        with socket.socket() as door:
            if door.connect_ex(address) == 0:
                # Its first process began as another program; how it is known starts with it all the same.
                return replace(machine, first=processes.known_by(machine.first.pid))
        time.sleep(0.05)
    raise LabError(f"host {machine.plan.name} did not come up: {_last_words(Path(machine.plan.folder, 'log'))}")


def _last_words(output: Path) -> str:
    return output.read_text(encoding="utf-8", errors="replace").strip()[-600:] or "it said nothing"
