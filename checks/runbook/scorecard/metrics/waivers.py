"""The waivers that are declared: in force, about to expire, expired, unused."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as all of Spark's own examples call it

from runbook.scorecard.method import EXPIRING_DAYS
from runbook.scorecard.weekly import Weekly

TABLE = "waivers"
KEYS = ("environment", "check", "owner", "expires", "rows")
ORDER = ("days_left", *KEYS)


def measure(weekly: Weekly) -> DataFrame:
    """Say of each waiver how long it still holds; it does to the end of its last day, in UTC.

    One that is declared twice is listed once, and is needed if one of them is.
    """
    once = weekly.waivers.groupBy(*KEYS).agg(
        F.min("reason").alias("reason"),
        F.bool_or("needed").alias("needed"),
        F.max("run").alias("run"),
        F.max("run_at").alias("run_at"),
    )
    left = F.datediff(F.try_to_timestamp("expires", F.lit("yyyy-MM-dd")), F.to_date(weekly.as_of)).cast("long")
    state = (
        F.when(F.coalesce("days_left", F.lit(-1)) < 0, "expired")
        .when(~F.col("needed"), "unused")
        .when(F.col("days_left") <= EXPIRING_DAYS, "expiring")
        .otherwise("in_force")
    )
    return once.withColumn("days_left", left).select(
        *KEYS, "reason", state.alias("state"), "days_left", "run", "run_at"
    )
