"""One broker of any release of Kafka, its own controller or with a ZooKeeper server beside it."""

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from kafka_lab import processes
from kafka_lab.configuration import new_id
from kafka_lab.jars import LOGGING, Jar, Wanted, fetch_jars
from kafka_lab.ports import free_ports
from kafka_lab.waiting import wait_until
from runbook.folders import cache_folder
from runbook.java import find_java

_LOG4J_1: Final = (Jar("ch.qos.reload4j", "reload4j", "1.2.25"), Jar("org.slf4j", "slf4j-reload4j", "1.7.36"))
"""How releases before 4.0 log."""
_STARTS_WITHIN: Final = 180.0  # seconds; a busy machine takes its time
_KRAFT: Final = """\
process.roles=broker,controller
node.id=1
controller.listener.names=CONTROLLER
controller.quorum.voters=1@127.0.0.1:{controller}
listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller}
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
"""
_ZOOKEEPER: Final = """\
broker.id=1
listeners=PLAINTEXT://127.0.0.1:{port}
zookeeper.connect=127.0.0.1:{controller}
"""
_ALL: Final = "log.dirs={data}\noffsets.topic.replication.factor=1\n"
_LOG4J_2: Final = """\
status=error
appender.out.type=Console
appender.out.name=out
rootLogger.level=info
rootLogger.appenderRef.out.ref=out
"""
_LOGGING: Final = """\
log4j.rootLogger=INFO, out
log4j.appender.out=org.apache.log4j.ConsoleAppender
log4j.appender.out.layout=org.apache.log4j.PatternLayout
log4j.appender.out.layout.ConversionPattern=%d %p %m (%c)%n
"""


def wanted(release: str) -> Wanted:
    """The jars of a release, with those by which it logs."""
    by = (LOGGING,) if int(release.partition(".")[0]) >= 4 else _LOG4J_1  # from 4.0 on it is log4j 2
    return Wanted(
        f"Kafka {release}", f"kafka-{release}", "40 MB", (Jar("org.apache.kafka", "kafka_2.13", release), *by)
    )


class OneBroker:
    """A broker.

    Attributes:
        address: where clients reach it.
        zookeeper: where its ZooKeeper server is; "" in KRaft.
        folder: what it has.
        release: that it is of.
        process: it, while it runs.
    """

    def __init__(self, folder: Path, release: str, *, zookeeper: bool = False) -> None:
        """Fetch its jars and choose its ports; nothing runs yet."""
        self.folder = folder
        self.release = release
        self._port, self._controller = free_ports(2)
        self.address = f"127.0.0.1:{self._port}"
        self.zookeeper = f"127.0.0.1:{self._controller}" if zookeeper else ""
        self._jars = fetch_jars(wanted(release), cache_folder(), print)
        (folder / "log4j.properties").write_text(_LOGGING)
        (folder / "log4j2.properties").write_text(_LOG4J_2)
        self.process: processes.Process | None = None
        self._server: processes.Process | None = None

    def configure(self, more: str = "") -> str:
        """Write its properties; gives the file."""
        settings = (_ZOOKEEPER if self.zookeeper else _KRAFT) + _ALL
        file = self.folder / "server.properties"
        ports = {"port": self._port, "controller": self._controller}
        file.write_text(settings.format(**ports, data=self.folder / "data") + more)
        return str(file)

    def format(self) -> None:
        """Give it an empty data folder; with ZooKeeper start the server, as a broker formats by itself then."""
        if self.zookeeper:
            file = self.folder / "zookeeper.properties"
            file.write_text(
                f"dataDir={self.folder / 'zookeeper'}\nclientPort={self._controller}\nclientPortAddress=127.0.0.1\n"
                "admin.enableServer=false\n4lw.commands.whitelist=*\n"
            )
            command = self._java("org.apache.zookeeper.server.quorum.QuorumPeerMain", str(file))
            self._server = processes.start(command, output=self.folder / "zookeeper.out", folder=self.folder)
            return
        storage = self._java("kafka.tools.StorageTool", "format", "-t", new_id(), "-c", self.configure())
        subprocess.run(storage, check=True, timeout=_STARTS_WITHIN, capture_output=True)

    def start(self, properties: str, options: Sequence[str] = ()) -> None:
        """Start it with more options of its JVM, and wait until it answers."""
        java, *rest = self._java("kafka.Kafka", properties)
        output = self.folder / "broker.out"
        self.process = processes.start([java, *options, *rest], output=output, folder=self.folder)
        wait_until(self.answers, f"the broker; see {output}", within=_STARTS_WITHIN)

    def answers(self) -> bool:
        """Whether it tells that it is the cluster."""
        from confluent_kafka import KafkaException
        from confluent_kafka.admin import AdminClient

        client = AdminClient({"bootstrap.servers": self.address, "log_level": 0})
        try:
            return list(client.list_topics(timeout=3).brokers) == [1]
        except KafkaException:
            return False

    def stop(self) -> None:
        """End it; its ZooKeeper server stays."""
        processes.terminate(self.process, patience=8)

    def end(self) -> None:
        """End all that runs."""
        self.stop()
        processes.terminate(self._server, patience=0)

    def _java(self, *words: str) -> list[str]:
        """A command of Java with this release's jars."""
        logging = [
            f"-Dlog4j.configuration={(self.folder / 'log4j.properties').as_uri()}",
            f"-Dlog4j2.configurationFile={self.folder / 'log4j2.properties'}",
        ]
        return [str(find_java()), "-Xmx256m", "-XX:+UseSerialGC", *logging, "-cp", f"{self._jars}/*", *words]
