"""How old the newest scored run is that a number can rest on."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as all of Spark's own examples call it

from runbook.scorecard.method import GROUP, grouped, moment, whole_days
from runbook.scorecard.weekly import Weekly

TABLE = "scores"
KEYS = GROUP
SHOWN = "latest"


def measure(weekly: Weekly) -> DataFrame:
    """Name the last scored run of each group, and its age at the end of the week, or now in the last week."""
    newest = F.max(F.when(F.col("last_at").isNotNull(), F.struct("last_at", "last_run"))).alias("newest")
    of_group = grouped(weekly.counts).groupBy(*KEYS).agg(newest, F.max("ends").alias("ends"))
    last_at = F.col("newest.last_at")
    return of_group.select(
        *KEYS,
        F.col("newest.last_run").alias("last_run"),
        moment(last_at).alias("last_at"),
        whole_days(last_at, F.col("ends")).alias("age_days"),
    )
