"""Which checks say something else than in the week before, so that numbers of the two weeks differ in meaning."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as all of Spark's own examples call it

from runbook.scorecard.weekly import Weekly

TABLE = "definitions"
KEYS = ("week", "check", "runbook")
SHOWN = "all"


def measure(weekly: Weekly) -> DataFrame:
    """Count the environments in which the definition of a check changed in a week.

    The versions are those of the first such environment in alphabetical order.
    """
    versions = F.min_by(F.struct("runbook_version", "before_version"), "environment").alias("versions")
    counted = weekly.redefined.groupBy(*KEYS).agg(F.count("*").alias("environments"), versions)
    return counted.select(*KEYS, "environments", "versions.*")
