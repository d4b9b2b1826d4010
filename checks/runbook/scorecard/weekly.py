"""From the summaries of weeks to one state for each week, environment, check and subject.

Pure functions over tables. The rules, in words, are in docs/explanation/scorecard-method.md.
"""

from typing import NamedTuple

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F  # noqa: N812 - as all of Spark's own examples call it

from runbook.scorecard.due import Plan
from runbook.scorecard.method import MISSING, SUBJECT, iso_week, monday, surely
from runbook.scorecard.rows import COMMON, DECLARED, ROW, WAIVER


class Weekly(NamedTuple):
    """What metrics measure.

    Attributes:
        states: a row for each week, environment, check and subject: `week`, `monday`, `environment`, `check`,
            `subject`, `runbook`, `runbook_version`, `check_digest`, `severity`; `silent` (the runbook had no scored run
            in the week), `outcome` (also `missing`), `waived`, `reason`, `title`, `judged`, `failed`, `rows`, `common`,
            `waiver`, `proof`; `run`, `run_at` (text), `file` of the verdict; `since_run`, `since`: since when it fails
            without a break; `last_run`, `last_at` of the last scored run; `ends` of the week, or `as_of` in the last;
            `latest`, whether it is the last week.
        changes: the change points of the weeks shown, a row for each scored verdict that differs from the last known
            one before it: `environment`, `check`, `subject`, `runbook`, `severity`, `at`, `run`, `outcome` (pass, fail,
            not_applicable; what is unknown or missing says nothing, and is left out).
        waivers: those that the last scored run of each environment and runbook declared for checks of that runbook:
            `environment`, `check`, `owner`, `reason`, `expires`, `rows` (text), `needed`, `run`, `run_at` (text).
        as_of: the moment the scorecard is of.
    """

    states: DataFrame
    changes: DataFrame
    waivers: DataFrame
    as_of: Column


_DEFINITION = ("runbook", "check", "severity", "check_digest", "runbook_version")
_PAIR = ("environment", "runbook")
_FACTS = ("started", "run", "started_at", "scored", "file")
_VERDICT = (
    *("subject", "outcome", "waived", "reason", "title", "judged", "failed", "rows", "common", "waiver", "proof"),
)


def weekly_of(states: DataFrame, changes: DataFrame, plan: Plan | None, as_of: Column) -> Weekly:
    """Say for each week what is known of each check.

    Args:
        states: of the summaries of the weeks shown, as `runbook.scorecard.summary.STATES`.
        changes: of the same, as `CHANGES`.
        plan: what was expected in which week; None if nobody said.
        as_of: the moment the scorecard is of; the last week is the one it is in.
    """
    points = _between_weeks(changes)
    judged = _candidates(states.withColumn("monday", monday("started")))
    carried = _carried(judged, plan, monday(as_of)).localCheckpoint()
    due = _due(judged, carried, plan)
    return Weekly(_with_since(_finished(due, as_of), points), points, _waivers(judged), as_of)


def _between_weeks(changes: DataFrame) -> DataFrame:
    """Leave out the first verdict of a week where it is what the weeks before ended with."""
    history = Window.partitionBy(*SUBJECT).orderBy("at", "run")
    before = changes.withColumn("before", F.lag("outcome").over(history))
    return before.where("before IS NULL OR before <> outcome").drop("before")


def _candidates(states: DataFrame) -> DataFrame:
    """The runs that say what is due: the scored ones, or all of them where an environment has no scored one."""
    has_scored = states.groupBy("environment").agg(F.bool_or("scored").alias("has_scored"))
    return states.join(F.broadcast(has_scored), "environment").where("scored = has_scored").drop("has_scored")


def _carried(judged: DataFrame, plan: Plan | None, last: Column) -> DataFrame:
    """For each week in which a runbook is due, its last run up to then; `silent` where that is of an earlier week.

    Also `planned`: it is due because a snapshot says so.
    """
    of_week = judged.groupBy(*_PAIR, "monday").agg(F.max(F.struct(*_FACTS, "monday")).alias("newest"))
    mondays = F.sequence(F.min("monday"), last, F.expr("INTERVAL 7 DAYS"))
    seen = of_week.groupBy(*_PAIR).agg(mondays.alias("mondays")).select(*_PAIR, F.explode("mondays").alias("monday"))
    calendar = seen if plan is None else seen.union(plan.pairs).distinct()
    so_far = Window.partitionBy(*_PAIR).orderBy("monday")
    newest = F.last("newest", ignorenulls=True).over(so_far)
    carried = calendar.join(of_week, [*_PAIR, "monday"], "left").withColumn("newest", newest)
    silent = ~surely(F.col("newest.scored") & (F.col("newest.monday") == F.col("monday")))
    own = [f"newest.{name}" for name in _FACTS]
    told = carried.select(*_PAIR, "monday", silent.alias("silent"), *own)
    if plan is None:
        return told.withColumn("planned", F.lit(False))  # noqa: FBT003
    marked = told.join(plan.pairs.withColumn("in_plan", F.lit(True)), [*_PAIR, "monday"], "left")  # noqa: FBT003
    with_plan = marked.join(F.broadcast(plan.mondays.withColumn("any_plan", F.lit(True))), "monday", "left")  # noqa: FBT003
    return (
        with_plan.withColumn("planned", surely(F.col("in_plan")))
        .where("any_plan IS NULL OR planned OR NOT silent")
        .drop("in_plan", "any_plan")
    )


