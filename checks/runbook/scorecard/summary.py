"""The summary of a week: what its deciding runs said, and where verdicts changed. The card is made of these alone."""

from collections.abc import Callable

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F  # noqa: N812 - as all of Spark's own examples call it
from pyspark.sql.types import BooleanType, StringType, StructField, StructType, TimestampType

from runbook.scorecard.method import SUBJECT, iso_week, monday
from runbook.scorecard.rows import DEFINITION, schema_of
from runbook.scorecard.segments import SEGMENT, SUMMARY, Weeks, name_of

RESULTS = StructType([*schema_of("results").fields, StructField("older", BooleanType())])

_OWN = ("subject", "outcome", "waived", "reason", "title", "judged", "failed", "rows", "common", "waiver", "proof")

_TEXTS = ("environment", "runbook", "check", "severity", "check_digest", "runbook_version", "run")
STATES = StructType(
    [StructField(name, StringType()) for name in _TEXTS]
    + [StructField("started", TimestampType()), StructField("started_at", StringType())]
    + [StructField("file", StringType()), StructField("scored", BooleanType()), StructField("waivers", StringType())]
    + [schema_of("results")[name] for name in _OWN]
)
"""A row for each check of the newest scored run, and of the newest other run, of each environment and runbook.
`outcome` is null where the run holds no readable verdict. `waivers` stand in the first row of a run and runbook
only."""

CHANGES = StructType(
    [StructField(name, StringType()) for name in (*SUBJECT, "runbook", "severity")]
    + [StructField("at", TimestampType()), StructField("run", StringType()), StructField("outcome", StringType())]
)
"""A row for each known verdict that differs from the last known one before it in this week, or is the first."""

_TABLES = {"states": STATES, "changes": CHANGES}
_ORDER = {
    "states": ("environment", "runbook", "scored", "check", "subject"),
    "changes": ("environment", "check", "subject", "at", "run"),
}


def summarise(weeks: Weeks, wanted: list[str], progress: Callable[[str], None]) -> int:
    """Make the summaries that are missing, or made of fewer segments than there are now; say how many."""
    names = {week: name_of(SUMMARY, weeks.names(week, SEGMENT)) for week in wanted}
    stale = {week: name for week, name in names.items() if name not in weeks.names(week, SUMMARY)}
    if stale:
        progress(f"summarising {len(stale)} of {len(wanted)} weeks")
        weeks.write(_summary(weeks, list(stale)), _ORDER, stale)
    for week, name in stale.items():
        for other in weeks.names(week, SUMMARY):
            if other != name:
                weeks.delete(week, other)
    return len(stale)


def kept(weeks: Weeks, wanted: list[str]) -> dict[str, DataFrame]:
    """Read the summaries of these weeks."""
    return {name: weeks.read(name, schema, SUMMARY, wanted) for name, schema in _TABLES.items()}


def until(weeks: Weeks, week: str, as_of: Column) -> dict[str, DataFrame]:
    """Summarise a week as if nothing had come after a moment in it; this is not kept."""
    tables = _summary(weeks, [week], F.col("started") <= as_of)
    return {name: tables[name].select(schema.names) for name, schema in _TABLES.items()}


def _summary(weeks: Weeks, wanted: list[str], condition: Column | None = None) -> dict[str, DataFrame]:
    runs = weeks.read("runs", schema_of("runs"), SEGMENT, wanted)
    results = weeks.read("results", RESULTS, SEGMENT, wanted)
    if condition is not None:
        # With later runs left out, another run may decide than the newest of its segment: all are looked at.
        runs, results = runs.where(condition), results.where(condition).withColumn("older", F.lit(False))  # noqa: FBT003
    week = iso_week("started").alias("week")
    return {"states": _states(runs, results).select(week, "*"), "changes": _changes(results)}


def _states(runs: DataFrame, results: DataFrame) -> DataFrame:
    newest = F.max(F.struct("started", "run", "started_at", "file")).alias("newest")
    deciding = (
        runs.withColumn("runbook", F.explode("runbooks"))
        .groupBy("environment", "runbook", "scored", monday("started").alias("monday"))
        .agg(newest)
        .select("environment", "runbook", "scored", "newest.*")
    )
    asked = runs.select("environment", "run", "definitions", "waivers").join(
        F.broadcast(deciding), ["environment", "run"]
    )
    defined = (
        asked.select("*", F.posexplode(F.filter(_definitions(), _of_runbook)).alias("at", "one"))
        .withColumn("waivers", F.when(F.col("at") == 0, F.col("waivers")))
        .drop("definitions", "at", "runbook")
        .select("*", "one.*")
        .drop("one")
    )
    verdicts = results.where("NOT older AND scored").select("environment", "run", "check", *_OWN)
    decided = F.broadcast(deciding.where("scored").select("environment", "run").distinct())
    found = verdicts.join(decided, ["environment", "run"], "left_semi")
    return defined.join(found, ["environment", "run", "check"], "left").select(STATES.names)


def _definitions() -> Column:
    return F.from_json("definitions", f"array<{DEFINITION}>")


def _of_runbook(one: Column) -> Column:
    return one["runbook"] == F.col("runbook")


def _changes(results: DataFrame) -> DataFrame:
    known = results.where("scored AND outcome <> 'unknown'").select(
        iso_week("started").alias("week"),
        *(*SUBJECT, "runbook", "severity", F.col("started").alias("at"), "run", "outcome"),
        # Numbers sort faster than text; the names stay in the key, so that two that share a number stay apart.
        F.xxhash64(monday("started"), *SUBJECT).alias("number"),
    )
    history = Window.partitionBy("number", *SUBJECT, "week").orderBy("at", "run")
    before = F.lag("outcome").over(history)
    marked = known.withColumn("before", before).where("before IS NULL OR before <> outcome")
    return marked.select("week", *CHANGES.names)
