"""The summary of a week: where verdicts changed. Since when a check fails, and what is new, is read off these alone."""

from collections.abc import Callable, Sequence

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F  # noqa: N812 - as all of Spark's own examples call it
from pyspark.sql.types import StringType, StructField, StructType, TimestampType

from runbook.scorecard.method import SUBJECT, iso_week, week_number
from runbook.scorecard.rows import schema_of
from runbook.scorecard.segments import SEGMENT, SUMMARY, Weeks, name_of
from runbook.scorecard.spark import compiled, held

CHANGES = StructType(
    [StructField(name, StringType()) for name in SUBJECT]
    + [StructField("at", TimestampType()), StructField("run", StringType()), StructField("outcome", StringType())]
)
"""A row for each known verdict that differs from the last known one before it in this week, or is the first."""

_ORDER = {"changes": (*SUBJECT, "at", "run")}
_KNOWN = ("pass", "fail", "not_applicable")
_PARTITIONS = 8  # of what the verdicts of a year are grouped in: each has a file open, and some megabytes of keys
_SENT = 500_000
"""Keys of so many subjects that do change are sent to where the verdicts are: some 50 MB. Our judgement."""


def summarise(weeks: Weeks, wanted: list[str], progress: Callable[[str], None]) -> int:
    """Make the summaries that are missing, or made of fewer segments than there are now; say how many."""
    names = {week: name_of(SUMMARY, weeks.names(week, SEGMENT)) for week in wanted}
    stale = {week: name for week, name in names.items() if name not in weeks.names(week, SUMMARY)}
    if stale:
        progress(f"summarising {len(stale)} of {len(wanted)} weeks")
        with compiled(weeks.spark, _PARTITIONS):
            weeks.write({"changes": _within_weeks(weeks, list(stale))}, _ORDER, stale)
    for week, name in stale.items():
        for other in weeks.names(week, SUMMARY):
            if other != name:
                weeks.delete(week, other)
    return len(stale)


def until(weeks: Weeks, week: str, as_of: Column) -> DataFrame:
    """Summarise a week as if nothing had come after a moment in it; this is not kept."""
    with compiled(weeks.spark, _PARTITIONS):
        return _within_weeks(weeks, [week], F.col("started") <= as_of).select(CHANGES.names).localCheckpoint()


def kept(weeks: Weeks, wanted: list[str]) -> DataFrame:
    """Read the summaries of these weeks."""
    return weeks.read("changes", CHANGES, SUMMARY, wanted)


def between_weeks(changes: DataFrame, runs: DataFrame) -> DataFrame:
    """Leave out the first verdict of a week where it is what the weeks before ended with."""
    with compiled(changes.sparkSession):
        return held(_turns(changes, _instants(runs), SUBJECT))


def _within_weeks(weeks: Weeks, wanted: list[str], condition: Column | None = None) -> DataFrame:
    runs = weeks.read("runs", schema_of("runs"), SEGMENT, wanted)
    results = weeks.read("results", schema_of("results"), SEGMENT, wanted)
    if condition is not None:
        runs, results = runs.where(condition), results.where(condition)
    known = results.where("scored AND outcome <> 'unknown'").select(
        week_number("started").alias("week_number"), *SUBJECT, F.col("started").alias("at"), "run", "outcome"
    )
    turns = _turns(known, _instants(runs), ("week_number", *SUBJECT))
    return turns.withColumn("week", iso_week("at")).drop("week_number")


def _instants(runs: DataFrame) -> DataFrame:
    """Which scored run of an environment began at a moment; none where two did."""
    at_once = runs.where("scored").groupBy("environment", F.col("started").alias("at"))
    return at_once.agg(F.min("run").alias("run"), F.count("*").alias("together")).where("together = 1").drop("together")


def _turns(known: DataFrame, instants: DataFrame, keys: Sequence[str]) -> DataFrame:
    """The verdicts that differ from the last before them of the same keys, or are the first.

    Most never change: of those the first is wanted alone. It is found by least and greatest numbers, for which Spark
    hashes; for anything else it sorts, which for ten million verdicts takes longer than all the rest.
    """
    number = F.array_position(F.array(*map(F.lit, _KNOWN)), F.col("outcome")).cast("int")
    numbered = known.groupBy(*keys).agg(
        F.min("at").alias("at"), F.min(number).alias("least"), F.max(number).alias("greatest")
    )
    found = numbered.join(F.broadcast(instants), ["environment", "at"], "left").localCheckpoint()
    steady = "least = greatest AND run IS NOT NULL"
    only = F.element_at(F.array(*map(F.lit, _KNOWN)), F.col("least")).alias("outcome")
    first = found.where(steady).select(*keys, "at", "run", only)
    moving = found.where(f"NOT ({steady})").select(*keys)
    ordered = known.join(F.broadcast(moving) if moving.count() <= _SENT else moving, list(keys), "left_semi")
    before = F.lag("outcome").over(Window.partitionBy(*keys).orderBy("at", "run"))
    changed = ordered.withColumn("before", before).where("before IS NULL OR before <> outcome").drop("before")
    return first.unionByName(changed)
