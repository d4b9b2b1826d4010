"""What a registry of 10,000 subjects with five versions each costs: time, memory, requests. Run by hand.

    python tests/benchmarks/registry.py [SUBJECTS]

The registry is played, in a process of its own, as Confluent's (pages of all schemas) and as Apicurio's (a request for
each version). Beside the check stands the same number of requests made plainly, with as many threads.
"""

import json
import multiprocessing
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from pathlib import Path

import requests

sys.path.insert(0, str(Path(__file__).parents[1]))
from support.registry_servers import Content, Style, registry_server

VERSIONS = 5
THREADS = 32
DEADLINE = "600s"
RUNBOOK = str(Path(sys.executable).with_name("runbook"))


def schema(subject: int, version: int) -> str:
    """A record of 20 fields, and one more for each version; each subject has a text of its own, as real ones do."""
    fields = [
        {"name": f"f{number}", "type": "string", "default": "", "doc": "A field."} for number in range(20 + version)
    ]
    return json.dumps(
        {"type": "record", "name": f"Order{subject}", "namespace": "shop", "doc": "An order.", "fields": fields}
    )


def serve(style: Style, subjects: int, line: Connection) -> None:
    """Play a registry until told to stop; tells its address, then what it was asked."""
    content = Content(
        {
            f"topic{number:05}-value": [schema(number, version) for version in range(VERSIONS)]
            for number in range(subjects)
        },
        style=style,
        level="FULL_TRANSITIVE",
    )
    with registry_server(content) as (address, asked):
        line.send(address)
        line.recv()
        line.send([request.path for request in asked])
        line.recv()


def measure(style: Style, subjects: int) -> None:
    """Check a registry of one kind, and ask the same plainly."""
    here, there = multiprocessing.get_context("spawn").Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(style, subjects, there), daemon=True)
    server.start()
    address = here.recv()
    with tempfile.TemporaryDirectory() as folder:
        inventory = Path(folder, "environments.yaml")
        inventory.write_text(f"environments: {{big: {{schema_registry: {{url: {address}}}}}}}\n", "utf-8")
        start, used = time.monotonic(), _processor_of_children()
        command = [RUNBOOK, "check", "schema-governance", "-i", str(inventory), "-f", "json", "--deadline", DEADLINE]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        took, worked = time.monotonic() - start, _processor_of_children() - used
    here.send("enough")
    paths = here.recv()
    outcomes = Counter(result["outcome"] for result in json.loads(done.stdout)["results"])
    start, used = time.monotonic(), time.process_time()
    session = requests.Session()
    session.mount("http://", requests.adapters.HTTPAdapter(pool_maxsize=THREADS))
    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(lambda path: session.get(f"http://{address}{path}", timeout=60).content, paths))
    bare, plainly = time.monotonic() - start, time.process_time() - used
    here.send("enough")
    server.join(10)
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10
    repeated = len(paths) - len(set(paths))
    print(
        f"{style}: {subjects} subjects x {VERSIONS}: {took:.1f} s, {len(paths)} requests, {repeated} of them repeated"
    )
    print(f"  the same requests plainly: {bare:.1f} s; ratio {took / bare:.2f}")
    print(f"  of processor: {worked:.1f} s, plainly {plainly:.1f} s; ratio {worked / plainly:.2f}")
    print(f"  largest process so far: {memory} MB; outcomes: {dict(outcomes)}")


def _processor_of_children() -> float:
    """Seconds of processors that ended processes took; the server is none of them until it is done."""
    of = resource.getrusage(resource.RUSAGE_CHILDREN)
    return of.ru_utime + of.ru_stime


if __name__ == "__main__":
    for kind in ("confluent", "apicurio"):
        measure(kind, int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
