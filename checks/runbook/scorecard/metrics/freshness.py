"""How old the newest scored run is that a number can rest on."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as all of Spark's own examples call it

from runbook.scorecard.method import GROUP, moment, whole_days
from runbook.scorecard.weekly import Weekly

TABLE = "scores"
KEYS = GROUP
SHOWN = "latest"


def measure(weekly: Weekly) -> DataFrame:
    """Name the last scored run of each group, and its age at the end of the week, or now in the last week."""
    age = whole_days(F.col("last_at"), F.col("ends")).alias("age_days")
    return weekly.groups.select(*KEYS, "last_run", moment("last_at").alias("last_at"), age)
