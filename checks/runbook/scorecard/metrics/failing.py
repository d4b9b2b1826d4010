"""What fails in the last week: since when, and the evidence."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as all of Spark's own examples call it

from runbook.scorecard.method import iso_week, moment, shown, whole_days
from runbook.scorecard.weekly import Weekly

TABLE = "failing"
KEYS = ("environment", "check", "subject")
ORDER = ("array_position(array('critical', 'high', 'medium', 'low', 'info'), severity)", "since_at", *KEYS)


def measure(weekly: Weekly) -> DataFrame:
    """Give what fails in the last week, also under a waiver, with its offending rows."""
    failing = (
        weekly.states.where("outcome = 'fail'")
        .withColumn("since_at", moment("since"))
        .withColumn("since_week", iso_week("since"))
        .withColumn("failing_days", whole_days(F.col("since"), F.col("ends")))
    )
    own = ("since_run", "since_at", "since_week", "failing_days", "failed", "rows", "common", "waiver")
    return shown(failing, *own)
