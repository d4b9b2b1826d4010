"""Hosts that answer from text, for tests of what is read on hosts: the seam is the SSH link, all else is real."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from runbook.answers.ssh import Answer
from runbook.answers.ssh.commands import Command
from runbook.connections.ssh import Hosts
from runbook.connections.ssh.settings import SshSettings
from runbook.model.errors import CannotLook
from runbook.model.fact import Fact, tabulate
from runbook.model.probe import Deadline

Output = str | CannotLook

PROPERTIES = "/etc/kafka/broker-1.properties"
BROKER = {
    "cmdline": (
        "/usr/lib/jvm/java-17/bin/java\0-Xms1g\0-Xmx4g\0-XX:+UseG1GC\0-Xlog:gc*:file=/var/log/kafka/gc.log:time\0"
        "-Dkafka.logs.dir=/var/log/kafka\0-Djavax.net.ssl.keyStorePassword=hunter22\0-cp\0/opt/kafka/libs/*\0"
        f"kafka.Kafka\0{PROPERTIES}"
    ),
    "status": "Name:\tjava\nUid:\t7001\t7001\t7001\t7001\nVmRSS:\t  2048 kB\nVmSwap:\t     4 kB\nThreads:\t90",
    "limits": "Limit                     Soft Limit           Hard Limit           Units     \n"
    "Max open files            100000               200000               files     ",
    "oom_score_adj": "0",
    "cgroup": "0::/system.slice/kafka.service",
}


JAAS_FILE = "/etc/kafka/kafka_jaas.conf"
WITH_JAAS = {
    **BROKER,
    "cmdline": BROKER["cmdline"].replace("-cp", f"-Djava.security.auth.login.config={JAAS_FILE}\0-cp"),
}
JAAS = """\
KafkaServer {
com.sun.security.auth.module.Krb5LoginModule required
useKeyTab=true
storeKey=true
keyTab="/etc/security/keytabs/kafka.keytab"
principal="kafka/kafka-1.example.org@EXAMPLE.ORG"
org.apache.kafka.common.security.plain.PlainLoginModule required
username="admin"
password
user_admin
user_alice
};
"""
LOGINS = """\
listener.name.c.scram-sha-512.sasl.jaas.config=
org.apache.kafka.common.security.scram.ScramLoginModule required
username="broker"
  password
"""


def process_text(processes: Mapping[int, Mapping[str, str]]) -> str:
    """What `grep -Hz` over files of /proc prints."""
    first = "/proc/1/status:Name:\tsystemd\0"
    return first + "".join(
        f"/proc/{pid}/{name}:{record}\0"
        for pid, files in processes.items()
        for name, text in files.items()
        for record in text.split("\0")
    )


def running(*processes: Mapping[str, str]) -> dict[str, Output]:
    """The answers of a host that runs these Java processes, with ids from 100 on."""
    numbered = dict(enumerate(processes, 100))
    return {
        "java": "".join(f"{pid}\n" for pid in numbered),
        "process": process_text(numbered),
        "settings": f"{PROPERTIES}:node.id=1\n{PROPERTIES}:log.dirs=/var/lib/kafka/a,/var/lib/kafka/b\n",
        "users": "kafka:x:7001:7001::/home/kafka:/bin/sh\n",
        "descriptors": "/proc/100/fd 321\n",
        "maps": "1200 /proc/100/maps\n",
        "environment": "/proc/100/environ:PATH=\0",
        "java-release": '/usr/lib/jvm/java-17/release:JAVA_VERSION="17.0.9"\n',
    }


class _Recorded:
    """Stands where the link to a host stands; a command without an answer is an error of the test."""

    def __init__(self, outputs: Mapping[str, Output]) -> None:
        self._outputs = outputs
        self.clock = Deadline(5)
        self.ran: list[list[str]] = []

    def run(self, command: Command, vector: Sequence[str]) -> Answer:
        self.ran.append(list(vector))
        text = self._outputs[command.name]
        if isinstance(text, CannotLook):
            raise text
        return Answer(text.encode(), "", 10.0, 10.02)

    def close(self) -> None:
        """Nothing to close."""


def recorded(outputs: Mapping[str, Mapping[str, Output]], *, clients: Sequence[Any] = (), **settings: Any) -> Hosts:
    """Hosts by name, each with what it tells to each command; `settings` are those of single hosts."""
    entries = {name: settings.get(name.replace("-", "_"), {}) for name in outputs}
    every = {"hosts": entries, "user": "runbook", "known_hosts": "none", "clients": list(clients)}
    hosts = Hosts(SshSettings(every, Deadline(5)), Deadline(5))
    for name, host in hosts._hosts.items():
        host._link = _Recorded(outputs[name])  # type: ignore[assignment]
    return hosts


def look(probe: str, hosts: Hosts, **parameters: Any) -> Fact:
    """Put a probe to hosts; its rows are checked against its columns."""
    module = import_module(f"runbook.probes.{probe}")
    return tabulate(probe, module.PROBE.columns, module.observe(hosts, **parameters))
