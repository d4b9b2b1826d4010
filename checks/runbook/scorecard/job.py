"""The scorecard job: a results store in, weekly scores out."""

import datetime as dt
import importlib.util
from collections.abc import Callable
from pathlib import Path

import msgspec

from runbook.model.errors import UsageError
from runbook.plugins.extras import install
from runbook.run.sources.runbooks import old_names_in_force
from runbook.scorecard import unchanged
from runbook.scorecard.request import Order, RollUpSummary, summary_of

WEEKS = 53
"""A year and the week to compare it with."""


def roll_up(  # noqa: PLR0913 - as scripts call it; inside, it is an Order
    store: str,
    out: Path,
    *,
    master: str = "local[2]",
    progress: Callable[[str], None] = lambda _: None,
    weeks: int = WEEKS,
    as_of: str | None = None,
    java_home: Path | None = None,
    weeks_dir: str | None = None,
    cache: Path | None = None,
) -> RollUpSummary:
    """Turn the evidence of a store into a scorecard.

    The same store and the same `as_of` give the same bytes. Only files that were not compacted yet are read. Where the
    tables in `out` are those that would be made again, Spark is not even started: see `runbook.scorecard.unchanged`.

    Args:
        store: a folder, or the address of one on any file system that Hadoop knows (`s3a://…`, `hdfs://…`).
        out: the folder for the files.
        master: where Spark computes: `local[2]`, or a cluster's address.
        progress: is told in a few words what is being done.
        weeks: how many weeks the card goes back, with the last one.
        as_of: RFC 3339 UTC; later runs are left out. None: the start of the newest run in the store.
        java_home: the Java to start Spark with; None leaves the choice to Spark.
        weeks_dir: where compacted weeks are kept; None: in `weeks` of the store, which then must be writable.
        cache: a folder that stays, in which some 160 MB of Java's classes make the next start faster; None: nothing is.

    Raises:
        UsageError: no results there, no PySpark, no Java, or Spark could not do its work.
    """
    if weeks < 1:
        raise UsageError(f"a scorecard of {weeks} weeks shows nothing: give 1 or more")
    if as_of is not None:
        _check_moment(as_of)
    if importlib.util.find_spec("pyspark") is None:
        raise UsageError(f"the scorecard needs PySpark, which is not installed: {install('scorecard')}")
    if "://" not in store:
        store = str(_folder_with_results(Path(store)))
    if weeks_dir is not None and "://" not in weeks_dir:
        weeks_dir = str(Path(weeks_dir).resolve())
    order = Order(store, out, master, weeks, as_of, java_home, weeks_dir, cache, old_names_in_force())
    given = unchanged.given(order)
    if unchanged.are_made(order, given):
        progress(f"nothing changed since the tables in {out} were made")
        return summary_of(out, msgspec.json.decode((out / "scorecard.json").read_bytes()), None)
    from runbook.scorecard.pipeline import run  # noqa: PLC0415 - PySpark is loaded once it is needed

    summary, made = run(order, progress=progress)
    unchanged.note(order, given, made)
    return summary


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
