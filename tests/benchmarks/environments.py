"""Many environments in one call, some of them dead: `runbook check ha --env 'site-*'`; time, memory, connections.

Run: .venv/bin/python tests/benchmarks/environments.py [--clusters 6] [--environments 50] [--dead 8] [--rounds 3]
It starts so many clusters, the first of three brokers and the others of one, gives each of them several names until
there are enough environments, and adds dead ones: half of them refuse connections, the other half take them and never
answer. A few of the living are looked at without and with the dead, then all. What was seen of a few is judged once
more under as many names as there are environments, which shows what judging alone takes. Memory that several processes
share is counted once; `answered` are the environments whose cluster said which it is.
"""

import argparse
import json
import os
import resource
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
from msgspec import Struct, structs

sys.path.insert(0, str(Path(__file__).parents[1]))

from kafka_lab import LabState, down, up
from kafka_lab.content import create_topics
from kafka_lab.ports import free_ports
from runbook.evidence.bundle import Bundle, load_bundle, save_bundle
from support.single_brokers import single

RUNBOOK = str(Path(sys.executable).with_name("runbook"))
LAB = "cluster-0"
TOPICS: dict[str, tuple[int, int, dict[str, str]]] = {name: (6, 1, {}) for name in ("orders", "payments", "clicks")}
EVERY = 0.1  # seconds between two looks at what a run holds


class Used(Struct):
    """What a run took: seconds, those of work among them, and at most so many MB, processes and connections at once."""

    seconds: float = 0.0
    worked: float = 0.0
    memory: float = 0.0
    processes: int = 0
    connections: int = 0
    code: int = 0
    printed: str = ""


def measured(command: Sequence[str], ports: set[int]) -> Used:
    """Run a command, and look at it and all that it started while it runs."""
    used, began, before = Used(), time.monotonic(), _worked()
    with tempfile.TemporaryFile("w+") as output:
        process = psutil.Popen(command, stdout=output, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        while process.poll() is None:
            with suppress(psutil.NoSuchProcess):
                _look(process, ports, used)
            time.sleep(EVERY)
        used.seconds, used.code, used.worked = time.monotonic() - began, process.returncode, _worked() - before
        output.seek(0)
        used.printed = output.read()
    return used


def _worked() -> float:
    """Seconds of work of all that were started and have ended."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def _look(process: psutil.Process, ports: set[int], used: Used) -> None:
    """Note what it and all that it started hold now."""
    tree = [process, *process.children(recursive=True)]
    memory = connections = 0
    for part in tree:
        with suppress(psutil.NoSuchProcess):  # it has ended since
            memory += part.memory_full_info().pss
            connections += sum(bool(line.raddr) and line.raddr.port in ports for line in part.net_connections("tcp"))
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
        | {"cluster_id": cluster.cluster_id, "kafka": environment["kafka"] | {"bootstrap.servers": cluster.bootstrap}}
        for cluster in clusters
    ]


def named(environments: Sequence[dict[str, Any]], count: int, dead: Sequence[int]) -> dict[str, Any]:
    """So many environments: the dead ones, and the living under as many names as are left."""
    copies = {f"site-{place:02}": environments[place % len(environments)] for place in range(count - len(dead))}
    for place, port in enumerate(dead, start=len(copies)):
        lost = environments[0] | {"kafka": environments[0]["kafka"] | {"bootstrap.servers": f"127.0.0.1:{port}"}}
        copies[f"site-{place:02}"] = lost
    return copies


def answered(bundle: Bundle) -> list[str]:
    """The environments whose cluster said which it is."""
    return [
        kept.ask.environment
        for kept in bundle.kept
        if kept.ask.probe == "kafka_cluster" and any(fact.columns["cluster_id"] for fact in kept.facts.values())
    ]


def multiplied(bundle: Bundle, count: int) -> Bundle:
    """The same bundle with its first environment under so many names more."""
    first = bundle.selected[0]
    more = [f"{first}-{number:02}" for number in range(count)]
    mine = [kept for kept in bundle.kept if kept.ask.environment == first]
    return structs.replace(
        bundle,
        environments=bundle.environments | dict.fromkeys(more, bundle.environments[first]),
        connections=bundle.connections | dict.fromkeys(more, bundle.connections[first]),
        selected=[*bundle.selected, *more],
        kept=[
            *bundle.kept,
            *(structs.replace(kept, ask=structs.replace(kept.ask, environment=name)) for name in more for kept in mine),
        ],
    )


def line(what: str, used: Used, bundle: Path, load: float) -> str:
    """One line of the table."""
    loaded = load_bundle(bundle)
    cells = (
        what,
        f"{len(answered(loaded))} of {len(loaded.selected)}",
        f"{used.seconds:.1f}",
        f"{used.worked:.1f}",
        f"{used.memory:.0f}",
        str(used.processes),
        str(used.connections),
        str(used.code),
        f"{load:.0f}",
    )
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Print a line for each run, and the answer of the last one that looked at all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clusters", type=int, default=6)
    parser.add_argument("--environments", type=int, default=50)
    parser.add_argument("--dead", type=int, default=8)
    parser.add_argument("--few", type=int, default=2, help="of the living are looked at alone, and with the dead")
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
        inventory_read = yaml.safe_load((home / "environments.yaml").read_text("utf-8"))
        own = living(inventory_read["environments"][LAB], clusters)
        scenes = {
            "few": named(own, given.few, ()),
            "few and the dead": named(own, given.few + given.dead, dead),
            "all": named(own, given.environments, dead),
        }
        print("| | answered | seconds | of work | MB at most | processes | connections | exit code | load |")
        print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |", flush=True)
        for what, environments in scenes.items():
            inventory, bundle = home / f"{what}.yaml", home / f"{what}.json"
            inventory_read["environments"] = environments
            # YAML without aliases, which an inventory may not have
            inventory.write_text(json.dumps(inventory_read), "utf-8")
            look = [RUNBOOK, "check", "ha", "-i", str(inventory), "--env", "site-*", "--deadline", given.deadline]
            for _ in range(given.rounds):
                load, used = os.getloadavg()[0], measured([*look, "--save", str(bundle)], ports | {*dead})
                print(line(what, used, bundle, load), flush=True)
        many = home / "many.json"
        few = load_bundle(home / "few and the dead.json")
        save_bundle(many, multiplied(few, given.environments - len(few.selected)))
        for _ in range(given.rounds):
            load, again = os.getloadavg()[0], measured([RUNBOOK, "check", "ha", "--from", str(many)], ports)
            print(line("from a bundle", again, many, load), flush=True)
    print(f"\n{used.printed}")


if __name__ == "__main__":
    main()
