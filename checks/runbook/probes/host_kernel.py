"""What the kernel of each host was told about memory, and how its memory is now."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Annotated

from runbook.answers.ssh.commands import KERNEL
from runbook.model.errors import Garbled
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId, Bytes
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.ssh import Host, Hosts


class HostKernel(Row):
    """The kernel of a host."""

    host: Annotated[str, Cell("Name in the inventory.", key=True, entity="host")]
    brokers: Annotated[list[BrokerId], Cell("Node ids that the inventory says run there.")]
    release: Annotated[str | None, Cell("Version of the kernel.")]
    swappiness: Annotated[int | None, Cell("vm.swappiness.")]
    dirty_ratio: Annotated[int | None, Cell("vm.dirty_ratio; 0 where dirty_bytes is in force.", unit="percent")]
    dirty_bytes: Annotated[Bytes | None, Cell("vm.dirty_bytes; 0 where dirty_ratio is in force.")]
    dirty_background_ratio: Annotated[
        int | None, Cell("vm.dirty_background_ratio; 0 where the next holds.", unit="percent")
    ]
    dirty_background_bytes: Annotated[Bytes | None, Cell("vm.dirty_background_bytes; 0 for none.")]
    max_map_count: Annotated[int | None, Cell("vm.max_map_count: memory maps that one process may have.", unit="maps")]
    overcommit_memory: Annotated[int | None, Cell("vm.overcommit_memory.")]
    file_max: Annotated[int | None, Cell("fs.file-max: open files of the whole host.", unit="files")]
    nr_open: Annotated[
        int | None, Cell("fs.nr_open: the greatest limit of open files a process can have.", unit="files")
    ]
    huge_pages: Annotated[str | None, Cell("Transparent huge pages: always, madvise or never.")]
    huge_page_defrag: Annotated[str | None, Cell("When the kernel makes room for them.")]
    memory: Annotated[Bytes | None, Cell("Memory of the host.")]
    available: Annotated[Bytes | None, Cell("Memory that can be had without swapping.", moves=True)]
    swap: Annotated[Bytes | None, Cell("Swap of the host; 0 for none.")]
    swap_used: Annotated[Bytes | None, Cell("Swap in use.", moves=True)]
    swapped_in: Annotated[int | None, Cell("Pages read back from swap since it started.", unit="pages", moves=True)]
    swapped_out: Annotated[int | None, Cell("Pages written to swap since it started.", unit="pages", moves=True)]
    dirty: Annotated[Bytes | None, Cell("Memory that waits to be written to disk, or is being written.", moves=True)]
    dirty_freerun: Annotated[
        Bytes | None,
        Cell(
            "Above that much of it the kernel slows writers down: halfway between its background limit and the next "
            "(dirty_freerun_ceiling in mm/page-writeback.c).",
            moves=True,
        ),
    ]
    dirty_limit: Annotated[
        Bytes | None, Cell("Near that much of it, writers stand until the disk has caught up.", moves=True)
    ]
    uptime: Annotated[float | None, Cell("Since it started.", unit="s", moves=True)]


PROBE = Probe(
    connections=("ssh",),
    help="One row per host; a setting that its kernel does not have is not known.",
    row=HostKernel,
    requests=(KERNEL.shown(),),
    rights=("log in over SSH as any user",),
)

_PAGE = 4096  # bytes; of x86-64, and of arm64 as distributions build it
_VM = "/proc/sys/vm/"
_HUGE = "/sys/kernel/mm/transparent_hugepage/"


def observe(hosts: "Hosts") -> Observed:
    """Observe the kernel of every host that answers."""
    return hosts.observe(lambda host: Observed(rows=[_row(host)]))


def _row(host: "Host") -> HostKernel:
    files = _files(host.run(KERNEL))
    if f"{_VM}swappiness" not in files:
        raise Garbled(f"{host.label} shows nothing of its kernel's settings: is it Linux, with /proc?")
    number = partial(_number, files)
    memory, vmstat = _table(files.get("/proc/meminfo", "")), _table(files.get("/proc/vmstat", ""))
    kilo, pages = partial(_times, memory, 1024), partial(_times, vmstat, _PAGE)
    return HostKernel(
        host=host.name,
        brokers=list(host.brokers),
        release=files.get("/proc/sys/kernel/osrelease"),
        swappiness=number("/proc/sys/vm/swappiness"),
        dirty_ratio=number("/proc/sys/vm/dirty_ratio"),
        dirty_bytes=_bytes(number("/proc/sys/vm/dirty_bytes")),
        dirty_background_ratio=number("/proc/sys/vm/dirty_background_ratio"),
        dirty_background_bytes=_bytes(number("/proc/sys/vm/dirty_background_bytes")),
        max_map_count=number("/proc/sys/vm/max_map_count"),
        overcommit_memory=number("/proc/sys/vm/overcommit_memory"),
        file_max=number("/proc/sys/fs/file-max"),
        nr_open=number("/proc/sys/fs/nr_open"),
        huge_pages=_chosen(files.get(f"{_HUGE}enabled")),
        huge_page_defrag=_chosen(files.get(f"{_HUGE}defrag")),
        memory=kilo("MemTotal"),
        available=kilo("MemAvailable"),
        swap=kilo("SwapTotal"),
        swap_used=_swap_used(kilo),
        swapped_in=vmstat.get("pswpin"),
        swapped_out=vmstat.get("pswpout"),
        dirty=_sum(kilo("Dirty"), kilo("Writeback")),
        dirty_freerun=_middle(pages("nr_dirty_background_threshold"), pages("nr_dirty_threshold")),
        dirty_limit=pages("nr_dirty_threshold"),
        uptime=_uptime(files),
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


def _times(table: Mapping[str, int], unit: int, name: str) -> Bytes | None:
    return Bytes(table[name] * unit) if name in table else None


def _bytes(number: int | None) -> Bytes | None:
    return None if number is None else Bytes(number)


def _sum(first: Bytes | None, second: Bytes | None) -> Bytes | None:
    return None if first is None or second is None else Bytes(first + second)


def _middle(first: Bytes | None, second: Bytes | None) -> Bytes | None:
    total = _sum(first, second)
    return None if total is None else Bytes(total // 2)


def _swap_used(kilo: Callable[[str], Bytes | None]) -> Bytes | None:
    total, free = kilo("SwapTotal"), kilo("SwapFree")
    return None if total is None or free is None else Bytes(total - free)


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
