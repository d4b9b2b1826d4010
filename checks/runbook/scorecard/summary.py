"""The summary of a week: what its deciding runs said, and where verdicts changed. The card is made of these alone."""

from collections.abc import Callable, Iterator, Sequence

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F  # noqa: N812 - as all of Spark's own examples call it
from pyspark.sql.types import BooleanType, StringType, StructField, StructType, TimestampType

from runbook.engine.block import SEVERITIES
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

_SENT = 300_000
"""Definitions that are few enough for every worker to have all of them: some ten megabytes. Our judgement."""

_KNOWN = ("pass", "fail", "not_applicable")
"""Outcomes that say something."""

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
    return {"states": _states(runs, results).select(week, "*"), "changes": _changes(results, runs)}


def _states(runs: DataFrame, results: DataFrame) -> DataFrame:
    newest = F.max(F.struct("started", "run", "started_at", "file")).alias("newest")
    deciding = (
        runs.withColumn("runbook", F.explode("runbooks"))
        .groupBy("environment", "runbook", "scored", monday("started").alias("monday"))
        .agg(newest)
        .select("environment", "runbook", "scored", "newest.*")
        .localCheckpoint()
    )
    once = deciding.select("environment", "run").distinct()
    own = F.sha2("definitions", 256).alias("text")
    chosen = runs.join(F.broadcast(once), ["environment", "run"])
    chosen = chosen.select("environment", "run", "definitions", "waivers", own).localCheckpoint()
    defined = _defined(chosen)
    asked = F.broadcast(deciding.join(F.broadcast(chosen.drop("definitions")), ["environment", "run"]))
    expected = asked.join(defined, ["text", "runbook"])
    verdicts = results.where("NOT older AND scored").select("environment", "run", "check", *_OWN)
    of_text = verdicts.join(F.broadcast(chosen.select("environment", "run", "text")), ["environment", "run"])
    of_check = of_text.join(defined, ["text", "check"])
    found = of_check.join(asked.where("scored").drop("text"), ["environment", "run", "runbook"])
    keys = ["environment", "run", "check"]
    missing = expected.join(verdicts.select(keys), keys, "left_anti")
    states = found.unionByName(missing, allowMissingColumns=True)
    return states.withColumn("waivers", F.when(F.col("first"), F.col("waivers"))).select(STATES.names)


def _defined(chosen: DataFrame) -> DataFrame:
    """The definitions of runs, each text of them read once: many runs have the same."""
    texts = chosen.select("text", "definitions").dropDuplicates(["text"])
    each = F.explode(F.from_json("definitions", f"array<{DEFINITION}>")).alias("one")
    first = F.row_number().over(Window.partitionBy("text", "runbook").orderBy("check")) == 1
    defined = texts.select("text", each).select("text", "one.*").withColumn("first", first).localCheckpoint()
    return F.broadcast(defined) if defined.count() <= _SENT else defined


def _changes(results: DataFrame, runs: DataFrame) -> DataFrame:
    """Find where verdicts change. Most never do within a week: those need no sorting, only their first run.

    What is aggregated is numbers alone, as Spark would sort for anything else.
    """
    known = results.where("scored AND outcome <> 'unknown'").withColumn("monday", monday("started"))
    odd = F.col("runbook") != F.split("check", "/")[0]
    of_subject = known.groupBy(*SUBJECT, "monday").agg(
        F.min("started").alias("at"),
        *[make(number).alias(name) for name, number, make in _extremes()],
        F.bool_or(odd).alias("odd"),
    )
    first = runs.where("scored").groupBy("environment", F.col("started").alias("at"))
    at_once = first.agg(F.min("run").alias("run"), F.count("*").alias("together"))
    found = of_subject.join(F.broadcast(at_once), ["environment", "at"], "left").localCheckpoint()
    steady = "outcome_from = outcome_to AND severity_from = severity_to AND NOT odd AND together = 1"
    firsts = found.where(steady).select(
        iso_week("at").alias("week"),
        *SUBJECT,
        F.split("check", "/")[0].alias("runbook"),
        F.element_at(_names(SEVERITIES), F.col("severity_from")).alias("severity"),
        "at",
        "run",
        F.element_at(_names(_KNOWN), F.col("outcome_from")).alias("outcome"),
    )
    moving = found.where(f"NOT ({steady})").select(*SUBJECT, "monday")
    return firsts.unionByName(_ordered(known.join(moving, [*SUBJECT, "monday"], "left_semi")))


def _extremes() -> Iterator[tuple[str, Column, Callable[[Column], Column]]]:
    """The least and the greatest of what should be the same in all verdicts of a subject in a week."""
    for column, names in (("outcome", _KNOWN), ("severity", SEVERITIES)):
        number = F.array_position(_names(names), F.col(column))
        yield f"{column}_from", number, F.min
        yield f"{column}_to", number, F.max


def _names(names: Sequence[str]) -> Column:
    return F.array(*map(F.lit, names))


def _ordered(known: DataFrame) -> DataFrame:
    """The changes of verdicts that do change, or that two runs gave at once."""
    before = F.lag("outcome").over(Window.partitionBy(*SUBJECT, "monday").orderBy("at", "run"))
    in_order = known.withColumn("at", F.col("started")).withColumn("before", before)
    changed = in_order.where("before IS NULL OR before <> outcome")
    return changed.select(iso_week("at").alias("week"), *CHANGES.names)
