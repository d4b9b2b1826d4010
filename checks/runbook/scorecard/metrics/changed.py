"""What is new in the last week: newly failing, fixed, newly unknown, flapping."""

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F  # noqa: N812 - as all of Spark's own examples call it

from runbook.model.scorecard import ALL
from runbook.scorecard.method import FLAPPING, FLAPPING_DAYS, MISSING, SUBJECT, monday, shown, surely
from runbook.scorecard.weekly import Weekly

TABLE = "changes"
KEYS = (*SUBJECT, "change")
ORDER = (
    "array_position(array('newly_failing', 'flapping', 'newly_unknown', 'fixed'), change)",
    "array_position(array('critical', 'high', 'medium', 'low', 'info'), severity)",
    *SUBJECT,
)

_KNOWN = ("pass", "fail", "not_applicable")


def measure(weekly: Weekly) -> DataFrame:
    """Compare what is known now with what was last known before this week.

    What failed, could not be seen, and fails again is not newly failing: an unknown verdict ends nothing. In the first
    week that an environment is heard of nothing is newly failing, as there is no week to be newer than. A silent
    environment has nothing newly unknown: that it is silent says so once.
    """
    now = shown(weekly.states, F.col("outcome").alias("now"), "silent")
    before = weekly.before.withColumnRenamed("outcome", "before")
    both = now.join(before, list(SUBJECT), "left").join(_history(weekly), list(SUBJECT), "left")
    both = both.join(F.broadcast(_heard_before(weekly)), "environment", "left")
    flips = both.withColumn("flips", F.coalesce("flips", F.lit(0).cast("long")))
    return flips.withColumn("change", F.explode(F.array_compact(F.array(*_news())))).select(
        *KEYS,
        *("runbook", "severity", "title", "before", "now", "waived", "reason", "run", "run_at", "file", "flips"),
    )


def _news() -> list[Column]:
    now, before, known = F.col("now"), F.col("before"), F.col("last_known")
    cannot_tell = now.isin("unknown", MISSING) & ~F.col("silent") & before.isin(*_KNOWN)
    return [
        F.when((now == "fail") & ~surely(known == "fail") & F.col("heard").isNotNull(), "newly_failing"),
        F.when((now == "pass") & surely(known == "fail"), "fixed"),
        F.when(cannot_tell, "newly_unknown"),
        F.when(F.col("flips") >= FLAPPING, "flapping"),
    ]


def _heard_before(weekly: Weekly) -> DataFrame:
    """The environments that were not silent in some earlier week of the card."""
    whole = (F.col("runbook") == ALL) & (F.col("severity") == ALL)
    earlier = weekly.groups.where(whole & ~F.col("silent") & (F.col("monday") < monday(weekly.as_of)))
    return earlier.select("environment", F.col("environment").alias("heard")).distinct()


def _history(weekly: Weekly) -> DataFrame:
    """What was known when the week began, and how often it went from pass to fail or back of late."""
    ordered = Window.partitionBy(*SUBJECT).orderBy("at", "run")
    turned = F.array_sort(F.array("outcome", F.lag("outcome").over(ordered))) == F.array(F.lit("fail"), F.lit("pass"))
    recent = F.unix_micros("at") > F.unix_micros(weekly.as_of) - FLAPPING_DAYS * 86_400_000_000
    earlier = F.col("at") < monday(weekly.as_of).cast("timestamp")
    points = weekly.changes.select(*SUBJECT, "at", "run", "outcome", (recent & surely(turned)).alias("flip"))
    return points.groupBy(*SUBJECT).agg(
        F.max_by("outcome", F.when(earlier, F.struct("at", "run"))).alias("last_known"),
        F.count_if("flip").alias("flips"),
    )
