"""Three brokers, each in a Linux host of its own that is reached over SSH: what os-hardware.md says of those hosts."""

import os
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

from kafka_lab import LabState
from kafka_lab.faults import skew_clock
from kafka_lab.hosts import Machine
from kafka_lab.hosts.plan import USERS
from kafka_lab.inventory import environment
from kafka_lab.jars import KAFKA_VERSION
from kafka_lab.parts.hosts import machines_of
from runbook.model.result import Outcome
from support.busy_machine import LENGTHS_OF_PAUSES
from support.evidence.expected import Expected
from support.evidence.fault import fault_scene, none_of
from support.evidence.labs import kafka_lab
from support.evidence.scene import State, scene
from support.lab_hosts import LACKING, OF_NEGLECT, OF_SWAP, private_key, start_stand_in, state_of, version_of_sshd

_DEADLINE: Final = 45.0  # seconds; a host that hangs costs a third of it, the others wait for a busy machine
_VM: Final = "/proc/sys/vm/"
_ANY: Final = tuple(Outcome)

# What this machine, or a lab of one network, has otherwise than a machine in production.
_PARAMS: Final = {
    "os-hardware/brokers-may-open-many-files": {"least": 4096},
    "os-hardware/hosts-have-two-links": {"physical": True, "least": 1},
    "os-hardware/data-is-on-several-volumes": {"least": 1},
    "os-hardware/clocks-agree": {"most_ms": 2000},
}
_OF_THE_LAB: Final = {"replication-has-a-network-of-its-own": ""}  # all of it is on one interface
# What else this machine does decides whether writers wait and memory is swapped.
_BY_CHANCE: Final = frozenset({"writers-are-not-held-back", "nothing-is-being-swapped"}) | OF_SWAP
_NOT_HERE: Final = frozenset(
    {"nodes-are-memory-optimised", "zookeeper-is-on-fast-storage", "zookeeper-has-enough-heap"}
)


def systems() -> dict[str, str]:
    """What such a lab runs."""
    return {"kafka": KAFKA_VERSION, "openssh": version_of_sshd()}


def lacking() -> str:
    """Linux, root and OpenSSH's server are needed; and libfaketime, which tells a program another time."""
    return LACKING or ("" if skew_clock.library() else "libfaketime is not installed: apt install faketime")


@contextmanager
def lab(folder: Path) -> Iterator[LabState]:
    """Three brokers in three hosts. Not below /tmp: the runbook rightly objects to log directories there."""
    del folder
    with (
        tempfile.TemporaryDirectory(prefix="runbook-hosts-", dir="/var/lib") as home,
        kafka_lab("hosts", Path(home), ["hosts"]) as up,
    ):
        yield up


def _inventory(lab: LabState, folder: Path | None = None) -> dict[str, Any]:
    del folder
    return {"environments": {"lab": environment(lab) | {"params": _PARAMS}}}


def _only(*checks: str, host: int) -> dict[str, Mapping[str, set[object]]]:
    return {check: {"host": {f"kafka-{host}"}} for check in checks}


# Exact, as nothing else is the matter: what fails, and where; the rest passes or has no place in such a lab.
def _fails(*checks: str, host: int = 0, judged: Mapping[str, int] | None = None) -> Expected:
    return Expected(
        fails=_OF_THE_LAB | dict.fromkeys(checks, ""),
        inapplicable=_NOT_HERE,
        only=_only(*checks, host=host),
        judged=judged or {},
        undetermined=_BY_CHANCE,
        others=("pass",),
    )


_RIGHT = _fails(judged={"replicas-and-folders-match": 3})
# How long the pauses of a busy machine are is chance; where the logs are, and that they are written, is not. A heap of
# 256 MB may have been short of room under an earlier fault: the log of the last 24 hours still says so.
_GC = Expected(
    passes={"gc-logging-is-on", "gc-logs-are-being-written", "no-tool-triggers-full-gc"},
    undetermined=LENGTHS_OF_PAUSES | {"full-collections-do-not-happen", "collections-leave-room"},
    others=_ANY,
)
_WELL = {"os-hardware": _RIGHT, "gc": _GC}
# The lab's small disk is of memory, which is no local file system and lost with the next boot. That it is full, its
# broker says itself; how full the disk of the others is, is this machine's own affair.
_FULL = _fails("log-directories-are-on-a-local-file-system", "log-directories-outlive-a-boot", host=3)
_NO_ROOM = Expected(fails={"log-directories-have-room": "'broker': 3"}, others=_ANY)
_GONE = Expected(
    unknown={"brokers-may-open-many-files": "runs no Java process that is broker 2"},
    undetermined=_BY_CHANCE,
    others=_ANY,
)

SCENES = [
    fault_scene(fault, _WELL, broken, inventory=_inventory, module=__name__)
    for fault, broken in {
        "neglect-host": {"os-hardware": _fails(*OF_NEGLECT, host=3)},
        "skew-clock": {"os-hardware": _fails("clocks-agree", host=3)},
        "full-disk": {"os-hardware": _FULL, "ha": _NO_ROOM},
        "stop-broker": {"os-hardware": _GONE},
    }.items()
]

