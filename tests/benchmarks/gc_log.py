"""How fast GC logs are read, and in how much memory: `python tests/benchmarks/gc_log.py [--mb 1000]`.

The log is a recorded one of Java 25 (G1, gc*) repeated with new times and numbers until it is large enough, in a
temporary folder as a JVM would leave it: ten files in a ring. For comparison its lines are read and nothing is done.
"""

import argparse
import datetime as dt
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from runbook.answers.gc_logs import open_log
from runbook.connections import files
from runbook.formats.gc_log import Reader, summarize
from runbook.model.probe import Deadline

RECORDED = Path(__file__).parents[1] / "formats" / "gc_log" / "recorded" / "jdk25-g1.log"
FILES = 10
_STAMP = re.compile(r"^\[[^]]+\]", re.MULTILINE)
_NUMBER = re.compile(r"GC\(([0-9]+)\)")


def write(folder: Path, size: int) -> Path:
    """Write a log of so many bytes, in files as the JVM rotates them."""
    lines = RECORDED.read_text("latin-1").splitlines(keepends=True)
    body = "".join(line for line in lines if "GC(" in line)
    begin = dt.datetime(2026, 11, 1, tzinfo=dt.UTC)
    written, number = 0, 0
    for place in range(FILES):
        last = place == FILES - 1
        with (folder / ("gc.log" if last else f"gc.log.{place}")).open("w", encoding="latin-1") as file:
            part = 0
            while part < size // FILES:
                time_now = (begin + dt.timedelta(seconds=number)).isoformat(timespec="milliseconds")
                stamped = _STAMP.sub(f"[{time_now.replace('+00:00', '+0000')}]", body)
                part += file.write(_NUMBER.sub(lambda found, by=number * 30: f"GC({int(found[1]) + by})", stamped))
                number += 1
        written += part
    return folder / "gc.log"


def measure(path: Path, way: str) -> str:
    """Read the log one way; says lines per second and the most memory that this process ever had."""
    connection = files.connect({"gc_logs": [{"broker": 1, "path": str(path)}]}, Deadline(600))
    [log] = connection.gc_logs()[0]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    parts = open_log(log, 0.0, 1 << 62).parts
    if way == "lines only":
        lines, found = sum(1 for part in parts for _ in part.lines), ""
    else:
        reader = Reader()
        summary = summarize(reader, parts)
        lines, found = (
            reader.lines,
            f", {summary.pauses} pauses, p99 {summary.p99_ms} ms, {reader.foreign} foreign lines",
        )
    took = time.process_time() - start
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    size = sum(file.size for file in log.files) / 1e6
    return (
        f"{way:>10}: {lines / took:>11,.0f} lines/s, {size / took:6.0f} MB/s, {took:5.1f} s CPU, "
        f"{grown:5.1f} MiB more than before{found}"
    )


def main() -> None:
    """Measure each way in a process of its own, as memory that was given is not given back."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--mb", type=int, default=200)
    arguments.add_argument("--read", nargs=2, metavar=("PATH", "WAY"), help=argparse.SUPPRESS)
    chosen = arguments.parse_args()
    if chosen.read:
        print(measure(Path(chosen.read[0]), chosen.read[1]))
        return
    with tempfile.TemporaryDirectory() as folder:
        path = write(Path(folder), chosen.mb * 1_000_000)
        print(f"{chosen.mb} MB in {FILES} files")
        for way in ("lines only", "summary"):
            subprocess.run([sys.executable, __file__, "--read", str(path), way], check=True)


if __name__ == "__main__":
    main()
