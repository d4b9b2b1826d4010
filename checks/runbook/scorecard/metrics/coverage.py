"""How many verdicts are known, of those that should be."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as all of Spark's own examples call it

from runbook.scorecard.method import GROUP, percent
from runbook.scorecard.segment_schema import COUNTED
from runbook.scorecard.weekly import Weekly

TABLE = "scores"
KEYS = GROUP
SHOWN = "latest"


def measure(weekly: Weekly) -> DataFrame:
    """Count the verdicts of each group by what they say; coverage leaves out what does not apply."""
    known = F.col("passed") + F.col("failed") + F.col("waived")
    expected = sum((F.col(name) for name in COUNTED), F.lit(0)).alias("expected")
    counted = weekly.groups.select(*KEYS, *COUNTED, expected)
    return counted.withColumn("coverage", percent(known, F.col("expected") - F.col("not_applicable")))
