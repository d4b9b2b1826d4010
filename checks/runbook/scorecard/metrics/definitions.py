"""Which checks say something else than in the week before, so that numbers of the two weeks differ in meaning."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as all of Spark's own examples call it

from runbook.scorecard.weekly import Weekly

TABLE = "definitions"
KEYS = ("week", "check", "runbook")
SHOWN = "all"

_PLACE = ("environment", "check", "runbook", "monday")


def measure(weekly: Weekly) -> DataFrame:
    """Count the environments in which the definition of a check changed in a week.

    The versions are those of the first such environment in alphabetical order.
    """
    one = F.min(F.struct("check_digest", "runbook_version", "week")).alias("one")
    judged = weekly.states.groupBy(*_PLACE).agg(one).select(*_PLACE, "one.*")
    before = judged.select(
        *("environment", "check", "runbook"),
        F.date_add("monday", 7).alias("monday"),
        F.col("check_digest").alias("digest_before"),
        F.col("runbook_version").alias("before_version"),
    )
    changed = judged.join(before, list(_PLACE)).where("check_digest != digest_before")
    versions = F.min_by(F.struct("runbook_version", "before_version"), "environment").alias("versions")
    return (
        changed.groupBy(*KEYS)
        .agg(F.count("*").alias("environments"), versions)
        .select(*KEYS, "environments", "versions.*")
    )
