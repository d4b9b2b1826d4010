"""All probes of hosts on N hosts, against N times `ssh host true`, and against testinfra reading the same.

    python tests/benchmarks/hosts.py [--hosts 50] [--rounds 3]

Needs root, Linux and sshd: the hosts are the lab's, each with an sshd of its own and a process that looks like a
broker's. Hosts and measurers share the machine's processors, so wall times contain the hosts' own work; the order of
the contestants changes with each round. testinfra is compared only where it can be imported: it is no dependency.
"""

import argparse
import importlib.util
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from kafka_lab.hosts import Machine
from runbook.connections.ssh import connect
from runbook.model.probe import Deadline
from runbook.plugins.catalog import catalog
from support.lab_hosts import LACKING, running_hosts
from support.recorded_hosts import look

PROBES = [name for name in catalog("probes").names() if name.startswith("host_")]
SECONDS = 300.0


class Measured(NamedTuple):
    """Wall time of one contestant, and processor time of it and its children, in seconds."""

    wall: float
    cpu: float


def measure(work: Callable[[], None]) -> Measured:
    """Run it once."""
    before, start = _cpu(), time.monotonic()
    work()
    return Measured(time.monotonic() - start, _cpu() - before)


def _cpu() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def all_probes(settings: dict[str, Any], handshakes: list[int]) -> None:
    """Put every probe of hosts to all hosts, probes at once as a worker does it."""
    hosts = connect(settings, Deadline(SECONDS, patience=60))
    with ThreadPoolExecutor(8) as pool:
        facts = list(pool.map(lambda probe: look(probe, hosts, **_given(probe)), PROBES))
    handshakes.append(hosts.handshakes)
    hosts.close()
    assert not [gap for fact in facts for gap in fact.gaps], [gap for fact in facts for gap in fact.gaps][:3]


def _given(probe: str) -> dict[str, str]:
    return {"folder": "/var/log/kafka"} if probe == "host_log_file" else {}


def plain_ssh(machines: list[Machine], settings: dict[str, Any]) -> None:
    """Run `ssh host true` on all hosts at once."""
    options = [
        *("-F", "none", "-i", settings["identity"], "-o", "BatchMode=yes", "-o", "IdentitiesOnly=yes"),
        *("-o", f"UserKnownHostsFile={settings['known_hosts']}", "-o", "StrictHostKeyChecking=yes"),
    ]
    ssh = shutil.which("ssh") or "ssh"
    running = [
        subprocess.Popen([ssh, *options, "-p", str(machine.plan.port), f"kafka@{machine.plan.address}", "true"])
        for machine in machines
    ]
    assert [process.wait() for process in running] == [0] * len(running)


def with_testinfra(machines: list[Machine], settings: dict[str, Any]) -> None:
    """Read the same with testinfra's paramiko backend, of all hosts at once."""
    import testinfra

    config = Path(settings["config"]).with_name("testinfra_config")
    lines = [
        f"Host {machine.plan.name}\n HostName {machine.plan.address}\n Port {machine.plan.port}\n User kafka\n"
        f" IdentityFile {settings['identity']}\n UserKnownHostsFile {settings['known_hosts']}\n"
        for machine in machines
    ]
    config.write_text("".join(lines))

    def read(machine: Machine) -> None:
        host = testinfra.get_host(f"paramiko://{machine.plan.name}", ssh_config=str(config))
        for name in ("swappiness", "dirty_ratio", "dirty_background_ratio", "max_map_count"):
            host.sysctl(f"vm.{name}")
        assert host.file("/sys/kernel/mm/transparent_hugepage/enabled").content_string
        [process] = host.process.filter(comm="java")
        for name in ("cmdline", "status", "limits", "mountinfo"):
            host.check_output("cat /proc/%s/%s", str(process.pid), name)
        host.check_output("wc -l /proc/%s/maps", str(process.pid))
        assert host.file("/etc/kafka/server.properties").content_string
        assert host.file("/etc/sysctl.d/60-kafka.conf").content_string
        assert host.file("/etc/security/limits.d/kafka.conf").content_string
        host.check_output("find -H /var/lib/kafka/data -mindepth 1 -maxdepth 2")
        host.check_output("df -P -T -k /")
        host.check_output("ip -j link show")
        host.check_output("date -u +%%s.%%N")

    with ThreadPoolExecutor(len(machines)) as pool:
        list(pool.map(read, machines))


def main() -> None:
    """Measure, and print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--hosts", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    if LACKING:
        sys.exit(f"Nothing measured: {LACKING}")
    importlib.import_module("paramiko")
    handshakes: list[int] = []
    with (
        tempfile.TemporaryDirectory(prefix="runbook-bench-") as folder,
        running_hosts(Path(folder), given.hosts) as (machines, settings),
    ):
        contestants: dict[str, Callable[[], None]] = {
            f"{len(PROBES)} probes": lambda: all_probes(settings, handshakes),
            "ssh host true": lambda: plain_ssh(machines, settings),
        }
        if importlib.util.find_spec("testinfra"):
            contestants["testinfra"] = lambda: with_testinfra(machines, settings)
        seen: dict[str, list[Measured]] = {name: [] for name in contestants}
        for number in range(given.rounds):
            names = list(contestants)
            for name in names[number % len(names) :] + names[: number % len(names)]:
                seen[name].append(measure(contestants[name]))
    print(f"{given.hosts} hosts, {given.rounds} rounds, medians; handshakes of each round of probes: {handshakes}")
    base = statistics.median(measured.wall for measured in seen["ssh host true"])
    for name, times in seen.items():
        wall, cpu = statistics.median(t.wall for t in times), statistics.median(t.cpu for t in times)
        print(f"{name:16} {wall:7.2f} s wall ({wall / base:4.1f} x ssh host true)  {cpu:7.2f} s cpu of the asking side")
    if "testinfra" not in seen:
        print("testinfra is not installed: not compared")


if __name__ == "__main__":
    main()
