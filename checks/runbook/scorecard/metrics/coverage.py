"""How many verdicts are known, of those that should be."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as all of Spark's own examples call it

from runbook.scorecard.method import GROUP, MISSING, grouped, percent
from runbook.scorecard.weekly import Weekly

TABLE = "scores"
KEYS = GROUP
SHOWN = "latest"


def measure(weekly: Weekly) -> DataFrame:
    """Count the verdicts of each group by what they say; coverage leaves out what does not apply."""
    known = F.col("passed") + F.col("failed") + F.col("waived")
    return (
        grouped(weekly.states)
        .groupBy(*KEYS)
        .agg(
            _how_many(F.col("outcome") == "pass").alias("passed"),
            _how_many((F.col("outcome") == "fail") & ~F.col("waived")).alias("failed"),
            _how_many((F.col("outcome") == "fail") & F.col("waived")).alias("waived"),
            *[_how_many(F.col("outcome") == one).alias(one) for one in ("unknown", MISSING, "not_applicable")],
            F.count("*").alias("expected"),
        )
        .withColumn("coverage", percent(known, F.col("expected") - F.col("not_applicable")))
    )


def _how_many(condition: Column) -> Column:
    return F.count(F.when(condition, F.lit(1)))
