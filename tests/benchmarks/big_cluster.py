"""`runbook check ha` on 1,000 topics × 10 partitions (RF 3, 3 brokers) beside bare clients making the same requests.

Run: .venv/bin/python tests/benchmarks/big_cluster.py [TOPICS]
It starts a lab of its own, fills it (some minutes), measures both in turn, and stops it.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from kafka_lab import LabState, down, up

ROUNDS = 7
PARTITIONS = 10
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
RUNBOOK = str(Path(sys.executable).with_name("runbook"))


def fill(lab: LabState, topics: int) -> None:
    """Create the topics and wait until every replica is in sync."""
    from confluent_kafka.admin import AdminClient, NewTopic

    admin = AdminClient({"bootstrap.servers": lab.bootstrap})
    for start in range(0, topics, 100):
        new = [NewTopic(f"bench-{i}", PARTITIONS, 3) for i in range(start, min(start + 100, topics))]
        for future in admin.create_topics(new, operation_timeout=120, request_timeout=180).values():
            future.result()
        print(f"  {min(start + 100, topics)} topics", flush=True)
    while True:
        seen = [p for t in admin.list_topics(timeout=30).topics.values() for p in t.partitions.values()]
        behind = sum(len(p.isrs) < len(p.replicas) for p in seen)
        if len(seen) >= topics * PARTITIONS and not behind:
            print(f"  {len(seen)} partitions, all in sync", flush=True)
            return
        time.sleep(3)


def measure(command: list[str]) -> tuple[float, float, float]:
    """Wall seconds, CPU seconds and peak MB of a command and all it starts."""
    probe = (
        "import resource, subprocess, sys, time\n"
        "start = time.monotonic()\n"
        "done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)\n"
        "took, used = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "print(took, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, done.returncode)\n"
    )
    text = subprocess.run(
        [sys.executable, "-c", probe, *command], capture_output=True, text=True, check=True, env=ENVIRONMENT
    ).stdout.split()
    if int(text[3]) not in (0, 1):
        raise SystemExit(f"{command} ended with {text[3]}")
    return float(text[0]), float(text[1]), float(text[2])


def main() -> None:
    """Print medians of both, and their ratios; goal of design §6: wall ≤ 1.2 × bare."""
    topics = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    os.environ.setdefault("RUNBOOK_LAB_HEAP", "1200m")
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        lab = up("bench", home=home, progress=lambda text: print(f"  {text}", flush=True))
        try:
            fill(lab, topics)
            inventory = str(home / "environments.yaml")
            ours, bare = [], []
            for _ in range(ROUNDS):
                ours.append(measure([RUNBOOK, "check", "ha", "-i", inventory, "--deadline", "30s"]))
                bare.append(measure([sys.executable, str(Path(__file__).with_name("bare_requests.py")), lab.bootstrap]))
        finally:
            down("bench", home=home)
    print(f"{topics} topics × {PARTITIONS} partitions, medians of {ROUNDS} rounds in turn")
    for i, what in enumerate(("wall s", "CPU s", "peak MB")):
        mine, theirs = (sorted(figures[i] for figures in all_)[ROUNDS // 2] for all_ in (ours, bare))
        print(f"{what:8} check ha {mine:8.2f}   bare clients {theirs:8.2f}   {mine / theirs:5.2f} × bare")


if __name__ == "__main__":
    main()
