"""How much of what matters complies; no number where too little is known."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as all of Spark's own examples call it

from runbook.scorecard.method import GROUP, LEAST_COVERAGE, grouped, percent
from runbook.scorecard.weekly import Weekly

TABLE = "scores"
KEYS = GROUP
SHOWN = "latest"


def measure(weekly: Weekly) -> DataFrame:
    """Score each group: the share of the applicable weight that passes, with waivers and without.

    What is unknown or missing is applicable and does not pass.
    """
    passes, excused = F.col("passed"), F.col("waived")
    known = passes + F.col("failed") + excused
    applies = known + F.col("unknown") + F.col("missing")
    sums = (
        grouped(weekly.counts)
        .groupBy(*KEYS)
        .agg(
            F.bool_and("silent").alias("silent"),
            F.sum(applies).alias("applicable"),
            F.sum(known).alias("known"),
            F.sum(applies * F.col("weight")).alias("whole"),
            F.sum(passes * F.col("weight")).alias("passing"),
            F.sum((passes + excused) * F.col("weight")).alias("compliant"),
        )
        .withColumn("status", _status())
    )
    scored = F.col("status") == "scored"
    return sums.select(
        *KEYS,
        "status",
        F.when(scored, percent(F.col("compliant"), F.col("whole"))).alias("score"),
        F.when(scored, percent(F.col("passing"), F.col("whole"))).alias("score_raw"),
    )


def _status() -> Column:
    return (
        F.when(F.col("silent"), "silent")
        .when(F.col("applicable") == 0, "not_applicable")
        .when(F.col("known") * 100 < F.col("applicable") * LEAST_COVERAGE, "unknown")
        .otherwise("scored")
    )