_SINGLE: Final = {
    "the-limit-of-open-files-was-chosen": 1,
    "brokers-may-open-many-files": 1,
    "kernel-settings-survive-a-boot": 2,
    "brokers-share-their-host-with-no-other-jvm": 2,
    "blocking-flushes-are-rare": 3,
}


@scene(
    {
        "before": {"os-hardware": _RIGHT},
        "each-another": {
            "os-hardware": Expected(
                fails=_OF_THE_LAB | dict.fromkeys(_SINGLE, ""),
                inapplicable=_NOT_HERE,
                only={check: {"host": {f"kafka-{host}"}} for check, host in _SINGLE.items()},
                undetermined=_BY_CHANCE,
                others=("pass",),
            )
        },
    }
)
def each_host_has_faults_of_its_own(lab: LabState, folder: Path) -> Iterator[State]:
    """Few files for broker 1; no swapping and another JVM in host 2; flushes of a megabyte in host 3."""
    del folder
    _, second, third = machines = machines_of(lab.parts["hosts"])

    def claims() -> Mapping[str, bool]:
        return {
            "broker 1 may open 1024 files": _limit(lab, 1) == "1024",
            "swappiness is 0 in host 2": _setting(second, "swappiness") == "0",
            "a second Java process runs in host 2": _java_processes(second) == 2,
            "dirty_bytes is a megabyte in host 3": _setting(third, "dirty_bytes") == "1048576",
        }

    secrets = (private_key(lab),)
    yield State("before", _inventory(lab), none_of(claims), secrets=secrets, deadline=_DEADLINE)
    with ExitStack() as undo:
        _change(lab, machines, undo)
        yield State("each-another", _inventory(lab), claims, secrets=secrets, deadline=_DEADLINE)


def _change(lab: LabState, machines: list[Machine], undo: ExitStack) -> None:
    _, second, third = machines
    undo.callback(_set_limit, lab, 1, _limit(lab, 1))
    _set_limit(lab, 1, "1024")
    undo.callback(second.set_kernel, f"{_VM}swappiness", "1")
    second.set_kernel(f"{_VM}swappiness", "0")
    undo.callback(third.set_kernel, f"{_VM}dirty_bytes", "0")
    third.set_kernel(f"{_VM}dirty_bytes", "1048576")
    shared = Path(lab.folder, "beside")
    shared.mkdir(exist_ok=True)
    shared.chmod(0o777)
    beside = start_stand_in(second, shared, "shop.Main")
    undo.callback(os.kill, beside.pid, signal.SIGKILL)


def _limit(lab: LabState, number: int) -> str:
    """The soft limit of open files of a broker."""
    limits = Path(f"/proc/{_pid(lab, number)}/limits").read_text("ascii")
    [soft] = [line.split()[3] for line in limits.splitlines() if line.startswith("Max open files")]
    return soft


def _set_limit(lab: LabState, number: int, soft: str) -> None:
    """Its own user may, where root itself may not."""
    user = USERS["kafka"]
    command = ["prlimit", f"--pid={_pid(lab, number)}", f"--nofile={soft}:"]
    subprocess.run(command, user=user, group=user, extra_groups=[], cwd="/", check=True)


def _pid(lab: LabState, number: int) -> int:
    process = lab.broker(number).process
    assert process is not None
    return process.pid


def _setting(machine: Machine, name: str) -> str:
    """A kernel setting as the host's own processes read it."""
    return Path(f"/proc/{machine.first.pid}/root{_VM}{name}").read_text("ascii").strip()


def _java_processes(machine: Machine) -> int:
    """How many there are in a host, by their names."""
    names = Path(f"/proc/{machine.first.pid}/root/proc").glob("[0-9]*/comm")
    return sum(name.read_text("utf-8").strip() == "java" for name in names)


# No statement of the runbook is about one host only: what the third would have told is missing from each.
_HANGS = Expected(
    unknown={
        "huge-pages-come-on-request": ("host kafka-3", "did not answer"),
        "log-directories-outlive-a-boot": "kafka-3",
        "clocks-agree": "kafka-3",
    },
    fails=_OF_THE_LAB,
    undetermined=_BY_CHANCE,
    others=("pass", "unknown", "not_applicable"),
)


@scene({"hung": {"os-hardware": _HANGS}, "awake": {"os-hardware": _RIGHT}})
def a_host_hangs(lab: LabState, folder: Path) -> Iterator[State]:
    """The third host's sshd is frozen: it takes connections and says nothing; its broker goes on."""
    del folder
    third = machines_of(lab.parts["hosts"])[2]

    def claims() -> Mapping[str, bool]:
        return {"the sshd of host 3 is stopped": state_of(third.first.pid) == "T"}

    secrets = (private_key(lab),)
    os.kill(third.first.pid, signal.SIGSTOP)
    try:
        yield State("hung", _inventory(lab), claims, secrets=secrets, deadline=_DEADLINE)
    finally:
        os.kill(third.first.pid, signal.SIGCONT)
    yield State("awake", _inventory(lab), none_of(claims), secrets=secrets, deadline=_DEADLINE)
