"""Each check over all environments: who fails it and since when, and how long its failures took to fix."""

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F  # noqa: N812 - as all of Spark's own examples call it

from runbook.scorecard.method import MISSING, SUBJECT, iso_week, weight, whole_days
from runbook.scorecard.weekly import Weekly

TABLE = "checks"
KEYS = ("check",)

_TENTH_OF_A_DAY = 8_640_000_000  # microseconds


def measure(weekly: Weekly) -> DataFrame:
    """Count the states of the last week by check, and the failures that ended with a pass in the weeks shown."""
    return (
        _now(weekly)
        .join(_fixes(weekly), list(KEYS), "left")
        .select(
            *KEYS,
            *("runbook", "severity", "title", "applicable", "passing", "failing", "waived", "unknown"),
            F.coalesce("fixes", F.lit(0).cast("long")).alias("fixes"),
            *("median_fix_days", "oldest_days", "failing_in"),
        )
    )


def _now(weekly: Weekly) -> DataFrame:
    fails = F.col("outcome") == "fail"
    days = whole_days(F.col("since"), F.col("ends"))
    place = F.struct(
        *("since", "environment", "subject"),
        iso_week("since").alias("since_week"),
        days.alias("failing_days"),
        "waived",
    )
    newest = F.when(F.col("title").isNotNull(), F.struct("run_at", "environment", "subject"))
    return (
        weekly.states.groupBy(*KEYS)
        .agg(
            F.max("runbook").alias("runbook"),
            F.max_by("severity", weight(F.col("severity"))).alias("severity"),
            F.max_by("title", newest).alias("title"),
            F.count_if(F.col("outcome") != "not_applicable").alias("applicable"),
            F.count_if(F.col("outcome") == "pass").alias("passing"),
            F.count_if(fails & ~F.col("waived")).alias("failing"),
            F.count_if(fails & F.col("waived")).alias("waived"),
            F.count_if(F.col("outcome").isin("unknown", MISSING)).alias("unknown"),
            F.max(F.when(fails, days)).alias("oldest_days"),
            F.sort_array(F.collect_list(F.when(fails, place))).alias("places"),
        )
        .withColumn("failing_in", F.transform("places", lambda one: one.dropFields("since")))
    )


def _fixes(weekly: Weekly) -> DataFrame:
    ordered = Window.partitionBy(*SUBJECT).orderBy("at", "run")
    began = F.when(F.lag("outcome").over(ordered) == "fail", F.lag("at").over(ordered))
    points = weekly.changes.select(*SUBJECT, "at", "outcome", began.alias("began"))
    fixed = points.where("outcome = 'pass' AND began IS NOT NULL")
    took = F.collect_list(F.unix_micros("at") - F.unix_micros("began"))
    return fixed.groupBy(*KEYS).agg(
        F.count("*").alias("fixes"), (F.floor(_lower_median(took) / _TENTH_OF_A_DAY) / 10).alias("median_fix_days")
    )


def _lower_median(values: Column) -> Column:
    """The middle value, and of two the smaller: one that occurred, and exact."""
    middle = F.floor((F.size(values) - 1) / 2).cast("int")
    return F.get(F.sort_array(values), middle)
