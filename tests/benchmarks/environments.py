"""Many environments in one call, some of them dead: `runbook check ha --env 'site-*'`; time, memory, connections.

Run: .venv/bin/python tests/benchmarks/environments.py [--clusters 6] [--environments 50] [--dead 8] [--rounds 3]
It starts so many clusters, the first of three brokers and the others of one, gives each of them several names until
there are enough environments, and adds dead ones: half of them refuse connections, the other half take them and never
answer. What was seen is judged once more from its bundle, so that it shows what judging alone takes.
"""

import argparse
import json
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil
import yaml
from msgspec import Struct

sys.path.insert(0, str(Path(__file__).parents[1]))

from kafka_lab import LabState, down, up
from kafka_lab.content import create_topics
from kafka_lab.ports import free_ports
from support.single_brokers import single

RUNBOOK = str(Path(sys.executable).with_name("runbook"))
LAB = "cluster-0"
TOPICS: dict[str, tuple[int, int, dict[str, str]]] = {name: (6, 1, {}) for name in ("orders", "payments", "clicks")}
EVERY = 0.1  # seconds between two looks at what a run holds


class Used(Struct):
    """What a run took: seconds, and at most so many MB, processes and connections at once."""

    seconds: float = 0.0
    memory: float = 0.0
    processes: int = 0
    connections: int = 0
    code: int = 0
    told: str = ""


def measured(command: Sequence[str], ports: set[int]) -> Used:
    """Run a command, and look at it and all that it started while it runs."""
    used, began = Used(), time.monotonic()
    with tempfile.TemporaryFile("w+") as output:
        process = psutil.Popen(command, stdout=output, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        while process.poll() is None:
            with suppress(psutil.NoSuchProcess):
                _look(process, ports, used)
            time.sleep(EVERY)
        used.seconds, used.code = time.monotonic() - began, process.returncode
        output.seek(0)
        used.told = output.read()
    return used


def _look(process: psutil.Process, ports: set[int], used: Used) -> None:
    """Note what it and all that it started hold now; memory that they share is counted for each."""
    tree = [process, *process.children(recursive=True)]
    memory = connections = 0
    for one in tree:
        with suppress(psutil.NoSuchProcess):  # it has ended since
            memory += one.memory_info().rss
            connections += sum(bool(line.raddr) and line.raddr.port in ports for line in one.net_connections("tcp"))
    used.processes = max(used.processes, len(tree))
    used.memory = max(used.memory, memory / 2**20)
    used.connections = max(used.connections, connections)


@contextmanager
def mute() -> Iterator[int]:
    """A port that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as server:
        yield int(server.getsockname()[1])


def living(environment: dict[str, Any], clusters: Sequence[LabState]) -> list[dict[str, Any]]:
    """The environments of these clusters, which differ in nothing but their addresses."""
    return [
        environment
        | {"cluster_id": one.cluster_id, "kafka": environment["kafka"] | {"bootstrap.servers": one.bootstrap}}
        for one in clusters
    ]


def named(environments: Sequence[dict[str, Any]], count: int, dead: Sequence[int]) -> dict[str, Any]:
    """So many environments: the dead ones, and the living under as many names as are left."""
    told = {f"site-{place:02}": environments[place % len(environments)] for place in range(count - len(dead))}
    for place, port in enumerate(dead, start=len(told)):
        lost = environments[0] | {"kafka": environments[0]["kafka"] | {"bootstrap.servers": f"127.0.0.1:{port}"}}
        told[f"site-{place:02}"] = lost
    return told


def main() -> None:
    """Print a line for each round, and the answer of the last."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clusters", type=int, default=6)
    parser.add_argument("--environments", type=int, default=50)
    parser.add_argument("--dead", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--deadline", default="10s")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        home = Path(folder)
        stack.callback(down, LAB, home=home)
        clusters = [up(LAB, home=home, progress=lambda _: None)]
        for place in range(1, given.clusters):
            clusters.append(stack.enter_context(single(clusters[0], f"cluster-{place}")))
            create_topics(clusters[-1], TOPICS)
            print(f"{time.strftime('%H:%M:%S')} {clusters[-1].name} is up", file=sys.stderr, flush=True)
        ports = {broker.port for cluster in clusters for broker in cluster.brokers}
        dead = [stack.enter_context(mute()) for _ in range(given.dead // 2)]
        dead += free_ports(given.dead - len(dead))
        told = yaml.safe_load((home / "environments.yaml").read_text("utf-8"))
        told["environments"] = named(living(told["environments"][LAB], clusters), given.environments, dead)
        inventory, bundle = home / "many.yaml", home / "seen.json"
        inventory.write_text(json.dumps(told), "utf-8")  # YAML without aliases, which an inventory may not have
        look = [RUNBOOK, "check", "ha", "-i", str(inventory), "--env", "site-*", "--deadline", given.deadline]
        runs = [("live", measured([*look, "--save", str(bundle)], ports | {*dead})) for _ in range(given.rounds)]
        again = [RUNBOOK, "check", "ha", "--from", str(bundle)]
        runs += [("bundle", measured(again, ports)) for _ in range(given.rounds)]
        size = bundle.stat().st_size / 2**20
    print(f"{given.environments} environments, {given.clusters} clusters, {given.dead} dead; bundle {size:.1f} MB\n")
    print("| | seconds | MB at most | processes | connections | exit code |\n| --- | --- | --- | --- | --- | --- |")
    for what, one in runs:
        row = (what, f"{one.seconds:.1f}", f"{one.memory:.0f}", str(one.processes), str(one.connections), str(one.code))
        print(f"| {' | '.join(row)} |")
    print(f"\n{runs[given.rounds - 1][1].told}")


if __name__ == "__main__":
    main()
