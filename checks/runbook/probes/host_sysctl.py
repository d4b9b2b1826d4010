"""Kernel settings about memory as they are now, and as the host will set them when it boots."""

from collections import defaultdict
from typing import TYPE_CHECKING, Annotated

from msgspec import Struct

from runbook.answers.ssh.commands import KERNEL, SYSCTL_FILES, SYSCTL_LINES
from runbook.model.errors import Garbled
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.ssh import Host, Hosts


_LAST = "/etc/sysctl.conf"
_LINK = "/etc/sysctl.d/99-sysctl.conf"
_NOT_READ = "systemd reads it at boot only by a link in /etc/sysctl.d, which Debian 13 took away; others read it last"


class HostSysctl(Row):
    """A kernel setting of a host."""

    host: Annotated[str, Cell("Name in the inventory.", key=True, entity="host")]
    setting: Annotated[str, Cell("Name, such as vm.swappiness.", key=True, entity="setting")]
    live: Annotated[str | None, Cell("Its value now.")]
    persisted: Annotated[
        str | None, Cell("Its value after a boot; empty if no file sets it.", untold=f"{_LAST} says it: {_NOT_READ}")
    ]
    file: Annotated[str, Cell("The file that decides; empty if none sets it.")]
    lines: Annotated[int, Cell("Lines in all files that set it.", unit="lines")]


PROBE = Probe(
    connections=("ssh",),
    help="One row per host and setting.",
    row=HostSysctl,
    requests=tuple(command.shown() for command in (KERNEL, SYSCTL_FILES, SYSCTL_LINES)),
    rights=("log in over SSH as any user",),
)

_SETTINGS = (
    "vm.dirty_background_bytes",
    "vm.dirty_background_ratio",
    "vm.dirty_bytes",
    "vm.dirty_ratio",
    "vm.max_map_count",
    "vm.swappiness",
)
# Of files with the same name the first folder's is read and the others are not (sysctl.d(5)).
_FOLDERS = ("/etc/sysctl.d", "/run/sysctl.d", "/usr/local/lib/sysctl.d", "/usr/lib/sysctl.d", "/lib/sysctl.d")


class SysctlLine(Struct, frozen=True):
    """A line of a file that sets a kernel setting."""

    file: str
    setting: str
    value: str


def observe(hosts: "Hosts") -> Observed:
    """Observe the settings of every host that answers."""
    return hosts.observe(lambda host: Observed(rows=_rows(host)))


def _rows(host: "Host") -> list[HostSysctl]:
    live = {}
    for line in host.run(KERNEL).splitlines():
        path, _, value = line.partition(":")
        live[path.removeprefix("/proc/sys/").replace("/", ".")] = value.strip()
    if "vm.swappiness" not in live:
        raise Garbled(f"{host.label} shows nothing of its kernel's settings: is it Linux, with /proc?")
    files = in_order(host.run(SYSCTL_FILES).split("\0")[:-1])
    written: dict[str, list[SysctlLine]] = defaultdict(list)
    for setter in read_lines(host.run(SYSCTL_LINES)):
        written[setter.setting].append(setter)
    return [_row(host.name, name, live.get(name), written[name], files) for name in _SETTINGS]


def _row(host: str, name: str, live: str | None, written: list[SysctlLine], files: list[str]) -> HostSysctl:
    read = [line for file in files for line in written if line.file == file]
    last = read[-1] if read else SysctlLine(file="", setting=name, value="")
    before = [line.value for line in read if line.file != _LAST]
    known = last.file != _LAST or last.value in before[-1:]
    persisted = last.value if known else None
    return HostSysctl(host=host, setting=name, live=live, persisted=persisted, file=last.file, lines=len(read))


def in_order(files: list[str]) -> list[str]:
    """The files that are read at boot, in that order: by name over all folders.

    /etc/sysctl.conf has its place by the link that distributions have to it (sysctl.d(5)). Without one it stands at the
    end, and whether anything reads it at boot is not known.
    """
    chosen: dict[str, str] = {}
    for folder in _FOLDERS:
        for file in files:
            at, _, name = file.rpartition("/")
            if at == folder:
                chosen.setdefault(name, file)
    last = [_LAST] if _LAST in files and _LINK not in files else []
    return [*(chosen[name] for name in sorted(chosen)), *last]


def read_lines(text: str) -> list[SysctlLine]:
    """Read `grep -H` over such files; a minus in front only says that errors don't matter."""
    lines = []
    for line in text.splitlines():
        file, _, rest = line.partition(":")
        name, found, value = rest.partition("=")
        if found:
            setting = name.strip().lstrip("-").strip().replace("/", ".")
            lines.append(SysctlLine(file=file, setting=setting, value=value.strip()))
    return lines
