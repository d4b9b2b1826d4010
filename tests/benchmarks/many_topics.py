"""Many declared topics: the processor time of a run over one big file, over many small ones, and with --base.

Each is given in seconds, and as a ratio to what libyaml alone takes to load the same text in this process.

Run: .venv/bin/python tests/benchmarks/many_topics.py [--topics 5000] [--files 300]
"""

import argparse
import ctypes
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

import yaml

RUNBOOK: Final = str(Path(sys.executable).with_name("runbook"))
_ADOPTS_CHILDREN: Final = 36  # PR_SET_CHILD_SUBREAPER: workers count, too
_KAFKA: Final = """apiVersion: kafka.strimzi.io/v1
kind: Kafka
metadata: {name: orders, namespace: kafka}
spec:
  kafka:
    version: 4.1.0
    config: {default.replication.factor: 3, min.insync.replicas: 2}
"""
_TOPIC: Final = """apiVersion: kafka.strimzi.io/v1
kind: KafkaTopic
metadata:
  name: topic-%d
  namespace: kafka
  labels:
    strimzi.io/cluster: orders
spec:
  partitions: 12
  replicas: 3
  config:
    retention.ms: %d
    min.insync.replicas: 2
    cleanup.policy: delete
"""


def documents(topics: int) -> list[str]:
    """A Kafka resource and its topics, of which each has one of ten retentions."""
    return [_KAFKA, *(_TOPIC % (at, 3_600_000 * (at % 10 + 1)) for at in range(topics))]


def used(folder: Path, *words: str) -> float:
    """Seconds of processor that a command and all of its workers take."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [RUNBOOK, "check", "kubernetes", *words]
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": ""}  # as it is where people run it
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1, 3), done.stderr
    try:
        while True:
            os.wait()
    except ChildProcessError:
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def loaded(text: str) -> float:
    """Seconds of processor that libyaml takes to load a text."""
    began = time.process_time()
    for _ in yaml.load_all(text, Loader=yaml.CSafeLoader):
        pass
    return time.process_time() - began


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--topics", type=int, default=5000)
    parser.add_argument("--files", type=int, default=300)
    asked = parser.parse_args()
    ctypes.CDLL(None).prctl(_ADOPTS_CHILDREN, 1, 0, 0, 0)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "many").mkdir()
        whole = documents(asked.topics)
        (folder / "big.yaml").write_text("---\n".join(whole))
        for at, text in enumerate(documents(asked.files - 1)):
            (folder / "many" / f"{at}.yaml").write_text(text)
        for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "x"]):
            git = ["git", "-c", "user.email=a@example.com", "-c", "user.name=a", "-c", "commit.gpgsign=false", *words]
            subprocess.run(git, cwd=folder, check=True, capture_output=True)
        (folder / "big.yaml").write_text("---\n".join(whole[:-1]))
        unit = min(loaded((folder / "big.yaml").read_text()) for _ in range(3))
        empty = min(used(folder, "--manifests", "many/0.yaml") for _ in range(2))  # the first compiles modules
        print(f"libyaml alone: {unit:.2f} s; a run over one resource: {empty:.2f} s")
        for called, words in (
            (f"{asked.topics} topics in one file", ["--manifests", "big.yaml"]),
            ("the same, one topic fewer than --base", ["--manifests", "big.yaml", "--base", "HEAD"]),
            (f"{asked.files} files", ["--manifests", "many"]),
        ):
            took = used(folder, *words, "--deadline", "2m")
            beyond = (took - empty) / unit
            print(f"{called}: {took:.2f} s, {took / unit:.1f} times libyaml; beyond the empty run {beyond:.1f}")


if __name__ == "__main__":
    main()
