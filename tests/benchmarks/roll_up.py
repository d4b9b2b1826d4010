"""The scorecard job on millions of results: time, memory, files read; DuckDB beside it.

Run: .venv/bin/python tests/benchmarks/roll_up.py [--sizes 1,10,30] [--lines 200] [--folder FOLDER]
Sizes are millions of results from Parquet; lines are thousands of results read from JSON lines, 0 for none. All of it
is generated, in a temporary folder that is removed. Goals: 10 million
in at most 30 s on local[2]; nothing new in at most twice what bare Spark takes.
"""

import argparse
import datetime as dt
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import duckdb
import psutil
from msgspec import Struct, structs
from segments import CHECKS, ENVIRONMENTS, LAST_MONDAY, Size, checks, environment, write_segments

from kafka_lab.history import HistorySize, write_history
from runbook.evidence.store import write_run
from runbook.model.result import JudgedRow, Outcome, Result
from runbook.model.run import Expected, Head, Run
from runbook.scorecard.unchanged import NOTE

GOAL = 30.0  # seconds for 10 million results
MB = 1024**2
BYTES_A_MILLION = 40 * MB  # of disk, with all that is made on the way

SCORES = """
WITH verdicts AS (
  SELECT r.*, CASE severity WHEN 'info' THEN 1 WHEN 'low' THEN 2 WHEN 'medium' THEN 4 WHEN 'high' THEN 8 ELSE 16 END
    AS weight, strftime(started, '%G-W%V') AS week
  FROM read_parquet('{store}/weeks/*/v2-*/results.parquet', hive_partitioning = false) r WHERE {chosen}
), groups AS (
  SELECT week, environment, unnest([
    {{'runbook': '*', 'severity': '*'}}, {{'runbook': runbook, 'severity': '*'}},
    {{'runbook': runbook, 'severity': severity}}]) AS g, outcome, waived, weight FROM verdicts
)
SELECT week, environment, g.runbook AS runbook, g.severity AS severity,
  floor(sum(weight) FILTER (outcome = 'pass' OR (outcome = 'fail' AND waived)) * 1000
        / nullif(sum(weight) FILTER (outcome <> 'not_applicable'), 0)) / 10 AS score
FROM groups GROUP BY ALL
HAVING count(*) FILTER (outcome IN ('pass', 'fail')) * 100 >= count(*) FILTER (outcome <> 'not_applicable') * 90
"""
CHOSEN = """scored AND (environment, runbook, run) IN (
    SELECT (environment, runbook, max_by(run, (started, run)))
    FROM read_parquet('{store}/weeks/*/v2-*/results.parquet', hive_partitioning = false) WHERE scored
    GROUP BY environment, runbook, strftime(started, '%G-W%V'))"""


BARE = """
import sys
from pathlib import Path
from pyspark.sql import SparkSession
spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
weeks = Path(sys.argv[1], "weeks")
for pattern in ("v2-*/runs", "v2-*/sources", "v2-*/aside", "summary-*/changes", "v2-*/results"):
    files = sorted(map(str, weeks.glob(f"*/{pattern}.parquet")))[-2 if "results" in pattern else 0 :]
    if files:  # of what there is none, there is no file
        spark.read.parquet(*files).write.format("noop").mode("overwrite").save()
spark.stop()
"""


class Measured(Struct, frozen=True):
    """What a command took.

    Attributes:
        seconds: on the clock, which other work on the machine lengthens.
        cpu: seconds of processors, of it and all it started.
        peak_mb: the most memory of all these together.
    """

    seconds: float
    cpu: float
    peak_mb: float

    def __str__(self) -> str:
        return f"{self.seconds:6.1f} s   {self.cpu:6.1f} s CPU   peak {self.peak_mb:5.0f} MB"


