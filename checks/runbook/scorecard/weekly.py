"""What metrics measure: each week counted, the last one check by check.

Pure functions over tables. The rules, in words, are in docs/explanation/scorecard-method.md.
"""

from typing import NamedTuple

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F  # noqa: N812 - as all of Spark's own examples call it

from runbook.scorecard.agenda import AGENDA, PAIR, Due, redefined
from runbook.scorecard.method import GROUP, MISSING, SUBJECT, grouped, iso_week, monday, surely
from runbook.scorecard.segment_schema import COMMON, COUNTED, DECLARED, ROW, WAIVER
from runbook.scorecard.spark import at_once, held


class Weekly(NamedTuple):
    """What metrics measure.

    Attributes:
        groups: a row for each week and environment, all runbooks or one, all severities or one, in which a check was
            due: `week`, `monday`, `environment`, `runbook`, `severity` (`*`: all of them); `silent` (none of its
            runbooks had a scored run in the week); how many verdicts are of each kind, as
            `runbook.scorecard.rows.COUNTED`; what they weigh: `whole` (what applies), `passing`, `excused` (waived);
            `definitions`, a number that another set of checks or definitions has not; `last_run`, `last_at` of the last
            scored run; `ends` of the week, or `as_of` in the last.
        states: a row for each environment, check and subject in the last week: `week`, `monday`, `environment`,
            `check`, `subject`, `runbook`, `runbook_version`, `check_digest`, `severity`, `silent`, `outcome` (also
            `missing`), `waived`, `reason`, `title`, `judged`, `failed`, `rows`, `common`, `waiver`, `proof`; `run`,
            `run_at` (text), `file` of the verdict; `since_run`, `since`: since when it fails without a break; `ends`.
        before: the `outcome` of each subject in the week before that.
        changes: the change points of the weeks shown, a row for each scored verdict that differs from the last known
            one before it: `environment`, `check`, `subject`, `at`, `run`, `outcome` (pass, fail, not_applicable; what
            is unknown or missing says nothing, and is left out).
        redefined: a row for each environment, check and week in which its definition is another than in the week
            before: `week`, `runbook`, `runbook_version`, `before_version`.
        drilled: each `check` that a drill proved in one of the weeks.
        waivers: those that the last scored run of each environment and runbook declared for checks of that runbook:
            `environment`, `check`, `owner`, `reason`, `expires`, `rows` (text), `needed`, `run`, `run_at` (text).
        as_of: the moment the scorecard is of.
    """

    groups: DataFrame
    states: DataFrame
    before: DataFrame
    changes: DataFrame
    redefined: DataFrame
    drilled: DataFrame
    waivers: DataFrame
    as_of: Column


_VERDICT = ("subject", "outcome", "waived", "reason", "title", "judged", "failed", "rows", "common", "waiver", "proof")


def weekly_of(due: Due, runs: DataFrame, results: DataFrame, changes: DataFrame, as_of: Column) -> Weekly:
    """Say for each week what is known.

    Args:
        due: what is due in the weeks shown.
        runs: those of these weeks, as `runs` of `runbook.scorecard.rows.TABLES`.
        results: those of the last week and the one before, as `results` of the same.
        changes: of the summaries of the weeks shown, those between weeks left out.
        as_of: the moment the scorecard is of; the last week is the one it is in.
    """
    latest = F.col("monday") == monday(as_of)

    def states_and_before() -> tuple[DataFrame, DataFrame]:
        states = held(_states(due, results, as_of))
        return held(_with_since(states.where(latest), changes)), states.where(~latest).select(*SUBJECT, "outcome")

    groups, (states, before), other, waivers = at_once(
        lambda: held(groups_of(_counts(due, as_of)), *GROUP),
        states_and_before,
        lambda: held(redefined(due)),
        lambda: held(_waivers(runs)),
    )
    return Weekly(
        groups=groups,
        states=states,
        before=before,
        changes=changes,
        redefined=other,
        drilled=due.weeks.where("NOT silent").select(F.explode("drilled").alias("check")).distinct(),
        waivers=waivers,
        as_of=as_of,
    )


def _counts(due: Due, as_of: Column) -> DataFrame:
    of_agenda = due.checks.groupBy(*AGENDA, "severity").agg(
        F.count("*").alias("checks"),
        F.count_if(~F.col("asked")).alias("unasked"),
        # The order of checks does not matter to an exclusive or, and groups of groups can be made with it.
        F.bit_xor(F.xxhash64("check", "check_digest")).alias("definitions"),
    )
    said = F.get(F.filter("counts", lambda one: one["severity"] == F.col("severity")), F.lit(0))
    decided = {name: F.when(~F.col("silent"), F.coalesce(said[name], F.lit(0))).otherwise(0) for name in COUNTED}
    none = F.when(F.col("silent"), F.col("checks")).otherwise(decided[MISSING] + F.col("unasked"))
    counted = decided | {MISSING: none}
    return due.weeks.join(of_agenda, list(AGENDA)).select(
        iso_week("monday").alias("week"),
        *("monday", *PAIR, "severity", "silent", "definitions"),
        *[column.alias(name) for name, column in counted.items()],
        F.when(F.col("scored"), F.col("run")).alias("last_run"),
        F.when(F.col("scored"), F.col("started")).alias("last_at"),
        _ends(as_of).alias("ends"),
    )


