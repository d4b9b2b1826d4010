"""Explaining: what the causes of ha.md add to judging it, on a cluster that has lost one broker, as partitions grow.

The facts are those that were kept of a real lab without a broker, with its partitions repeated under other names. At
the end stands the answer to the largest, as a terminal shows it: it must be no longer than that to the lab itself.

Run: .venv/bin/python tests/benchmarks/explaining.py
"""

import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from runbook.evidence.bundle import Bundle, Kept, save_bundle
from runbook.model.fact import Fact
from runbook.reports import ReportOptions
from runbook.reports.console import report
from runbook.run.check_run import CheckRun, Options, start

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.evidence import record

SIZES = (1_000, 10_000, 100_000)  # partitions
BY_PARTITION = ("kafka_partition", "kafka_replica")
PARTITIONS = 24  # of the lab


def repeated(fact: Fact, times: int) -> Fact:
    """A fact of partitions, as often as is said, each time under other topics."""
    columns: dict[str, list[Any]] = {name: cells * times for name, cells in fact.columns.items()}
    rows = len(fact)
    columns["topic"] = [f"{topic}-{place // rows}" for place, topic in enumerate(columns["topic"])]
    return replace(fact, columns=columns)


def grown(bundle: Bundle, partitions: int) -> Bundle:
    """The bundle of a cluster with about so many partitions."""
    times = max(1, partitions // PARTITIONS)
    kept = [
        Kept(kept.ask, {look: repeated(fact, times) for look, fact in kept.facts.items()})
        if kept.ask.probe in BY_PARTITION
        else kept
        for kept in bundle.kept
    ]
    return replace(bundle, kept=kept)


def main() -> None:
    """Print seconds of processor for judging, explaining and reporting, and memory, for each size; then an answer."""
    bundle = record.read(record.place_of("plain", "stop-broker", "during")).bundle
    print("partitions   judging  explaining  reporting  explained     MB  lines")
    shown: list[str] = []
    for size in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "bundle.json"
            save_bundle(file, grown(bundle, size))
            started = start(Options(runbooks=["ha"], bundle=file, deadline=600))
            began = time.process_time()
            for _ in started.judged():
                pass
            judged = time.process_time()
            started.diagnose()
            explained = time.process_time()
            shown = report(started.run, ReportOptions()).splitlines()
            ended = time.process_time()
        print(
            f"{size:>10,}  {judged - began:>7.2f}s  {explained - judged:>9.2f}s  {ended - explained:>8.2f}s"
            f"  {_explained(started)}  {_megabytes():>5}  {len(shown):>5}"
        )
    print("\n" + "\n".join(shown))


def _explained(started: CheckRun) -> str:
    [said] = started.run.diagnoses
    return f"{sum(len(cause.explains) for cause in said.causes):>9}"


def _megabytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


if __name__ == "__main__":
    main()