def measured(command: list[str]) -> Measured:
    """Run a command that must end well."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    peak = 0.0
    used: dict[int, float] = {}
    done = threading.Event()

    def watch() -> None:
        nonlocal peak
        while not done.wait(0.2):
            peak = max(peak, _look(process.pid, used))

    watcher = threading.Thread(target=watch)
    watcher.start()
    said, _ = process.communicate()
    done.set()
    watcher.join()
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}:\n{said[-4000:]}")
    return Measured(time.monotonic() - start, sum(used.values()), peak / MB)


def _look(pid: int, used: dict[int, float]) -> float:
    """Give the memory of a process and all below it; note the processor time of each, as it may be gone next time."""
    total = 0.0
    try:
        for process in [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]:
            total += process.memory_info().rss
            used[process.pid] = sum(process.cpu_times()[:2])
    except psutil.NoSuchProcess:
        pass
    return total


def roll_up(store: Path, out: Path, *, anew: bool = False) -> Measured:
    """Roll a store up as a user would; `anew` also where the tables stand."""
    if anew:
        (out / NOTE).unlink(missing_ok=True)
    return measured([sys.executable, "-m", "runbook", "scorecard", str(store), "--out", str(out)])


def bare(store: Path) -> Measured:
    """Start Spark as it comes, read the tables that a roll-up of nothing new reads, and stop it."""
    return measured([sys.executable, "-c", BARE, str(store)])


def beside(measured: Measured, plain: Measured) -> str:
    """Say what something took as a multiple of bare Spark."""
    return f"{measured.seconds / plain.seconds:.2f} x the wall, {measured.cpu / plain.cpu:.2f} x the CPU of bare Spark"


def forget_reading(store: Path) -> None:
    """Set back when files were read last, so that it can be told which ones are read next."""
    for file in store.rglob("*.*"):
        if file.is_file():
            os.utime(file, ns=(0, file.stat().st_mtime_ns))


def read_since(store: Path) -> str:
    """Say which files were read since; new ones count."""
    read = [file for file in store.rglob("*.*") if file.is_file() and file.stat().st_atime_ns]
    parquet = [file for file in read if file.suffix == ".parquet"]
    lines = [file for file in read if file.suffix == ".jsonl"]
    kept = sum(file.stat().st_size for file in parquet) / MB
    return f"{len(parquet)} Parquet files ({kept:.0f} MB), {len(lines)} files of JSON lines"


def new_week(store: Path, runs_a_week: int) -> int:
    """Write the evidence of one more week as the engine does; give the number of results."""
    each = runs_a_week // ENVIRONMENTS
    passing = [_result(check, book, severity) for check, book, severity in checks()]
    expected = [Expected(state.check, state.severity, state.check_digest, state.runbook, "1.0.0") for state in passing]
    monday = dt.datetime.combine(LAST_MONDAY + dt.timedelta(weeks=1), dt.time(1), dt.UTC)
    for number in range(ENVIRONMENTS):
        name = environment(number)
        mine = [structs.replace(result, environment=name, subject=name) for result in passing]
        for at in (monday + dt.timedelta(seconds=number, hours=144 / each * run) for run in range(each)):
            started = f"{at:%Y-%m-%dT%H:%M:%S}.000Z"
            run = Run(f"{at:%Y%m%dT%H%M%SZ}-{number:012x}", "0", "scheduled", True, started, 10_000)  # noqa: FBT003
            run.heads, run.results, run.expected, run.generated = [Head(name)], mine, expected, True
            write_run(store, run)
    return ENVIRONMENTS * each * len(passing)


def _result(check: str, book: str, severity: str) -> Result:
    fails = hash(check) % 16 == 0
    return Result(
        check=check,
        environment="",
        outcome=Outcome.FAIL if fails else Outcome.PASS,
        reason="1 of 40 is not" if fails else "true of 40",
        rows=[JudgedRow({"topic": "orders", "partition": 3}, "m")] if fails else [],
        title=f"It is as it should be: {check}",
        severity=severity,  # type: ignore[arg-type] # they are severities
        objectives=[],
        subject="",
        subject_kind="environment",
        judged=40,
        failed=int(fails),
        undecided=0,
        gaps=[],
        common=[],
        waiver=None,
        ranking=[],
        params={},
        overridden=[],
        proof="observed",
        remedy="",
        evidence=[],
        runbook=book,
        runbook_version="1.0.0",
        runbook_digest="e" * 64,
        check_digest="d" * 64,
    )


def by_duckdb(store: Path, out: Path) -> None:
    """Compute the same scores with DuckDB, and say whether they are equal."""
    with duckdb.connect() as connection:
        connection.execute("SET threads = 2; SET timezone = 'UTC'")
        start = time.monotonic()
        connection.execute(f"CREATE TABLE theirs AS {SCORES.format(store=store, chosen=CHOSEN.format(store=store))}")
        took = time.monotonic() - start
        differing = connection.execute(
            "SELECT count(*) FROM (SELECT week, environment, runbook, severity, score FROM "
            f"read_parquet('{out}/scores.parquet') WHERE score IS NOT NULL) ours FULL JOIN theirs "
            "USING (week, environment, runbook, severity) WHERE ours.score IS DISTINCT FROM theirs.score"
        ).fetchone()
        count = connection.execute("SELECT count(*) FROM theirs").fetchone()
    assert differing
    assert count
    print(f"  DuckDB, scores alone {took:5.1f} s   {count[0]} scores, {differing[0]} differ from ours", flush=True)


def from_lines(folder: Path, thousands: int) -> None:
    """Measure reading JSON lines: everything new, then nothing new."""
    store, out = folder / "lines", folder / "lines-out"
    history = HistorySize(dt.date(2026, 11, 21), checks=max(1, round(thousands * 200 / 381)))
    start = time.monotonic()
    written = write_history(store, history, lambda _: None)
    took = time.monotonic() - start
    size = sum(file.stat().st_size for file in store.rglob("*.jsonl")) / MB
    print(
        f"{written.results} results as JSON lines, {size:.0f} MB; generated at {written.results / took:,.0f} a second"
    )
    first, plain, second, stood = roll_up(store, out), bare(store), roll_up(store, out, anew=True), roll_up(store, out)
    rate = written.results / max(first.seconds - second.seconds, 0.1)
    print(f"  bare Spark   {plain}")
    print(f"  all new      {first}   {beside(first, plain)}")
    print(f"  made anew    {second}   {beside(second, plain)}; reading: {rate:,.0f} results a second")
    print(f"  nothing new  {stood}   {beside(stood, plain)}", flush=True)


def from_parquet(folder: Path, millions: float) -> Measured:
    """Measure a year from segments, the second run, and one new week; give what the first took."""
    store, out = folder / f"store-{millions:g}", folder / f"out-{millions:g}"
    size = Size(int(millions * 1_000_000))
    start = time.monotonic()
    results = write_segments(store, size)
    kept = sum(file.stat().st_size for file in store.rglob("*.parquet")) / MB
    took = time.monotonic() - start
    print(
        f"{results / 1e6:.1f} M results, {size.runs_a_week} runs a week, {CHECKS} checks, {kept:.0f} MB of Parquet",
        end="",
    )
    print(f" (made in {took:.0f} s)", flush=True)
    forget_reading(store)
    first = roll_up(store, out)
    rate = results / first.seconds
    print(f"  a year       {first}   {rate:,.0f} results a second")
    print(f"               read: {read_since(store)}", flush=True)
    by_duckdb(store, out)
    forget_reading(store)
    second = roll_up(store, out, anew=True)
    read, plain, stood = read_since(store), bare(store), roll_up(store, out)
    print(f"  bare Spark   {plain}")
    print(f"  made anew    {second}   {beside(second, plain)}")
    print(f"               read: {read}")
    print(f"  nothing new  {stood}   {beside(stood, plain)}", flush=True)
    added = new_week(store, min(size.runs_a_week, 500))
    forget_reading(store)
    third = roll_up(store, out)
    print(f"  one new week {third}   {beside(third, plain)}; {added} new results as JSON lines")
    print(f"               read: {read_since(store)}", flush=True)
    shutil.rmtree(store)
    return first


def main() -> None:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="1,10,30")
    parser.add_argument("--lines", type=int, default=200)
    parser.add_argument("--folder", type=Path, help="where the temporary folder goes")
    asked = parser.parse_args()
    sizes = [float(size) for size in asked.sizes.split(",") if size]
    with tempfile.TemporaryDirectory(prefix="benchmark-roll-up-", dir=asked.folder) as passing:
        folder = Path(passing)
        needed = 2 * 1024 * MB + max(sizes, default=0) * BYTES_A_MILLION
        if shutil.disk_usage(folder).free < needed:
            raise SystemExit(f"{folder}: {needed / MB:.0f} MB of free space are needed")
        if asked.lines:
            from_lines(folder, asked.lines)
        took = {size: from_parquet(folder, size) for size in sizes}
    least = min(took, default=0)
    for size, measured in took.items():
        times = (
            f"{measured.seconds / took[least].seconds:.2f} × the time, {measured.cpu / took[least].cpu:.2f} × the CPU"
        )
        print(f"{size:g} M: {measured}   {times} of {least:g} M for {size / least:g} × as much")
        if size == 10:
            print(f"goal: {GOAL:.0f} s for 10 M: {'met' if measured.seconds <= GOAL else 'MISSED'}")
    print(f"load of the machine at the end: {psutil.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
