"""What a host of the lab is to be like: its address, its kernel's settings, its files."""

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct, field

_VM = "/proc/sys/vm/"
_HUGE = "/sys/kernel/mm/transparent_hugepage/"

RIGHT: Mapping[str, str] = {
    _VM + "swappiness": "1",
    _VM + "dirty_ratio": "80",
    _VM + "dirty_bytes": "0",
    _VM + "dirty_background_ratio": "5",
    _VM + "dirty_background_bytes": "0",
    _VM + "max_map_count": "262144",
    _HUGE + "enabled": "always [madvise] never",
    _HUGE + "defrag": "always defer defer+madvise [madvise] never",
}
"""Kernel settings of a host that is set up for Kafka: file -> text."""

NEGLECTED: Mapping[str, str] = {
    _VM + "swappiness": "60",
    _VM + "dirty_ratio": "20",
    _VM + "dirty_background_ratio": "10",
    _VM + "max_map_count": "65530",
    _HUGE + "enabled": "[always] madvise never",
}
"""Kernel settings of a host that nobody set up: Linux's own defaults."""

USERS: Mapping[str, int] = {"kafka": 7001, "watcher": 7002}
"""The users of a host: whom the broker runs under, and somebody with no rights at all."""

_SYSCTL = """\
# What this host sets at boot.
vm.swappiness = 1
vm.dirty_ratio = 80
vm.dirty_background_ratio = 5
vm.max_map_count = 262144
"""
_UNIT = """\
[Unit]
Description=Kafka broker
[Service]
User=kafka
LimitNOFILE=100000
"""
_LIMITS = """\
kafka  soft  nofile  100000
kafka  hard  nofile  100000
"""


class MachinePlan(Struct):
    """One host.

    Attributes:
        name: its host name.
        address: on the loopback interface.
        port: of its sshd.
        folder: where everything of it is kept, outside of it.
        kernel: kernel settings: file -> text.
        files: further files in it: path -> text.
        private: those of them that belong to the user kafka, and that nobody else may read.
        shared: folders of this machine that it sees and may write to.
        readable: files and folders of this machine that its users need to get at.
        forced: the command that every login with its key runs; "" for a login that may run anything.
    """

    name: str
    address: str
    port: int
    folder: str
    kernel: dict[str, str] = field(default_factory=lambda: dict(RIGHT))
    files: dict[str, str] = field(default_factory=dict)
    private: list[str] = field(default_factory=list)
    shared: list[str] = field(default_factory=list)
    readable: list[str] = field(default_factory=list)
    forced: str = ""

    @property
    def root(self) -> Path:
        """Where its file system is put together."""
        return Path(self.folder, "root")

    def value_file(self, setting: str) -> Path:
        """The file behind a kernel setting: what is written to it shows in the host at once."""
        return Path(self.folder, "kernel", setting.strip("/").replace("/", "-"))


def plan(number: int, port: int, folder: Path, shared: list[Path]) -> MachinePlan:
    """Plan a host that is set up for Kafka."""
    name = f"kafka-{number}"
    files = {
        "/etc/sysctl.d/60-kafka.conf": _SYSCTL,
        "/etc/systemd/system/kafka.service": _UNIT,
        "/etc/security/limits.d/kafka.conf": _LIMITS,
    }
    return MachinePlan(
        name=name,
        # Loopback addresses of their own, so that addresses tell hosts apart as in a real network.
        address=f"127.0.77.{number}",
        port=port,
        folder=str(folder / name),
        files=files,
        shared=[str(path) for path in shared],
    )
