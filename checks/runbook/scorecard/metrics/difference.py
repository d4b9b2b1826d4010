"""What the score differs by from that of the week before, and whether the two can be compared."""

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F  # noqa: N812 - as all of Spark's own examples call it

from runbook.scorecard.method import GROUP, surely
from runbook.scorecard.metrics import score
from runbook.scorecard.weekly import Weekly

TABLE = "scores"
KEYS = GROUP
SHOWN = "latest"


def measure(weekly: Weekly) -> DataFrame:
    """Subtract last week's score of each group, and say whether its checks are still the same ones."""
    scored = score.scored(weekly).withColumnRenamed("definitions", "checks")
    weeks = Window.partitionBy("environment", "runbook", "severity").orderBy("monday")
    before = F.lag(F.struct("monday", "score", "checks")).over(weeks)
    return scored.withColumn("before", F.when(before["monday"] == F.date_sub("monday", 7), before)).select(
        *KEYS,
        F.round(F.col("score") - F.col("before.score"), 1).alias("change"),
        surely(F.col("checks") != F.col("before.checks")).alias("redefined"),
    )