def _due(judged: DataFrame, carried: DataFrame, plan: Plan | None) -> DataFrame:
    """Each check of each week: as the deciding run has it, or else as it was expected."""
    own = judged.select(*_DEFINITION, "environment", "run", *_VERDICT)
    by_run = carried.where("NOT (silent AND planned)").join(own, [*_PAIR, "run"])
    # Of a run that decides nothing in this week, only what it was to judge counts: once, whatever its subjects.
    nothing = {name: F.when(~F.col("silent"), F.col(name)) for name in _VERDICT}
    columns = [*carried.columns, "check", "severity", "check_digest", "runbook_version", *_VERDICT]
    of_runs = by_run.withColumns(nothing).select(columns).dropDuplicates([*_PAIR, "monday", "check", "subject"])
    of_runs = of_runs.withColumn("asked", F.lit(True))  # noqa: FBT003 - a run was to judge it, or did
    if plan is None:
        return of_runs
    known = of_runs.select(*_PAIR, "monday", "check").distinct()
    planned = carried.where("planned").join(plan.checks, ["runbook", "monday"])
    missing = planned.join(known, [*_PAIR, "monday", "check"], "left_anti")
    return of_runs.unionByName(missing, allowMissingColumns=True)


def _finished(due: DataFrame, as_of: Column) -> DataFrame:
    decided = ~F.col("silent")
    return due.select(
        iso_week("monday").alias("week"),
        *("monday", "environment", "check", "runbook", "runbook_version", "check_digest", "severity", "silent"),
        F.coalesce("subject", "environment").alias("subject"),
        F.coalesce("outcome", F.lit(MISSING)).alias("outcome"),
        surely(F.col("waived")).alias("waived"),
        F.coalesce("reason", _why_missing()).alias("reason"),
        *("title", "judged", "failed"),
        F.from_json("rows", f"array<{ROW}>").alias("rows"),
        F.from_json("common", f"array<{COMMON}>").alias("common"),
        F.from_json("waiver", WAIVER).alias("waiver"),
        "proof",
        F.when(decided, F.col("run")).alias("run"),
        F.when(decided, F.col("started_at")).alias("run_at"),
        F.when(decided, F.col("file")).alias("file"),
        F.when(decided, F.col("started")).alias("decided_at"),
        F.when(F.col("scored"), F.col("run")).alias("last_run"),
        F.when(F.col("scored"), F.col("started")).alias("last_at"),
        F.least(as_of, F.date_add("monday", 7).cast("timestamp")).alias("ends"),
        (F.col("monday") == monday(as_of)).alias("latest"),
    )


def _with_since(states: DataFrame, points: DataFrame) -> DataFrame:
    """Add the first failing run of the unbroken failing: an unknown neither begins nor ends it."""
    history = Window.partitionBy(*SUBJECT).orderBy("at", "run")
    ends = F.lead(F.struct("at", "run")).over(history).alias("ends_with")
    spells = points.select(*SUBJECT, F.col("at").alias("since"), F.col("run").alias("since_run"), "outcome", ends)
    failing = spells.where("outcome = 'fail'").drop("outcome")
    decided = F.struct(F.col("decided_at").alias("at"), F.col("run"))
    begun = F.struct(F.col("since").alias("at"), F.col("since_run").alias("run"))
    within = (begun <= decided) & (F.col("ends_with").isNull() | (decided < F.col("ends_with")))
    of_failing = states.where("outcome = 'fail'").select(*SUBJECT, "monday", "run", "decided_at")
    since = of_failing.join(failing, list(SUBJECT)).where(within).select(*SUBJECT, "monday", "since", "since_run")
    return states.join(since, [*SUBJECT, "monday"], "left").drop("decided_at")


def _waivers(judged: DataFrame) -> DataFrame:
    """Take those of the last scored run of each environment and runbook."""
    last = judged.where("scored AND waivers IS NOT NULL").groupBy(*_PAIR)
    newest = last.agg(F.max(F.struct("started", "run", "started_at", "waivers")).alias("newest"))
    declared = F.explode(F.from_json("newest.waivers", f"array<{DECLARED}>")).alias("one")
    return (
        newest.select(*_PAIR, "newest", declared)
        .where("split(one.check, '/')[0] = runbook")
        .select(
            *("environment", "one.check", "one.owner", "one.reason", "one.expires"),
            F.to_json("one.rows").alias("rows"),
            "one.needed",
            "newest.run",
            F.col("newest.started_at").alias("run_at"),
        )
    )


def _why_missing() -> Column:
    silent = F.lit("no scheduled, complete run of its runbook in this week")
    unasked = F.concat(F.lit("it is expected, and the run "), F.col("run"), F.lit(" was not to judge it"))
    unreadable = F.concat(F.lit("the run "), F.col("run"), F.lit(" was to judge it and holds no readable verdict"))
    return F.when(F.col("silent"), silent).when(F.col("asked"), unreadable).otherwise(unasked)
