"""Linux hosts of the lab without Kafka: a process stands in each for a broker's JVM. For tests of several rooms."""

import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kafka_lab import hosts
from kafka_lab.hosts import Machine, MachinePlan
from kafka_lab.hosts.machine import make_key
from kafka_lab.ports import free_ports
from kafka_lab.processes import Process
from kafka_lab.state import LabState
from kafka_lab.waiting import wait_until

PASSWORD = "hunter22"
"""What stands in files of these hosts, and must stand nowhere else."""
PROPERTIES = """\
node.id={number}
process.roles=broker
log.dirs=/var/lib/kafka/data
authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
super.users=User:admin
controller.listener.names=CONTROLLERS
listeners=BROKERS://:9091,CLIENTS://:9092
listener.security.protocol.map=BROKERS:SASL_SSL,CLIENTS:SASL_SSL,CONTROLLERS:SSL
inter.broker.listener.name=BROKERS
sasl.enabled.mechanisms=SCRAM-SHA-512
sasl.mechanism.inter.broker.protocol=SCRAM-SHA-512
ssl.keystore.location=/etc/kafka/tls/keystore.p12
ssl.keystore.password=hunter22
"""
JAAS_FILE = "/etc/kafka/kafka_server_jaas.conf"
KEYTAB = "/etc/security/keytabs/kafka.keytab"
JAAS = f"""\
KafkaServer {{
  org.apache.kafka.common.security.scram.ScramLoginModule required
  username="admin"
  password="hunter22";
  com.sun.security.auth.module.Krb5LoginModule required
  useKeyTab=true storeKey=true keyTab="{KEYTAB}" principal="kafka/kafka-1.lab@LAB";
}};
"""
LACKING = hosts.lacking()
OF_NEGLECT = {
    "blocking-flushes-are-rare",
    "background-flushes-begin-early",
    "brokers-may-map-many-files",
    "huge-pages-come-on-request",
    "kernel-settings-survive-a-boot",
    "the-number-of-maps-is-kept",
}
"""The checks of os-hardware that fail on a host whose kernel settings are Linux's own."""
OF_SWAP = frozenset({"swap-is-a-last-resort", "swapping-is-not-forbidden"})
"""Those that say something only where there is swap: whether this machine has some is its own affair."""
_KEPT = ("cleaner-offset", "log-start-offset", "recovery-point-offset", "replication-offset")
_STAND_IN = "import time\ntime.sleep(6000)\n"  # longer than a run of all tests; it ends with its host


@contextmanager
def running_hosts(
    folder: Path, count: int = 2, change: Callable[[MachinePlan, int], None] | None = None
) -> Iterator[tuple[list[Machine], dict[str, Any]]]:
    """Run hosts with a broker's process in each; gives them, and the settings by which the inventory reaches them."""
    folder.chmod(0o755)
    shared = folder / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    plans = []
    for number, port in enumerate(free_ports(count), 1):
        plan = hosts.plan(number, port, folder, [shared])
        meta = "/var/lib/kafka/data/meta.properties"
        plan.files |= {
            "/etc/kafka/server.properties": PROPERTIES.format(number=number),
            meta: f"version=1\ncluster.id=lab\nnode.id={number}\n",
            **{f"/var/lib/kafka/data/{name}-checkpoint": "0\n0\n" for name in _KEPT},
            **{f"/var/lib/kafka/data/orders-0/00000000000000000000.{end}": "" for end in ("log", "index", "timeindex")},
            "/var/log/kafka/server.log": "all is well\n",
            "/opt/kafka/libs/kafka_2.13-4.3.0.jar": "",
            JAAS_FILE: JAAS,
            KEYTAB: "hunter22",
            "/etc/kafka/tls/keystore.p12": "hunter22",
        }
        plan.private = ["/etc/kafka/server.properties", "/etc/kafka/tls/keystore.p12", JAAS_FILE, KEYTAB]
        if change is not None:
            change(plan, number)
        plans.append(plan)
    machines = hosts.start(plans, make_key(folder / "key"))
    try:
        (folder / "known_hosts").write_text("".join(f"{machine.known_hosts_line}\n" for machine in machines))
        (folder / "ssh_config").touch()
        for machine in machines:
            start_stand_in(machine, shared)
        yield machines, settings(machines, folder)
    finally:
        for machine in machines:
            hosts.stop(machine)


def start_stand_in(machine: Machine, shared: Path, main: str = "kafka.Kafka") -> Process:
    """Start a process that looks like a JVM's: by name, command line and user. It is a Python called java."""
    java = shared / "java"
    if not java.exists():
        shutil.copy("/usr/bin/python3", java)
    if not (shared / main).exists():  # a host that starts now may be reading it: what is cut short ends it at once
        (shared / main).write_text(_STAND_IN)
    # Python takes what follows -W for a filter of warnings that it does not know, and goes on.
    options = ["-W", f"-Djava.security.auth.login.config={JAAS_FILE}", "-W", "-Dkafka.logs.dir=/var/log/kafka"]
    options += ["-W", "--class-path=/opt/kafka/libs/*"]
    words = [str(java), "-Xms256m", "-Xmx512m", *options, main, "/etc/kafka/server.properties"]
    started = hosts.start_inside(machine, words, files=4096, output=shared / f"{machine.plan.name}.out", folder=shared)
    name = Path(f"/proc/{started.pid}/comm")
    wait_until(lambda: name.read_text() == "java\n", f"a process called java in {machine.plan.name}", within=240)
    return started


def settings(machines: list[Machine], folder: Path, **more: Any) -> dict[str, Any]:
    """What the inventory says of them."""
    places = {
        machine.plan.name: {"address": machine.plan.address, "port": machine.plan.port, "broker": number}
        for number, machine in enumerate(machines, 1)
    }
    return {
        "hosts": places,
        "user": "kafka",
        "identity": str(folder / "key"),
        "known_hosts": str(folder / "known_hosts"),
        "config": str(folder / "ssh_config"),
        "agent": False,
    } | more


def version_of_sshd() -> str:
    """The version of OpenSSH on this machine, which hosts run."""
    said = subprocess.run(["ssh", "-V"], capture_output=True, text=True, check=True).stderr
    found = re.match(r"OpenSSH_([\w.]+)", said)
    return found[1] if found else said


def private_key(lab: LabState) -> str:
    """The key by which the lab's inventory logs in: no evidence may hold it."""
    return Path(lab.folder, "hosts", "key").read_text("ascii")


def state_of(pid: int) -> str:
    """The state of a process as the kernel tells it: R, S, T."""
    return Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
