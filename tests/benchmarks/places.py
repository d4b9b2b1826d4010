"""The scorecard job where it may run and read: on this machine, on a cluster of two workers, from HDFS.

Run: .venv/bin/python tests/benchmarks/places.py [--thousands 100]
Each reads the same results as JSON lines, all of them new, by the command line; all systems are real, on this machine's
loopback interface, and share its cores. The tables of all three must be the same, byte for byte.
"""

import argparse
import datetime as dt
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from kafka_lab.hdfs import hdfs
from kafka_lab.history import HistorySize, write_history
from runbook.evidence.import_runs import import_runs
from runbook.folders import cache_folder
from runbook.stores import open_store
from support.spark_cluster import cluster_environment, spark_cluster


def roll_up(store: str, out: Path, *more: str) -> float:
    """Roll a store up into an empty folder as a user would; seconds on the clock."""
    command = [sys.executable, "-m", "runbook", "scorecard", store, "--out", str(out), *more]
    command += ["--weeks", str(out.with_name(f"{out.name}-weeks"))]
    start = time.monotonic()
    done = subprocess.run(command, env=cluster_environment(), capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr[-4000:]}")
    return time.monotonic() - start


def tables(out: Path) -> dict[str, bytes]:
    """What was made, by name."""
    return {file.name: file.read_bytes() for file in out.glob("[!.]*")}


def main() -> None:
    """Measure all three, and print ratios to this machine alone."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--thousands", type=int, default=100)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="benchmark-places-") as passing:
        folder = Path(passing)
        store = folder / "store"
        size = HistorySize(dt.date(2026, 11, 21), checks=max(1, round(asked.thousands * 200 / 381)))
        written = write_history(store, size, lambda _: None)
        here = roll_up(str(store), folder / "here")
        print(f"{written.results} results as JSON lines, {os.cpu_count()} cores")
        print(f"  local[2]                {here:6.1f} s", flush=True)
        (folder / "cluster").mkdir()
        with spark_cluster(folder / "cluster") as master:
            there = roll_up(str(store), folder / "there", "--master", master)
        print(f"  cluster of two workers  {there:6.1f} s   {there / here:.2f} x", flush=True)
        with hdfs(folder / "hdfs", cache_folder()) as remote:
            start = time.monotonic()
            import_runs(open_store(str(store)), open_store(f"{remote.webhdfs}/results"))
            landed = time.monotonic() - start
            far = roll_up(f"{remote.hdfs}/results", folder / "far")
        print(f"  local[2] from HDFS      {far:6.1f} s   {far / here:.2f} x; brought there over HTTP in {landed:.1f} s")
        same = tables(folder / "here") == tables(folder / "there") == tables(folder / "far")
    print(f"  tables: {'the same in all three, byte for byte' if same else 'NOT THE SAME'}")


if __name__ == "__main__":
    main()
