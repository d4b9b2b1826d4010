"""What the kernel of each host was told about memory, and how its memory is now."""

from collections.abc import Callable, Mapping
from functools import partial

from runbook.connections.ssh import Host, Hosts
from runbook.connections.ssh.commands import KERNEL
from runbook.engine.column import Column
from runbook.engine.errors import Garbled
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe

PROBE = Probe(
    connections=("ssh",),
    help="One row per host; a setting that its kernel does not have is not known.",
    columns=(
        Column("host", "string", "Name in the inventory.", key=True, entity="host"),
        Column("brokers", "list[int]", "Node ids that the inventory says run there.", entity="broker"),
        Column("release", "string", "Version of the kernel."),
        Column("swappiness", "int", "vm.swappiness."),
        Column("dirty_ratio", "int", "vm.dirty_ratio; 0 where dirty_bytes is in force.", unit="percent"),
        Column("dirty_bytes", "int", "vm.dirty_bytes; 0 where dirty_ratio is in force.", unit="bytes"),
        Column("dirty_background_ratio", "int", "vm.dirty_background_ratio; 0 where the next holds.", unit="percent"),
        Column("dirty_background_bytes", "int", "vm.dirty_background_bytes; 0 for none.", unit="bytes"),
        Column("max_map_count", "int", "vm.max_map_count: memory maps that one process may have.", unit="maps"),
        Column("overcommit_memory", "int", "vm.overcommit_memory."),
        Column("file_max", "int", "fs.file-max: open files of the whole host.", unit="files"),
        Column("nr_open", "int", "fs.nr_open: the greatest limit of open files a process can have.", unit="files"),
        Column("huge_pages", "string", "Transparent huge pages: always, madvise or never."),
        Column("huge_page_defrag", "string", "When the kernel makes room for them."),
        Column("memory", "int", "Memory of the host.", unit="bytes"),
        Column("available", "int", "Memory that can be had without swapping.", unit="bytes"),
        Column("swap", "int", "Swap of the host; 0 for none.", unit="bytes"),
        Column("swap_used", "int", "Swap in use.", unit="bytes"),
        Column("swapped_in", "int", "Pages read back from swap since it started.", unit="pages"),
        Column("swapped_out", "int", "Pages written to swap since it started.", unit="pages"),
        Column("dirty", "int", "Memory that waits to be written to disk, or is being written.", unit="bytes"),
        Column("dirty_limit", "int", "Above that much of it, whoever writes has to wait.", unit="bytes"),
        Column("uptime", "float", "Since it started.", unit="seconds"),
    ),
    requests=(KERNEL.shown(),),
    rights=("log in over SSH as any user",),
)

_PAGE = 4096  # bytes; of x86-64, and of arm64 as distributions build it
_VM = "/proc/sys/vm/"
_HUGE = "/sys/kernel/mm/transparent_hugepage/"


def observe(hosts: Hosts) -> Observed:
    """Observe the kernel of every host that answers."""
    return hosts.observe(lambda host: Observed(rows=[_row(host)]))


def _row(host: Host) -> tuple[object, ...]:
    files = _files(host.run(KERNEL))
    if f"{_VM}swappiness" not in files:
        raise Garbled(f"{host.label} shows nothing of its kernel's settings: is it Linux, with /proc?")
    number = partial(_number, files)
    memory, vmstat = _table(files.get("/proc/meminfo", "")), _table(files.get("/proc/vmstat", ""))
    kilo, pages = partial(_times, memory, 1024), partial(_times, vmstat, _PAGE)
    return (
        host.name,
        list(host.brokers),
        files.get("/proc/sys/kernel/osrelease"),
        number("/proc/sys/vm/swappiness"),
        number("/proc/sys/vm/dirty_ratio"),
        number("/proc/sys/vm/dirty_bytes"),
        number("/proc/sys/vm/dirty_background_ratio"),
        number("/proc/sys/vm/dirty_background_bytes"),
        number("/proc/sys/vm/max_map_count"),
        number("/proc/sys/vm/overcommit_memory"),
        number("/proc/sys/fs/file-max"),
        number("/proc/sys/fs/nr_open"),
        _chosen(files.get(f"{_HUGE}enabled")),
        _chosen(files.get(f"{_HUGE}defrag")),
        kilo("MemTotal"),
        kilo("MemAvailable"),
        kilo("SwapTotal"),
        _swap_used(kilo),
        vmstat.get("pswpin"),
        vmstat.get("pswpout"),
        _sum(kilo("Dirty"), kilo("Writeback")),
        pages("nr_dirty_threshold"),
        _uptime(files),
    )


def _files(text: str) -> dict[str, str]:
    """Sort `grep -H` over files: path -> text."""
    files: dict[str, list[str]] = {}
    for line in text.splitlines():
        path, _, content = line.partition(":")
        files.setdefault(path, []).append(content)
    return {path: "\n".join(lines) for path, lines in files.items()}


def _number(files: Mapping[str, str], path: str) -> int | None:
    text = files.get(path, "").strip()
    return min(int(text), 2**63 - 1) if text.isdecimal() else None  # fs.file-max may exceed what others can hold


def _table(text: str) -> dict[str, int]:
    """The lines `name: value kB` of meminfo and `name value` of vmstat."""
    found = {}
    for line in text.splitlines():
        words = line.replace(":", " ").split()
        if len(words) > 1 and words[1].isdecimal():
            found[words[0]] = int(words[1])
    return found


def _times(table: Mapping[str, int], unit: int, name: str) -> int | None:
    return table[name] * unit if name in table else None


def _sum(first: int | None, second: int | None) -> int | None:
    return None if first is None or second is None else first + second


def _swap_used(kilo: Callable[[str], int | None]) -> int | None:
    total, free = kilo("SwapTotal"), kilo("SwapFree")
    return None if total is None or free is None else total - free


def _chosen(text: str | None) -> str | None:
    """Of `always [madvise] never`, the one in brackets."""
    start, end = (text or "").find("["), (text or "").find("]")
    return (text or "")[start + 1 : end] if 0 <= start < end else None


def _uptime(files: Mapping[str, str]) -> float | None:
    words = files.get("/proc/uptime", "").split()
    try:
        return float(words[0]) if words else None
    except ValueError:
        return None
