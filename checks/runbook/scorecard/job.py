"""The scorecard job: a results store in, weekly scores out."""

import datetime as dt
import importlib.util
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from runbook.engine.errors import UsageError

WEEKS = 53
"""A year and the week to compare it with."""

_SMALL = 64 * 2**20  # bytes of evidence; beyond, generated code earns back what compiling it costs


class Summary(Struct, frozen=True):
    """What came of a roll-up.

    Attributes:
        out: the folder with the files.
        week: the last week of the card, as in 2026-W47.
        as_of: RFC 3339 UTC, the moment the card is of.
        environments: how many environments are on it.
        silent: those of them without a scored run in the last week.
        failing: how many checks fail in the last week, waived ones left out.
        counts: what was read, used and set aside; see docs/reference/scorecard-files.md.
        work: what this job had to do: `new_files` read, `segments` written, `summaries` of weeks made. Not in the
            scorecard, which is the same whether or not something had to be read for it.
    """

    out: Path
    week: str
    as_of: str
    environments: int
    silent: list[str]
    failing: int
    counts: dict[str, int]
    work: dict[str, int]


class Order(Struct, frozen=True):
    """What is to be rolled up; see roll_up."""

    store: str
    out: Path
    master: str
    weeks: int
    as_of: str | None
    java_home: Path | None
    weeks_dir: str | None


def roll_up(
    store: str,
    out: Path,
    *,
    master: str = "local[2]",
    progress: Callable[[str], None] = lambda _: None,
    weeks: int = WEEKS,
    as_of: str | None = None,
    java_home: Path | None = None,
    weeks_dir: str | None = None,
) -> Summary:
    """Turn the evidence of a store into a scorecard.

    The same store and the same `as_of` give the same bytes. Only files that were not compacted yet are read.

    Args:
        store: a folder, or the address of one on any file system that Hadoop knows (`s3a://…`, `hdfs://…`).
        out: the folder for the files; with a cluster as `master`, one that its executors share.
        master: where Spark computes: `local[2]`, or a cluster's address.
        progress: is told in a few words what is being done.
        weeks: how many weeks the card goes back, with the last one.
        as_of: RFC 3339 UTC; later runs are left out. None: the start of the newest run in the store.
        java_home: the Java to start Spark with; None leaves the choice to Spark.
        weeks_dir: where compacted weeks are kept; None: in `weeks` of the store, which then must be writable.

    Raises:
        UsageError: no results there, no PySpark, no Java, or Spark could not do its work.
    """
    if weeks < 1:
        raise UsageError(f"a scorecard of {weeks} weeks shows nothing: give 1 or more")
    if as_of is not None:
        _check_moment(as_of)
    if importlib.util.find_spec("pyspark") is None:
        raise UsageError("the scorecard needs PySpark, which is not installed: pip install 'kafka-runbook[scorecard]'")
    light = False
    if "://" not in store:
        folder = _folder_with_results(Path(store))
        store, light = str(folder), _is_small(folder)
    from runbook.scorecard.pipeline import run  # noqa: PLC0415 - PySpark is loaded once it is known to be there

    if weeks_dir is not None and "://" not in weeks_dir:
        weeks_dir = str(Path(weeks_dir).resolve())
    order = Order(store, out, master, weeks, as_of, java_home, weeks_dir)
    return run(order, progress=progress, light=light)


def _check_moment(as_of: str) -> None:
    try:
        zone = dt.datetime.fromisoformat(as_of).tzinfo
    except ValueError:
        zone = None
    if zone is None:
        raise UsageError(f"{as_of} is no moment with a time zone: write it as 2026-11-21T09:00:00Z")


def _folder_with_results(store: Path) -> Path:
    if next(store.glob("runs/*/*/*.jsonl"), None) is None:
        what = "holds no results" if store.is_dir() else "is no folder"
        raise UsageError(
            f"{store} {what}: there is nothing to score. Keep some first: "
            f"runbook check RUNBOOK --trigger scheduled --results {store}"
        )
    return store.resolve()


def _is_small(store: Path) -> bool:
    size = 0
    for file in store.glob("runs/*/*/*.jsonl"):
        size += file.stat().st_size
        if size > _SMALL:
            return False
    return True
