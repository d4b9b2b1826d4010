"""The summary of a week: where verdicts changed. Since when a check fails, and what is new, is read off these alone."""

import datetime as dt
from collections.abc import Callable, Iterator

import pyarrow as pa
from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F  # noqa: N812 - as all of Spark's own examples call it
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import BinaryType

from runbook.judge.summary import counted
from runbook.scorecard import verdict_changes
from runbook.scorecard.method import SUBJECT
from runbook.scorecard.segments import SEGMENT, SUMMARY, Weeks, name_of
from runbook.scorecard.spark import by_python, held, over_files

CHANGES = from_arrow_schema(pa.schema(list(verdict_changes.COLUMNS.items())))
"""Of the table `changes`: a row for each known verdict that differs from the last one before it in its week."""

_KNOWN = ("pass", "fail", "not_applicable")
_PARTITIONS = 8  # in which the weeks of a year are read
_SENT = 500_000
"""Keys of so many subjects that do change are sent to where the verdicts are: some 50 MB. Our judgement."""


def summarise(weeks: Weeks, wanted: list[str], progress: Callable[[str], None]) -> int:
    """Make the summaries that are missing, or made of fewer segments than there are now; say how many."""
    names = {week: name_of(SUMMARY, weeks.names(week, SEGMENT)) for week in wanted}
    stale = {week: name for week, name in names.items() if name not in weeks.names(week, SUMMARY)}
    if stale:
        progress(f"summarising {len(stale)} of {counted(len(wanted), 'week')}")
        with_results = set()
        for week, summary in _summarised(weeks, list(stale)):
            weeks.write(week, stale[week], {"changes": summary})
            with_results.add(week)
        for week in stale.keys() - with_results:
            weeks.write(week, stale[week], {})
    for week, name in stale.items():
        for other in weeks.names(week, SUMMARY):
            if other != name:
                weeks.delete(week, other)
    return len(stale)


def until(weeks: Weeks, week: str, as_of: dt.datetime) -> DataFrame:
    """Summarise a week as if nothing had come after a moment in it; this is not kept."""
    rows = weeks.contents("results", SEGMENT, [week]).collect()
    files = [bytes(file) for row in rows for file in row.files]
    return weeks.spark.createDataFrame(verdict_changes.changes(files, as_of))


def kept(weeks: Weeks, wanted: list[str]) -> DataFrame:
    """Read the summaries of these weeks."""
    return weeks.read("changes", CHANGES, SUMMARY, wanted)


def between_weeks(changes: DataFrame, runs: DataFrame) -> DataFrame:
    """Leave out the first verdict of a week where it is what the weeks before ended with."""
    return held(_between(changes, _instants(runs)))


def _summarised(weeks: Weeks, wanted: list[str]) -> Iterator[tuple[str, bytes]]:
    """The summary of each of these weeks, as Parquet."""
    with over_files(weeks.spark, min(len(wanted), _PARTITIONS)):
        contents = weeks.contents("results", SEGMENT, wanted)
        made = contents.select("week", by_python(verdict_changes.summaries, BinaryType())("files").alias("summary"))
        for row in made.toLocalIterator(prefetchPartitions=True):
            yield row.week, bytes(row.summary)


def _instants(runs: DataFrame) -> DataFrame:
    """Which scored run of an environment began at a moment; none where two did."""
    at_once = runs.where("scored").groupBy("environment", F.col("started").alias("at"))
    return at_once.agg(F.min("run").alias("run"), F.count("*").alias("together")).where("together = 1").drop("together")


def _between(known: DataFrame, instants: DataFrame) -> DataFrame:
    """The verdicts that differ from the last before them of the same subject, or are the first.

    Most never change: of those the first is wanted alone. It is found by least and greatest numbers, for which Spark
    hashes; for anything else it sorts, which for ten million verdicts takes longer than all the rest.
    """
    number = F.array_position(F.array(*map(F.lit, _KNOWN)), F.col("outcome")).cast("int")
    numbered = known.groupBy(*SUBJECT).agg(
        F.min("at").alias("at"), F.min(number).alias("least"), F.max(number).alias("greatest")
    )
    found = numbered.join(F.broadcast(instants), ["environment", "at"], "left").localCheckpoint()
    steady = "least = greatest AND run IS NOT NULL"
    only = F.element_at(F.array(*map(F.lit, _KNOWN)), F.col("least")).alias("outcome")
    first = found.where(steady).select(*SUBJECT, "at", "run", only)
    moving = found.where(f"NOT ({steady})").select(*SUBJECT)
    ordered = known.join(F.broadcast(moving) if moving.count() <= _SENT else moving, list(SUBJECT), "left_semi")
    before = F.lag("outcome").over(Window.partitionBy(*SUBJECT).orderBy("at", "run"))
    changed = ordered.withColumn("before", before).where("before IS NULL OR before <> outcome").drop("before")
    return first.unionByName(changed)
