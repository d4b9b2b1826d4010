"""`runbook check security` on one broker of an old line of releases: what no lab of today's Kafka can show.

It has known vulnerabilities, no password in its file, and nobody above its ACLs, so that Kafka hides nothing. It asks
for lists of revoked certificates, which harms nobody here as it speaks no TLS.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from runbook.connections.kafka import connect
from runbook.engine.errors import CannotLook
from runbook.engine.probe import Clock
from runbook.lab import cache_home, processes
from runbook.lab.configuration import free_ports, new_id
from runbook.lab.jars import Jar, Wanted, fetch_jars
from runbook.lab.java import find_java
from runbook.lab.parts.jmx import fetch_agents, jolokia_agent
from runbook.lab.waiting import wait_until

RUNBOOK = str(Path(sys.executable).with_name("runbook"))
RELEASE = "3.8.1"
ANONYMOUS = "User:ANONYMOUS"
WANTED = Wanted(
    f"Kafka {RELEASE}",
    f"kafka-{RELEASE}",
    "40 MB",
    (
        Jar("org.apache.kafka", "kafka_2.13", RELEASE),
        Jar("ch.qos.reload4j", "reload4j", "1.2.25"),
        Jar("org.slf4j", "slf4j-reload4j", "1.7.36"),
    ),
)
PROPERTIES = """\
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
LOGGING = """\
log4j.rootLogger=INFO, out
log4j.appender.out=org.apache.log4j.ConsoleAppender
log4j.appender.out.layout=org.apache.log4j.PatternLayout
log4j.appender.out.layout.ConversionPattern=%d %p %m (%c)%n
"""
PASSING = {
    "what-no-acl-names-is-refused",
    "super-users-are-those-declared",
    "no-password-stands-in-a-brokers-file",
    "revoked-certificates-are-refused",
}

pytestmark = pytest.mark.live


class Broker:
    """One broker, its own controller."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port, self.controller, self.agent = free_ports(3)
        self.jars = fetch_jars(WANTED, cache_home(), print)
        self.agents = fetch_agents(print)
        (folder / "log4j.properties").write_text(LOGGING)
        self.process: processes.Process | None = None

    def java(self, *words: str) -> list[str]:
        """A command of Java with this release's jars."""
        logging = f"-Dlog4j.configuration={(self.folder / 'log4j.properties').as_uri()}"
        return [str(find_java()), "-Xmx256m", "-XX:+UseSerialGC", logging, "-cp", f"{self.jars}/*", *words]

    def configure(self, more: str = "") -> str:
        """Write its properties; gives the file."""
        told = PROPERTIES.format(port=self.port, controller=self.controller, data=self.folder / "data")
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
        asks = ["-Dcom.sun.net.ssl.checkRevocation=true", "-Dcom.sun.security.enableCRLDP=true"]
        command = [java, jolokia_agent(self.agents, self.agent), *asks, *rest]
        self.process = processes.start(command, output=self.folder / "broker.out", folder=self.folder)
        wait_until(self.answers, f"the old broker; see {self.folder}/broker.out", within=120)

    def answers(self) -> bool:
        """Whether it tells that it is the cluster."""
        kafka = connect({"bootstrap.servers": f"127.0.0.1:{self.port}"}, Clock(5.0))
        try:
            return [broker.id for broker in kafka.brokers()] == [1]
        except CannotLook:
            return False
        finally:
            kafka.close()

    def stop(self) -> None:
        """End it."""
        processes.terminate(self.process, patience=8)


def allow_everything(address: str, who: str) -> None:
    from kafka import KafkaAdminClient
    from kafka.admin import ACL, ACLOperation, ACLPermissionType, ResourcePattern, ResourceType

    kinds = [(ResourceType.CLUSTER, "kafka-cluster"), (ResourceType.TOPIC, "*"), (ResourceType.GROUP, "*")]
    made = [
        ACL(who, "*", ACLOperation.ALL, ACLPermissionType.ALLOW, ResourcePattern(kind, name)) for kind, name in kinds
    ]
    admin = KafkaAdminClient(bootstrap_servers=[address])
    try:
        assert not admin.create_acls(made)["failed"]
    finally:
        admin.close()


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, dict[str, Any]]]:
    """What the runbook says of it, once the ACLs that let it start are there and its super user is gone."""
    broker = Broker(tmp_path_factory.mktemp("old"))
    broker.format()
    address = f"127.0.0.1:{broker.port}"
    try:
        broker.start(broker.configure(f"super.users={ANONYMOUS}\n"))
        allow_everything(address, ANONYMOUS)
        broker.stop()
        broker.start(broker.configure())
        environment = {
            "kafka": {"bootstrap.servers": address},
            "jolokia": {"agents": {1: f"http://127.0.0.1:{broker.agent}/jolokia"}},
            "params": {"security/revoked-certificates-are-refused": {"lists": True}},
        }
        inventory = broker.folder / "environments.yaml"
        inventory.write_text(yaml.safe_dump({"environments": {"old": environment}}))
        command = [RUNBOOK, "check", "security", "-i", str(inventory), "-f", "json", "--deadline", "60s"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        assert done.stderr == ""
        yield {one["check"].partition("/")[2]: one for one in json.loads(done.stdout)["results"]}
    finally:
        broker.stop()


def test_what_kafka_need_not_hide_passes(results: dict[str, dict[str, Any]]):
    assert {check: results[check]["outcome"] for check in PASSING} == dict.fromkeys(PASSING, "pass")


def test_a_line_of_releases_with_a_vulnerability_that_no_patch_of_it_mends_fails(results: dict[str, dict[str, Any]]):
    result = results["no-line-of-releases-has-a-known-vulnerability"]
    assert result["outcome"] == "fail"
    wrong = [row["key"] for row in result["rows"] if row["outcome"] == "fail"]
    assert {"release": "3.8", "cve": "CVE-2026-33558"} in wrong
