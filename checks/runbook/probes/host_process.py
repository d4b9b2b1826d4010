"""The Java processes of each host: brokers and what runs beside them, their limits, how they were started."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Final

from msgspec import Struct

from runbook.answers.ssh.commands import (
    DESCRIPTORS,
    ENVIRONMENT,
    JAVA,
    JAVA_RELEASE,
    MAPS,
    PROCESS,
    SETTINGS,
    USERS,
    Command,
)
from runbook.answers.ssh.processes import JavaProcess, by_process
from runbook.formats.jvm_options import JvmOptions
from runbook.model.errors import CannotLook
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId, Bytes, ProcessId
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.ssh import Host, Hosts


_UNTOLD: Final = "its command line does not say, or its variables may not be read, of which _JAVA_OPTIONS would win"


class HostProcess(Row):
    """A Java process."""

    host: Annotated[str, Cell("Name of the host in the inventory.", key=True, entity="host")]
    pid: Annotated[ProcessId, Cell("Process id.", key=True)]
    kind: Annotated[str, Cell("broker (also of a combined one), controller, zookeeper, connect or other.")]
    broker: Annotated[BrokerId | None, Cell("Node id of a broker or controller; unknown if it can't be read.")]
    main: Annotated[str, Cell("Main class, or the jar it was started with.")]
    beside_broker: Annotated[bool, Cell("Whether a broker runs on the same host, other than this process.")]
    uid: Annotated[int | None, Cell("User id it runs under; 0 is root.")]
    user: Annotated[str | None, Cell("Name of that user; unknown if the host does not know it.")]
    service: Annotated[str | None, Cell("Service of systemd that it is; empty for none, unknown in a container.")]
    open_files_limit: Annotated[
        int | None, Cell("Soft limit of open files; the greatest integer for none.", unit="files")
    ]
    open_files_hard_limit: Annotated[int | None, Cell("Hard limit of open files.", unit="files")]
    open_files: Annotated[int | None, Cell("Open files now; unknown on kernels before 6.2.", unit="files", moves=True)]
    maps: Annotated[
        int | None, Cell("Memory maps now; unknown unless we log in as the same user.", unit="maps", moves=True)
    ]
    resident: Annotated[Bytes | None, Cell("Memory it occupies (VmRSS).", moves=True)]
    swapped: Annotated[Bytes | None, Cell("Of its memory, what is swapped out (VmSwap).", moves=True)]
    threads: Annotated[int | None, Cell("Threads.", unit="threads", moves=True)]
    oom_score_adj: Annotated[int | None, Cell("How willingly the kernel kills it when memory runs out: -1000 never.")]
    heap_max: Annotated[Bytes | None, Cell("Greatest heap, as its command line says.", untold=_UNTOLD)]
    heap_min: Annotated[Bytes | None, Cell("Initial heap, as its command line says.", untold=_UNTOLD)]
    collector: Annotated[str, Cell("Collector that its command line chooses; empty for the JVM's choice.")]
    gc_log: Annotated[str, Cell("File of its garbage collection log; empty for none.")]
    options_elsewhere: Annotated[
        list[str] | None, Cell("Variables that give it more options; unknown unless we are its user.")
    ]
    java: Annotated[str | None, Cell("Version of its Java; unknown where its folder does not tell.")]


PROBE = Probe(
    connections=("ssh",),
    help="One row per Java process of a host.",
    row=HostProcess,
    requests=tuple(
        command.shown() for command in (JAVA, PROCESS, SETTINGS, USERS, DESCRIPTORS, MAPS, ENVIRONMENT, JAVA_RELEASE)
    ),
    rights=(
        "log in over SSH as any user",
        "for maps and options_elsewhere: as the user that the brokers run under",
    ),
)

_CONTAINER = re.compile(r"kubepods|docker|containerd|libpod|crio|lxc")
_SERVICE = re.compile(r"/((?!user@)[^/\s]+\.service)(?:/|$)", re.MULTILINE)
_UNLIMITED = 2**63 - 1
_KILO = 1024
_WINS = "_JAVA_OPTIONS"  # what this variable says holds against the command line
_PROOF = "PATH"  # a variable that every service has: where it shows, we may look


def observe(hosts: "Hosts") -> Observed:
    """Observe the Java processes of every host that answers."""
    return hosts.observe(_observe)


def _observe(host: "Host") -> Observed:
    processes, brokers = host.processes(), host.running_brokers()
    more = _More(host, processes)
    rows = [_row(host, process, more, brokers) for process in processes]
    return Observed(rows=rows, gaps=host.absent_brokers())


class _More:
    """What takes further commands: of all processes of a host at once."""

    def __init__(self, host: "Host", processes: list[JavaProcess]) -> None:
        pids = [str(process.pid) for process in processes]
        self.descriptors = _counts(_output(host, DESCRIPTORS, [f"/proc/{pid}/fd" for pid in pids]), last=True)
        self.maps = _counts(_output(host, MAPS, [f"/proc/{pid}/maps" for pid in pids]), last=False)
        self.variables = _variables(_output(host, ENVIRONMENT, [f"/proc/{pid}/environ" for pid in pids]))
        uids = sorted({str(uid) for process in processes if (uid := _uid(process)) is not None})
        self.users = _names(_output(host, USERS, uids))
        releases = sorted({file for process in processes if (file := _release(process.argv))})
        self.java = _releases(_output(host, JAVA_RELEASE, releases))


def _output(host: "Host", command: Command, arguments: list[str]) -> str:
    """What a command told; nothing where it may not be run, so that its cells are unknown and the others are not."""
    try:
        return host.run_for_each(command, arguments)
    except CannotLook:
        return ""


def _row(host: "Host", process: JavaProcess, more: _More, brokers: list[JavaProcess]) -> HostProcess:
    status, options, pid = _status(process.files.get("status", "")), JvmOptions(process.argv), str(process.pid)
    limit = _limit(process.files.get("limits", ""))
    variables = more.variables.get(pid)
    told = variables is not None and _WINS not in variables
    score = process.files.get("oom_score_adj", "").strip()
    return HostProcess(
        host=host.name,
        pid=process.pid,
        kind=process.kind,
        broker=process.broker,
        main=process.main,
        beside_broker=any(broker.pid != process.pid for broker in brokers),
        uid=status.get("Uid"),
        user=more.users.get(status.get("Uid")),
        service=_service(process.files.get("cgroup")),
        open_files_limit=limit.soft,
        open_files_hard_limit=limit.hard,
        open_files=more.descriptors.get(pid) or None,  # 0: a kernel that does not tell; a process has three at least
        maps=more.maps.get(pid) or None,
        resident=_bytes(status.get("VmRSS")),
        swapped=_bytes(status.get("VmSwap")),
        threads=status.get("Threads"),
        oom_score_adj=int(score) if score.lstrip("-").isdecimal() else None,
        heap_max=options.heap_max if told else None,
        heap_min=options.heap_min if told else None,
        collector=options.collector,
        gc_log=options.gc_log,
        options_elsewhere=variables,
        java=more.java.get(_release(process.argv)),
    )


def _status(text: str) -> dict[str, int]:
    """The numbers of /proc/PID/status; of several in a line the first."""
    found = {}
    for line in text.splitlines():
        name, _, value = line.partition(":")
        words = value.split()
        if words and words[0].isdecimal():
            found[name] = int(words[0])
    return found


def _uid(process: JavaProcess) -> int | None:
    return _status(process.files.get("status", "")).get("Uid")


def _names(text: str) -> dict[int | None, str]:
    """Lines of passwd: user id -> name."""
    found: dict[int | None, str] = {}
    for line in text.splitlines():
        words = line.split(":")
        if len(words) > 2 and words[2].isdecimal():  # noqa: PLR2004 - the id is the third field
            found[int(words[2])] = words[0]
    return found


def _service(cgroup: str | None) -> str | None:
    if cgroup is None or _CONTAINER.search(cgroup):
        return None
    named = _SERVICE.search(cgroup)
    return named[1] if named else ""


def _bytes(kilo: int | None) -> Bytes | None:
    return None if kilo is None else Bytes(kilo * _KILO)


class _Limit(Struct, frozen=True):
    soft: int | None = None
    hard: int | None = None


def _limit(text: str) -> _Limit:
    """Soft and hard limit of open files out of /proc/PID/limits."""
    for line in text.splitlines():
        if line.startswith("Max open files"):
            soft, hard = (_UNLIMITED if word == "unlimited" else int(word) for word in line.split()[3:5])
            return _Limit(soft=soft, hard=hard)
    return _Limit()


def _counts(text: str, *, last: bool) -> dict[str, int]:
    """Lines of a path below /proc/PID and a number, which comes first or last: process id -> number."""
    found = {}
    for line in text.splitlines():
        words = line.split()
        if len(words) == 2 and "/proc/" in line:  # noqa: PLR2004 - the path and the number
            path, number = words if last else reversed(words)
            found[path.split("/")[2]] = int(number)
    return found


def _variables(text: str) -> dict[str, list[str]]:
    return {
        pid: sorted({name.rstrip("=") for name in names["environ"].split("\0")} - {_PROOF})
        for pid, names in by_process(text).items()
        if "environ" in names
    }


def _release(argv: list[str]) -> str:
    """The file that tells the version of the Java which a process was started with by its path; "" otherwise."""
    home, found, _ = argv[0].rpartition("/bin/java")
    return f"{home}/release" if found and home.startswith("/") else ""


def _releases(text: str) -> Mapping[str, str]:
    found = {}
    for line in text.splitlines():
        path, _, rest = line.partition(":")
        found[path] = rest.partition("=")[2].strip().strip('"')
    return found
