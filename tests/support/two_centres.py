"""A stretched cluster in ZooKeeper mode: six ZooKeeper servers in two groups, one for each of two data centres.

Servers 1 to 3 stand in west, which is lost, 4 to 6 in east, as in the text of dr.md.
"""

import re
import shutil
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from kafka_lab import LabState, processes, zookeeper
from kafka_lab.brokers import start
from kafka_lab.configuration import write_configuration
from kafka_lab.inventory import environment
from kafka_lab.parts.stretched import SITES
from kafka_lab.ports import free_ports
from kafka_lab.state import LabBroker
from kafka_lab.waiting import wait_for_brokers, wait_for_full_isr, wait_until
from kafka_lab.zookeeper import LabZooKeeper
from kafka_lab.zookeeper_words import in_sync, mode

THERE: Final = "west"
GROUPS: Final = "group.1=1:2:3\ngroup.2=4:5:6\n"
_IN_ORDER: Final = 30.0  # seconds for a process to end
_WITHIN: Final = 120.0  # seconds on a busy machine
_OF_OTHERS: Final = re.compile(r"^(?=server\.[123]=|group\.)", re.MULTILINE)
_MEMBERS: Final = ("server", "group.")  # how lines of the file begin that name members
_NC: Final = """\
#!/usr/bin/env python3
import socket, sys
with socket.create_connection((sys.argv[1], int(sys.argv[2])), 10) as talk:
    talk.sendall(sys.stdin.buffer.read().strip())
    while more := talk.recv(65536):
        sys.stdout.buffer.write(more)
"""


class TwoCentres:
    """The servers and brokers of a lab with parts stretched and zookeeper, once it has three more servers."""

    def __init__(self, lab: LabState) -> None:
        """Give it the servers, in groups, and let its brokers know all of them."""
        self.lab = lab
        ports = iter(free_ports(12))
        added = [LabZooKeeper(number, next(ports), next(ports), next(ports), next(ports)) for number in (4, 5, 6)]
        _end([*lab.brokers, *zookeeper.servers_of(lab)], patience=_IN_ORDER)
        self.servers = [*zookeeper.servers_of(lab), *added]
        for server in self.servers:
            self._write(server)
        self.start(self.servers)
        wait_until(lambda: in_sync(self.servers) == len(self.servers), "all servers to serve", within=_WITHIN)
        for broker in lab.brokers:
            write_configuration(lab, broker)
        self.start_brokers(lab.brokers)
        wait_for_full_isr(lab)

    @property
    def here(self) -> list[LabZooKeeper]:
        """The servers of the data centre that is left."""
        return self.servers[3:]

    @property
    def there(self) -> list[LabZooKeeper]:
        """The servers of the one that is lost."""
        return self.servers[:3]

    @property
    def brokers_there(self) -> list[LabBroker]:
        """The brokers of the one that is lost."""
        return [broker for broker in self.lab.brokers if broker.rack.startswith(THERE)]

    def environment(self) -> dict[str, Any]:
        """What the inventory says of it: where servers stand, and which racks are in which data centre."""
        said = environment(self.lab)
        for number, server in enumerate(said["zookeeper"]["servers"].values()):
            server["rack"] = f"{('west', 'east')[number // 3]}-{number % 3 + 1}"
        said["params"]["dr/*"] = {"sites": [*SITES]}
        return said

    def loses(self) -> None:
        """Lose the data centre: all that stands there is killed at once."""
        _end([*self.there, *self.brokers_there], patience=0)

    def start(self, servers: Iterable[LabZooKeeper]) -> None:
        """Start those that don't run. Does not wait until they serve."""
        for server in servers:
            if processes.condition(server.process) == "stopped":
                zookeeper.start(self.lab, server)
                zookeeper.note(self.lab, self.servers)

    def restart_here(self) -> None:
        """Restart the servers here, one after the other."""
        for server in self.here:
            processes.terminate(server.process, patience=_IN_ORDER)
            self.start([server])
            wait_until(partial(_answers, server), f"{server.name} to answer", within=_WITHIN)

    def start_brokers(self, brokers: Iterable[LabBroker]) -> None:
        """Start these, and wait until all of the cluster answer."""
        for broker in brokers:
            if broker.condition == "stopped":
                start(self.lab, broker)
        wait_for_brokers(self.lab, within=_WITHIN)

    def go_alone(self) -> None:
        """Keep a copy of what servers here read, and comment out what is lost, and the groups."""
        for server in self.here:
            file, copy = self._settings(server), self._copy(server)
            if not copy.exists():
                shutil.copy(file, copy)
            file.write_text(_OF_OTHERS.sub("#", copy.read_text("utf-8")), "utf-8")

    def go_together(self) -> None:
        """Put the copies back."""
        for server in self.here:
            shutil.copy(self._copy(server), self._settings(server))

    def _write(self, server: LabZooKeeper) -> None:
        data = Path(self.lab.folder, "data", f"zookeeper-{server.number}")
        data.mkdir(exist_ok=True)
        (data / "myid").write_text(f"{server.number}\n", "utf-8")
        first = self._settings(self.servers[0]).read_text("utf-8")
        own = {"dataDir": data, "clientPort": server.port, "admin.serverPort": server.admin_port}
        lines = [line for line in first.splitlines() if line.partition("=")[0] not in own and line[:6] not in _MEMBERS]
        lines += [f"{name}={value}" for name, value in own.items()]
        lines += [f"server.{other.number}=127.0.0.1:{other.peer_port}:{other.election_port}" for other in self.servers]
        self._settings(server).write_text("\n".join(lines) + f"\n{GROUPS}", "utf-8")

    def _settings(self, server: LabZooKeeper) -> Path:
        return Path(self.lab.folder, "config", f"zookeeper-{server.number}.properties")

    def _copy(self, server: LabZooKeeper) -> Path:
        return self._settings(server).with_suffix(".before")


def _answers(server: LabZooKeeper) -> bool:
    return mode(server) != ""


def _end(all_of: Sequence[LabBroker | LabZooKeeper], *, patience: float) -> None:
    for one in all_of:
        processes.terminate(one.process, patience=patience)


def nc(folder: Path) -> None:
    """Put a small nc there, which this machine may not have."""
    (folder / "nc").write_text(_NC, "utf-8")
    (folder / "nc").chmod(0o755)
