"""What is due of a runbook in a week, and which run decides it.

Most environments are to be judged by the same checks, week after week. Such a list of checks is an *agenda*: it is
made once, and named by what it was made of, so that a year of 50 environments is some thousand rows until the last
week is looked at check by check.
"""

from typing import NamedTuple

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F  # noqa: N812 - as all of Spark's own examples call it

from runbook.scorecard.due import DuePlan
from runbook.scorecard.method import iso_week, monday, surely
from runbook.scorecard.segment_schema import DEFINITION
from runbook.scorecard.spark import held

PAIR = ("environment", "runbook")
AGENDA = ("runbook", "agenda")
"""What identifies an agenda."""

_CHECK = ("check", "severity", "check_digest", "runbook_version")
_FEW = 1000  # runs asked for by name
_FACTS = ("started", "run", "started_at", "scored", "file", "listing", "drilled", "counts")


class Due(NamedTuple):
    """What is due.

    Attributes:
        weeks: a row for each environment, runbook and week (`monday`) in which the runbook is due: `agenda`; `silent`
            (it had no scored run in that week); `run`, `started`, `started_at` (text), `scored`, `file`, `drilled` and
            `counts` of its last run up to then, null if there is none.
        checks: a row for each check of each agenda: `runbook`, `agenda`, `check`, `severity`, `check_digest`,
            `runbook_version`, and `asked`: a run was to judge it, or did; otherwise a snapshot alone expects it.
    """

    weeks: DataFrame
    checks: DataFrame


def due_in_weeks(runs: DataFrame, plan: DuePlan | None, as_of: Column) -> Due:
    """Say for each week what is due.

    Args:
        runs: of the weeks shown, as `runs` of `runbook.scorecard.rows.TABLES`.
        plan: what was expected in which week; None if nobody said.
        as_of: the moment the scorecard is of; the last week is the one it is in.
    """
    weeks = _expected(_carried(_candidates(runs), plan, monday(as_of)), plan)
    by_run = F.when(~(F.col("silent") & F.col("number").isNotNull()), F.col("listing"))
    named = weeks.withColumn("listing", by_run).withColumn("agenda", F.format_string("%s %s", "listing", "number"))
    of_weeks = held(named)
    return Due(of_weeks.drop("listing", "number"), held(_checks(of_weeks, runs, plan)))


def redefined(due: Due) -> DataFrame:
    """Compare the agendas of one week and the next, where they are not the same one.

    Returns:
        A row for each environment, check and week in which its definition is another than in the week before: `week`,
        `environment`, `check`, `runbook`, `runbook_version`, `before_version`.
    """
    names = due.weeks.select(*PAIR, "monday", "agenda")
    before = names.select(*PAIR, F.date_add("monday", 7).alias("monday"), F.col("agenda").alias("agenda_before"))
    other = names.join(before, [*PAIR, "monday"]).where("agenda <> agenda_before")
    now = due.checks.select(*AGENDA, "check", "check_digest", "runbook_version")
    then = due.checks.select(
        "runbook",
        F.col("agenda").alias("agenda_before"),
        "check",
        F.col("check_digest").alias("digest_before"),
        F.col("runbook_version").alias("before_version"),
    )
    both = other.join(now, list(AGENDA)).join(then, ["runbook", "agenda_before", "check"])
    return both.where("check_digest <> digest_before").select(
        iso_week("monday").alias("week"), "environment", "check", "runbook", "runbook_version", "before_version"
    )


def _candidates(runs: DataFrame) -> DataFrame:
    """The runs that say what is due: the scored ones, or all of them where an environment has no scored one."""
    has_scored = runs.groupBy("environment").agg(F.bool_or("scored").alias("has_scored"))
    chosen = runs.join(F.broadcast(has_scored), "environment").where("scored = has_scored")
    each = chosen.withColumn("monday", monday("started")).withColumn("one", F.explode("runbooks"))
    return each.select("environment", "monday", "started", "run", "started_at", "scored", "file", "one.*")


def _carried(runs: DataFrame, plan: DuePlan | None, last: Column) -> DataFrame:
    """For each week from the first run on, and each that a snapshot names, the last run up to then."""
    newest = F.max_by(F.struct(*_FACTS, "monday"), F.struct("started", "run")).alias("newest")
    of_week = runs.groupBy(*PAIR, "monday").agg(newest)
    mondays = F.sequence(F.min("monday"), last, F.expr("INTERVAL 7 DAYS"))
    seen = of_week.groupBy(*PAIR).agg(mondays.alias("mondays")).select(*PAIR, F.explode("mondays").alias("monday"))
    calendar = seen if plan is None else seen.union(plan.pairs.select(*PAIR, "monday")).distinct()
    so_far = F.last("newest", ignorenulls=True).over(Window.partitionBy(*PAIR).orderBy("monday"))
    carried = calendar.join(of_week, [*PAIR, "monday"], "left").withColumn("newest", so_far)
    silent = ~surely(F.col("newest.scored") & (F.col("newest.monday") == F.col("monday")))
    return carried.select(*PAIR, "monday", silent.alias("silent"), *[f"newest.{name}" for name in _FACTS])


def _expected(carried: DataFrame, plan: DuePlan | None) -> DataFrame:
    """Leave out what a snapshot in force does not name, and no run judged; `number` of the one that names it."""
    if plan is None:
        return carried.withColumn("number", F.lit(None).cast("int"))
    in_force = F.broadcast(plan.mondays.withColumn("any_plan", F.lit(True)))  # noqa: FBT003
    marked = carried.join(plan.pairs, [*PAIR, "monday"], "left").join(in_force, "monday", "left")
    return marked.where("any_plan IS NULL OR number IS NOT NULL OR NOT silent").drop("any_plan")


def _checks(weeks: DataFrame, runs: DataFrame, plan: DuePlan | None) -> DataFrame:
    """The checks of each agenda: those of a run, read once for all runs that have the same, and a snapshot's."""
    agendas = weeks.select(*AGENDA, "listing", "number").distinct()
    sources = weeks.where("listing IS NOT NULL").groupBy("runbook", "listing")
    source = held(sources.agg(F.min(F.struct("environment", "run")).alias("one")).select("runbook", "listing", "one.*"))
    each = F.explode(F.from_json("definitions", f"array<{DEFINITION}>")).alias("each")
    defined = (
        _named(runs.select("environment", "run", "definitions"), source)
        .join(F.broadcast(source), ["environment", "run"])
        .select("runbook", "listing", each)
        .where("each.runbook = runbook")
        .select("runbook", "listing", *[f"each.{name}" for name in _CHECK])
    )
    asked = agendas.join(defined, ["runbook", "listing"]).select(*AGENDA, *_CHECK, F.lit(True).alias("asked"))  # noqa: FBT003
    if plan is None:
        return asked
    planned = agendas.join(plan.checks, ["runbook", "number"]).select(*AGENDA, *_CHECK)
    unasked = planned.join(asked.select(*AGENDA, "check"), [*AGENDA, "check"], "left_anti")
    return asked.unionByName(unasked.withColumn("asked", F.lit(False)))  # noqa: FBT003


def _named(runs: DataFrame, source: DataFrame) -> DataFrame:
    """Leave out runs that are not wanted: by name, so that what they hold need not be read; far more than all else."""
    names = [row.run for row in source.select("run").distinct().limit(_FEW + 1).collect()]
    return runs if len(names) > _FEW else runs.where(F.col("run").isin(names))