def groups_of(counts: DataFrame) -> DataFrame:
    """All that is known of each group, in one pass over the counts."""
    passes, excused = F.col("passed"), F.col("waived")
    applies = passes + F.col("failed") + excused + F.col("unknown") + F.col("unobserved") + F.col("missing")
    newest = F.max(F.when(F.col("last_at").isNotNull(), F.struct("last_at", "last_run"))).alias("newest")
    summed = (
        grouped(counts)
        .groupBy(*GROUP, "monday")
        .agg(
            F.bool_and("silent").alias("silent"),
            *[F.sum(name).alias(name) for name in COUNTED],
            F.sum(applies * F.col("weight")).alias("whole"),
            F.sum(passes * F.col("weight")).alias("passing"),
            F.sum(excused * F.col("weight")).alias("excused"),
            F.bit_xor("definitions").alias("definitions"),
            newest,
            F.max("ends").alias("ends"),
        )
    )
    return summed.select("*", "newest.last_run", "newest.last_at").drop("newest")


def _states(due: Due, results: DataFrame, as_of: Column) -> DataFrame:
    """What is due in the last two weeks, check by check, with the verdict of the deciding run."""
    lately = due.weeks.where(F.col("monday") >= F.date_sub(monday(as_of), 7)).drop("drilled", "counts")
    each = lately.join(due.checks, list(AGENDA)).withColumn("by", F.when(~F.col("silent"), F.col("run")))
    deciding = lately.where("NOT silent").select("environment", F.col("run").alias("by")).distinct()
    decided_by = results.withColumnRenamed("run", "by").join(F.broadcast(deciding), ["environment", "by"], "left_semi")
    verdicts = decided_by.select("environment", "by", "check", *_VERDICT).coalesce(1)
    decided = F.col("by").isNotNull()
    return each.join(verdicts, ["environment", "by", "check"], "left").select(
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
        F.col("by").alias("run"),
        F.when(decided, F.col("started_at")).alias("run_at"),
        F.when(decided, F.col("file")).alias("file"),
        F.when(decided, F.col("started")).alias("decided_at"),
        _ends(as_of).alias("ends"),
    )


def _with_since(states: DataFrame, changes: DataFrame) -> DataFrame:
    """Add the first failing run of the unbroken failing: an unknown neither begins nor ends it."""
    failing = states.where("outcome = 'fail'").select(*SUBJECT, "run", "decided_at")
    points = changes.join(F.broadcast(failing.select(*SUBJECT)), list(SUBJECT), "left_semi")
    ends = F.lead(F.struct("at", "run")).over(Window.partitionBy(*SUBJECT).orderBy("at", "run")).alias("ends_with")
    spells = points.select(*SUBJECT, F.col("at").alias("since"), F.col("run").alias("since_run"), "outcome", ends)
    decided = F.struct(F.col("decided_at").alias("at"), F.col("run"))
    begun = F.struct(F.col("since").alias("at"), F.col("since_run").alias("run"))
    within = (begun <= decided) & (F.col("ends_with").isNull() | (decided < F.col("ends_with")))
    dated = failing.join(spells.where("outcome = 'fail'"), list(SUBJECT)).where(within)
    since = dated.select(*SUBJECT, "since", "since_run")
    return states.join(since, list(SUBJECT), "left").drop("decided_at")


def _waivers(runs: DataFrame) -> DataFrame:
    """Take those of the last scored run of each environment and runbook."""
    of_runbook = runs.where("scored").select("environment", "started", "run", F.explode("runbooks").alias("one"))
    newest = F.max_by("run", F.struct("started", "run")).alias("run")
    last = of_runbook.groupBy("environment", F.col("one.runbook").alias("runbook")).agg(newest)
    declared = F.explode(F.from_json("waivers", f"array<{DECLARED}>")).alias("one")
    return (
        runs.select("environment", "run", "started_at", "waivers")
        .join(F.broadcast(last), ["environment", "run"])
        .select(*PAIR, "run", "started_at", declared)
        .where("split(one.check, '/')[0] = runbook")
        .select(
            *("environment", "one.check", "one.owner", "one.reason", "one.expires"),
            F.to_json("one.rows").alias("rows"),
            *("one.needed", "run", F.col("started_at").alias("run_at")),
        )
    )


def _ends(as_of: Column) -> Column:
    return F.least(as_of, F.date_add("monday", 7).cast("timestamp"))


def _why_missing() -> Column:
    silent = F.lit("no scheduled, complete run of its runbook in this week")
    unasked = F.concat(F.lit("it is expected, and the run "), F.col("run"), F.lit(" was not to judge it"))
    unreadable = F.concat(F.lit("the run "), F.col("run"), F.lit(" was to judge it and holds no readable verdict"))
    return F.when(F.col("silent"), silent).when(F.col("asked"), unreadable).otherwise(unasked)
