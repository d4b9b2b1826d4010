"""From the evidence of runs to one state for each week, environment, check and subject.

Pure functions over tables. The rules, in words, are in docs/explanation/scorecard-method.md.
"""

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F  # noqa: N812 - as all of Spark's own examples call it

from runbook.scorecard.method import MISSING, iso_week, surely

_WORST_FIRST = ("fail", "unknown", "pass", "not_applicable")
_SUBJECT = ("environment", "check", "subject")


def runs_of(records: DataFrame) -> DataFrame:
    """One row for each run of an environment: `run`, `started`, `monday` of its week, whether it is `scored`."""
    once = _one_of(records.where("record.kind = 'run'"), "record.environment", "record.run", order=F.struct("file"))
    scored = "record.trigger = 'scheduled' AND record.complete AND NOT record.interrupted"
    return once.select(
        "record.environment",
        "record.run",
        "started",
        F.col("record.started_at").alias("started_at"),
        _monday("started").alias("monday"),
        F.expr(scored).alias("scored"),
        F.col("record.expected").alias("expected"),
        "file",
    )


def results_of(records: DataFrame) -> DataFrame:
    """One row for each result; of several with one key, the worst."""
    worst = F.array_position(F.array(*map(F.lit, _WORST_FIRST)), F.col("record.outcome"))
    once = _one_of(
        records.where("record.kind = 'result'"),
        *("record.environment", "record.check", "record.subject", "record.run"),
        order=F.struct(worst, "file", "line"),
    )
    return once.select("record.*")


def weekly_states(runs: DataFrame, results: DataFrame, as_of: Column, weeks: int) -> DataFrame:
    """Say for each week what is known of each check.

    Args:
        runs: of `runs_of`.
        results: of `results_of`.
        as_of: the moment the scorecard is of; the last week is the one it is in.
        weeks: how many weeks to go back, with the last one.

    Returns:
        `week`, `monday`, `environment`, `check`, `subject`, `runbook`, `runbook_version`, `check_digest`, `severity`;
        `silent` (the runbook had no scored run in the week), `outcome` (also `missing`), `waived`, `reason`, `title`,
        `judged`, `failed`, `rows`, `common`, `waiver`; `run`, `run_at`, `file` of the verdict; `since_run`, `since`
        since when it fails without a break; `last_run`, `last_at` of the last scored run; `ends` of the week, or
        `as_of` in the last; `latest`, whether it is the last week.
    """
    last = _monday(as_of)
    seen = runs.where((F.col("started") <= as_of) & (F.col("monday") > F.date_sub(last, 7 * weeks)))
    definitions = _definitions(seen, results)
    declared = _carried(_candidates(seen), definitions, last)
    due = declared.join(definitions, ["environment", "runbook", "run"])
    scored = F.broadcast(seen.where("scored").select("environment", "run", "started"))
    verdicts = _since(results.join(scored, ["environment", "run"]))
    own = ("subject", "outcome", "waived", "reason", "title", "judged", "failed", "rows", "common", "waiver")
    found = verdicts.select("environment", "check", F.col("run").alias("decided_by"), *own, "since", "since_run")
    states = due.withColumn("decided_by", F.when(~F.col("silent"), F.col("run"))).join(
        found, ["environment", "check", "decided_by"], "left"
    )
    return states.select(
        iso_week("monday").alias("week"),
        *("monday", "environment", "check", "runbook", "runbook_version", "check_digest", "severity", "silent"),
        F.coalesce("subject", "environment").alias("subject"),
        F.coalesce("outcome", F.lit(MISSING)).alias("outcome"),
        surely(F.col("waived")).alias("waived"),
        F.coalesce("reason", _why_missing()).alias("reason"),
        *("title", "judged", "failed", "rows", "common", "waiver", "since", "since_run"),
        F.col("decided_by").alias("run"),
        F.when(~F.col("silent"), F.col("started_at")).alias("run_at"),
        F.when(~F.col("silent"), F.col("file")).alias("file"),
        F.when(F.col("scored"), F.col("run")).alias("last_run"),
        F.when(F.col("scored"), F.col("started")).alias("last_at"),
        F.least(as_of, F.date_add("monday", 7).cast("timestamp")).alias("ends"),
        (F.col("monday") == last).alias("latest"),
    )


