"""One broker of an old line of releases: what no lab of today's Kafka can show.

It has known vulnerabilities, no password in its file, and nobody above its ACLs, so that Kafka hides nothing. It asks
for lists of revoked certificates, which harms nobody here as it speaks no TLS.
"""

import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from kafka_lab import processes
from kafka_lab.configuration import new_id
from kafka_lab.jars import Jar, Wanted, fetch_jars
from kafka_lab.parts.jmx import fetch_agents, jolokia_agent
from kafka_lab.ports import free_ports
from kafka_lab.waiting import wait_until
from runbook.folders import cache_folder
from runbook.java import find_java
from support.security.guarded import read_attribute

RELEASE: Final = "3.8.1"
_ANONYMOUS: Final = "User:ANONYMOUS"
_APP_INFO: Final = "kafka.server:type=app-info,id=1"
_ASKS: Final = ("-Dcom.sun.net.ssl.checkRevocation=true", "-Dcom.sun.security.enableCRLDP=true")
_WANTED = Wanted(
    f"Kafka {RELEASE}",
    f"kafka-{RELEASE}",
    "40 MB",
    (
        Jar("org.apache.kafka", "kafka_2.13", RELEASE),
        Jar("ch.qos.reload4j", "reload4j", "1.2.25"),
        Jar("org.slf4j", "slf4j-reload4j", "1.7.36"),
    ),
)
_PROPERTIES = """\
process.roles=broker,controller
node.id=1
controller.listener.names=CONTROLLER
controller.quorum.voters=1@127.0.0.1:{controller}
listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller}
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
log.dirs={data}
offsets.topic.replication.factor=1
authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
"""
_LOGGING = """\
log4j.rootLogger=INFO, out
log4j.appender.out=org.apache.log4j.ConsoleAppender
log4j.appender.out.layout=org.apache.log4j.PatternLayout
log4j.appender.out.layout.ConversionPattern=%d %p %m (%c)%n
"""


class OldBroker:
    """One broker, its own controller."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port, self.controller, self.agent = free_ports(3)
        self.address = f"127.0.0.1:{self.port}"
        self.jars = fetch_jars(_WANTED, cache_folder(), print)
        self.agents = fetch_agents(print)
        (folder / "log4j.properties").write_text(_LOGGING)
        self.process: processes.Process | None = None

    def java(self, *words: str) -> list[str]:
        """A command of Java with this release's jars."""
        logging = f"-Dlog4j.configuration={(self.folder / 'log4j.properties').as_uri()}"
        return [str(find_java()), "-Xmx256m", "-XX:+UseSerialGC", logging, "-cp", f"{self.jars}/*", *words]

    def configure(self, more: str = "") -> str:
        """Write its properties; gives the file."""
        told = _PROPERTIES.format(port=self.port, controller=self.controller, data=self.folder / "data")
        file = self.folder / "server.properties"
        file.write_text(told + more)
        return str(file)

    def format(self) -> None:
        """Give it an empty data folder."""
        storage = self.java("kafka.tools.StorageTool", "format", "-t", new_id(), "-c", self.configure())
        subprocess.run(storage, check=True, timeout=180, capture_output=True)

    def start(self, properties: str) -> None:
        """Start it, and wait until it answers."""
        java, *rest = self.java("kafka.Kafka", properties)
        command = [java, jolokia_agent(self.agents, self.agent), *_ASKS, *rest]
        self.process = processes.start(command, output=self.folder / "broker.out", folder=self.folder)
        wait_until(self.answers, f"the old broker; see {self.folder}/broker.out", within=180)

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
        """End it."""
        processes.terminate(self.process, patience=8)


@contextmanager
def old_broker(folder: Path) -> Iterator[OldBroker]:
    """Run one. It starts with a super user, who sets the ACLs by which it then starts without one."""
    broker = OldBroker(folder)
    broker.format()
    try:
        broker.start(broker.configure(f"super.users={_ANONYMOUS}\n"))
        _allow_everything(broker.address)
        broker.stop()
        broker.start(broker.configure())
        yield broker
    finally:
        broker.stop()


def _allow_everything(address: str) -> None:
    from kafka import KafkaAdminClient
    from kafka.admin import ACL, ACLOperation, ACLPermissionType, ResourcePattern, ResourceType

    kinds = [(ResourceType.CLUSTER, "kafka-cluster"), (ResourceType.TOPIC, "*"), (ResourceType.GROUP, "*")]
    made = [
        ACL(_ANONYMOUS, "*", ACLOperation.ALL, ACLPermissionType.ALLOW, ResourcePattern(kind, name))
        for kind, name in kinds
    ]
    admin = KafkaAdminClient(bootstrap_servers=[address])
    try:
        assert not admin.create_acls(made)["failed"]
    finally:
        admin.close()


def of_old(broker: OldBroker) -> Mapping[str, bool]:
    """What proves that it is of the old line, with nothing for Kafka to hide, and told to ask for revocations."""
    properties = (broker.folder / "server.properties").read_text("utf-8")
    command = Path(f"/proc/{broker.process.pid}/cmdline").read_text() if broker.process else ""
    _, said = read_attribute(broker.agent, _APP_INFO, "Version")
    return {
        f"it says that it is {RELEASE}": f'"{RELEASE}"' in said,
        "it has an authorizer": "authorizer.class.name=" in properties,
        "nobody stands above its ACLs": "super.users" not in properties,
        "its file opens nothing by default": "allow.everyone" not in properties,
        "its file holds no password": "password" not in properties and "jaas" not in properties,
        "it answers whom its ACLs allow": broker.answers(),
        "its JVM asks for lists of revoked certificates": all(asks in command for asks in _ASKS),
    }
