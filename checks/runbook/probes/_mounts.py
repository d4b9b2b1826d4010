"""Which file system holds a path, as a process has its file systems mounted."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from runbook.answers.ssh.commands import PROCESS
from runbook.answers.ssh.processes import JavaProcess, by_process
from runbook.model.quantity import ProcessId

if TYPE_CHECKING:
    from runbook.connections.ssh.host import Host

_ESCAPED = re.compile(r"\\([0-7]{3})")


class Mount(Struct, frozen=True):
    """One line of /proc/PID/mountinfo (proc_pid_mountinfo(5))."""

    point: str
    device: str
    type: str
    source: str
    options: list[str]


def mounts_of(host: "Host", processes: Sequence[JavaProcess]) -> dict[ProcessId, list[Mount]]:
    """The mounts of each process, by its id; none of one whose mounts can't be read.

    Raises:
        CannotLook: the host does not tell.
    """
    files = (
        by_process(host.run(PROCESS, *(f"/proc/{process.pid}/mountinfo" for process in processes))) if processes else {}
    )
    return {process.pid: _read(files.get(str(process.pid), {}).get("mountinfo", "")) for process in processes}


def mount_under(path: str, mounts: Sequence[Mount]) -> Mount | None:
    """The mount that holds a path: the longest, and of several at one place the last."""
    holding = [mount for mount in mounts if path == mount.point or path.startswith(mount.point.rstrip("/") + "/")]
    return max(enumerate(holding), key=lambda one: (len(one[1].point), one[0]))[1] if holding else None


def _read(text: str) -> list[Mount]:
    mounts = []
    for line in text.splitlines():
        own, _, rest = line.partition(" - ")
        fields, more = own.split(), rest.split()
        if len(fields) > 5 and len(more) > 1:  # noqa: PLR2004 - the options are the sixth field, the source the second
            options = dict.fromkeys([*fields[5].split(","), *(more[2].split(",") if len(more) > 2 else [])])  # noqa: PLR2004
            mounts.append(
                Mount(
                    point=_plain(fields[4]),
                    device=fields[2],
                    type=more[0],
                    source=_plain(more[1]),
                    options=list(options),
                )
            )
    return mounts


def _plain(text: str) -> str:
    return _ESCAPED.sub(lambda found: chr(int(found[1], 8)), text)