def _one_of(records: DataFrame, *key: str, order: Column) -> DataFrame:
    """Keep the first record of each key."""
    chosen = records.groupBy(*key).agg(F.min_by(F.struct(*records.columns), order).alias("chosen"))
    return chosen.select("chosen.*")


def _monday(moment: Column | str) -> Column:
    return F.to_date(F.date_trunc("week", moment))


def _definitions(runs: DataFrame, results: DataFrame) -> DataFrame:
    """What each run was to judge: the checks it expected, and any other it judged."""
    expected = runs.select("environment", "run", F.explode("expected").alias("one")).select(
        "environment", "run", "one.*"
    )
    columns = ("runbook", "check", "severity", "check_digest", "runbook_version")
    judged = results.join(F.broadcast(runs.select("environment", "run")), ["environment", "run"])
    both = expected.select("environment", "run", *columns).union(judged.select("environment", "run", *columns))
    one = F.min(F.struct(*columns)).alias("one")
    return both.groupBy("environment", "run", "check").agg(one).select("environment", "run", "one.*")


def _candidates(runs: DataFrame) -> DataFrame:
    """The runs that say what is due: the scored ones, or all of them where an environment has no scored one."""
    has_scored = runs.groupBy("environment").agg(F.bool_or("scored").alias("has_scored"))
    return runs.join(has_scored, "environment").where(F.col("scored") | ~F.col("has_scored"))


def _carried(runs: DataFrame, definitions: DataFrame, last: Column) -> DataFrame:
    """For each week from the first, the last run of a runbook up to then; `silent` where it is of an earlier week."""
    facts = ("started", "run", "started_at", "monday", "scored", "file")
    of_week = (
        definitions.select("environment", "runbook", "run")
        .distinct()
        .join(runs, ["environment", "run"])
        .groupBy("environment", "runbook", "monday")
        .agg(F.max(F.struct(*facts)).alias("newest"))
    )
    weeks = F.sequence(F.min("monday"), last, F.expr("INTERVAL 7 DAYS"))
    every = of_week.groupBy("environment", "runbook").agg(weeks.alias("mondays"))
    calendar = every.select("environment", "runbook", F.explode("mondays").alias("monday"))
    so_far = Window.partitionBy("environment", "runbook").orderBy("monday")
    newest = F.last("newest", ignorenulls=True).over(so_far)
    carried = calendar.join(of_week, ["environment", "runbook", "monday"], "left").withColumn("newest", newest)
    silent = ~(F.col("newest.scored") & (F.col("newest.monday") == F.col("monday")))
    own = [f"newest.{name}" for name in facts if name != "monday"]
    return carried.select("environment", "runbook", "monday", silent.alias("silent"), *own)


def _since(verdicts: DataFrame) -> DataFrame:
    """Add the first failing run of the unbroken failing: an unknown neither begins nor ends it."""
    history = Window.partitionBy(*_SUBJECT).orderBy("started", "run")
    ends = F.when(F.col("outcome").isin("pass", "not_applicable"), F.struct("started", "run"))
    parted = verdicts.withColumn("part", F.last(ends, ignorenulls=True).over(history))
    first = F.min(F.when(F.col("outcome") == "fail", F.struct("started", "run")))
    begun = parted.withColumn("begun", first.over(Window.partitionBy(*_SUBJECT, "part")))
    failing = F.col("outcome") == "fail"
    return begun.select(
        *verdicts.columns,
        F.when(failing, F.col("begun.started")).alias("since"),
        F.when(failing, F.col("begun.run")).alias("since_run"),
    )


def _why_missing() -> Column:
    silent = F.lit("no scheduled, complete run of its runbook in this week")
    return F.when(F.col("silent"), silent).otherwise(
        F.concat(F.lit("the run "), F.col("run"), F.lit(" was to judge it and holds no readable verdict"))
    )
