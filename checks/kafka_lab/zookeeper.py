"""The ZooKeeper servers of a lab in ZooKeeper mode: three processes that elect one of them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from kafka_lab import processes
from kafka_lab.configuration import RACKS
from kafka_lab.errors import LabError
from kafka_lab.ports import free_ports
from kafka_lab.processes import Process
from kafka_lab.state import LabState
from kafka_lab.waiting import wait_until
from kafka_lab.zookeeper_logins import login_options, super_digest, write_logins
from kafka_lab.zookeeper_words import in_sync
from runbook.java import find_java

PART: Final = "zookeeper"
COUNT: Final = 3

_WITHIN = 180.0  # seconds; 5 on an idle machine
_WORDS = "srvr,mntr,conf,cons"
_LOGGING = """\
log4j.rootLogger=INFO, file
log4j.appender.file=org.apache.log4j.RollingFileAppender
log4j.appender.file.File=${runbook.log}
log4j.appender.file.MaxFileSize=10MB
log4j.appender.file.MaxBackupIndex=2
log4j.appender.file.layout=org.apache.log4j.PatternLayout
log4j.appender.file.layout.ConversionPattern=%d{ISO8601} %p %m (%c)%n
"""


class LabZooKeeper(Struct):
    """One ZooKeeper server: its number, from 1, its ports on 127.0.0.1 and its process."""

    number: int
    port: int
    peer_port: int
    election_port: int
    admin_port: int
    process: Process | None = None

    @property
    def name(self) -> str:
        """Its name in the inventory."""
        return f"zk-{self.number}"

    @property
    def address(self) -> str:
        """Host and port for clients."""
        return f"127.0.0.1:{self.port}"

    @property
    def rack(self) -> str:
        """The rack it is said to stand in, as its broker's."""
        return RACKS[(self.number - 1) % len(RACKS)]


def planned() -> list[LabZooKeeper]:
    """Plan the servers, with free ports."""
    ports = iter(free_ports(4 * COUNT))
    return [LabZooKeeper(number, next(ports), next(ports), next(ports), next(ports)) for number in range(1, COUNT + 1)]


def servers_of(lab: LabState) -> list[LabZooKeeper]:
    """The servers of a lab.

    Raises:
        LabError: It has none.
    """
    state = lab.parts.get(PART)
    if not state:
        raise LabError(f"Lab {lab.name} has no ZooKeeper: {lab.anew_with(PART)}")
    return msgspec.convert(state["servers"], list[LabZooKeeper])


def note(lab: LabState, servers: list[LabZooKeeper]) -> None:
    """Write down how they are, so that any process can stop or mend them."""
    lab.parts[PART] = {"servers": msgspec.to_builtins(servers)}
    lab.save()


def write_configuration(lab: LabState, servers: list[LabZooKeeper]) -> None:
    """Write what each server, and the brokers' logging and login, read when they start."""
    logging_file(lab).parent.mkdir(parents=True, exist_ok=True)
    write_logins(lab)
    logging_file(lab).write_text(_LOGGING, encoding="utf-8")
    members = "".join(
        f"server.{server.number}=127.0.0.1:{server.peer_port}:{server.election_port}\n" for server in servers
    )
    for server in servers:
        data = _data(lab, server)
        data.mkdir(parents=True, exist_ok=True)
        (data / "myid").write_text(f"{server.number}\n", encoding="utf-8")
        settings: Mapping[str, object] = {
            "tickTime": 2000,
            "initLimit": 10,
            "syncLimit": 5,
            "dataDir": data,
            "clientPort": server.port,
            "clientPortAddress": "127.0.0.1",
            "admin.serverAddress": "127.0.0.1",
            "admin.serverPort": server.admin_port,
            "4lw.commands.whitelist": _WORDS,
            "autopurge.snapRetainCount": 3,
            "autopurge.purgeInterval": 24,
        }
        lines = "".join(f"{key}={value}\n" for key, value in settings.items())
        _properties(lab, server).write_text(lines + members, encoding="utf-8")


def start(lab: LabState, server: LabZooKeeper) -> None:
    """Start one server. Does not wait until it serves."""
    command = [
        str(find_java()),
        "-Xmx128m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        *logging_options(lab),
        *login_options(lab),
        "-Dzookeeper.authProvider.sasl=org.apache.zookeeper.server.auth.SASLAuthenticationProvider",
        f"-Dzookeeper.DigestAuthenticationProvider.superDigest={super_digest(lab)}",
        f"-Drunbook.log={log_of(lab, server)}",
        "-cp",
        f"{lab.jars}/*",
        "org.apache.zookeeper.server.quorum.QuorumPeerMain",
        str(_properties(lab, server)),
    ]
    log_of(lab, server).parent.mkdir(parents=True, exist_ok=True)
    server.process = processes.start(command, output=log_of(lab, server).with_suffix(".out"), folder=Path(lab.folder))


def revive(lab: LabState) -> None:
    """Thaw what is frozen of the servers, start what is stopped, and wait until all serve.

    Raises:
        LabError: They did not find together.
    """
    servers = servers_of(lab)
    for server in servers:
        now = processes.condition(server.process)
        if now == "frozen":
            processes.thaw(server.process)
        elif now == "stopped":
            start(lab, server)
            note(lab, servers)
    wait_for_ensemble(lab, servers, COUNT)


def wait_for_ensemble(lab: LabState, servers: list[LabZooKeeper], serving: int) -> None:
    """Wait until one server leads and counts so many that keep up, itself included.

    A leader takes up to syncLimit, 10 s, to notice that a follower hangs.

    Raises:
        LabError: They did not find together.
    """
    what = f"{serving} ZooKeeper servers of lab {lab.name} to serve; their logs are {log_of(lab, servers[0]).parent}"
    wait_until(lambda: in_sync(servers) == serving, what, within=_WITHIN)


def wait_for_loss(lab: LabState, servers: list[LabZooKeeper]) -> None:
    """Wait until no server serves anybody.

    Raises:
        LabError: One still does.
    """
    wait_until(lambda: in_sync(servers) == 0, f"the ensemble of lab {lab.name} to give up", within=_WITHIN)


def chroot(lab: LabState) -> str:
    """Below which node the lab's Kafka keeps everything; /zookeeper is ZooKeeper's own."""
    return f"/kafka-{lab.name}"


def logging_file(lab: LabState) -> Path:
    """Name the file that says how servers, and brokers of that age, log."""
    return Path(lab.folder, "config", "log4j.properties")


def logging_options(lab: LabState) -> list[str]:
    """The options that make a JVM log by it."""
    return [f"-Dlog4j.configuration={logging_file(lab).as_uri()}"]


def log_of(lab: LabState, server: LabZooKeeper) -> Path:
    """Name the file a server writes its log to."""
    return Path(lab.folder, "logs", f"zookeeper-{server.number}.log")


def _data(lab: LabState, server: LabZooKeeper) -> Path:
    return Path(lab.folder, "data", f"zookeeper-{server.number}")


def _properties(lab: LabState, server: LabZooKeeper) -> Path:
    return Path(lab.folder, "config", f"zookeeper-{server.number}.properties")
