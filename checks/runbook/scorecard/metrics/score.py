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
    applies = F.col("outcome") != "not_applicable"
    passes = F.col("outcome") == "pass"
    excused = (F.col("outcome") == "fail") & F.col("waived")
    sums = (
        grouped(weekly.states)
        .groupBy(*KEYS)
        .agg(
            F.bool_and("silent").alias("silent"),
            _sum(applies, F.lit(1)).alias("applicable"),
            _sum(F.col("outcome").isin("pass", "fail"), F.lit(1)).alias("known"),
            _sum(applies, F.col("weight")).alias("whole"),
            _sum(passes, F.col("weight")).alias("passing"),
            _sum(passes | excused, F.col("weight")).alias("compliant"),
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


def _sum(condition: Column, value: Column) -> Column:
    return F.sum(F.when(condition, value).otherwise(0))
