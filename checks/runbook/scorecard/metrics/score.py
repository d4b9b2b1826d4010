"""How much of what matters complies; no number where too little is known."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as all of Spark's own examples call it

from runbook.scorecard.method import GROUP, LEAST_COVERAGE, percent
from runbook.scorecard.weekly import Weekly

TABLE = "scores"
KEYS = GROUP
SHOWN = "latest"


def measure(weekly: Weekly) -> DataFrame:
    """Score each group: the share of the applicable weight that passes, with waivers and without.

    What is unknown, left unobserved or missing is applicable and does not pass.
    """
    return scored(weekly).select(*KEYS, "status", "score", "score_raw")


def scored(weekly: Weekly) -> DataFrame:
    """The groups with their `status`, `score` and `score_raw`."""
    known = F.col("passed") + F.col("failed") + F.col("waived")
    applicable = known + F.col("unknown") + F.col("unobserved") + F.col("missing")
    is_scored = F.col("status") == "scored"
    return weekly.groups.withColumn("status", _status(known, applicable)).withColumns(
        {
            "score": F.when(is_scored, percent(F.col("passing") + F.col("excused"), F.col("whole"))),
            "score_raw": F.when(is_scored, percent(F.col("passing"), F.col("whole"))),
        }
    )


def _status(known: Column, applicable: Column) -> Column:
    return (
        F.when(F.col("silent"), "silent")
        .when(applicable == 0, "not_applicable")
        .when(known * 100 < applicable * LEAST_COVERAGE, "unknown")
        .otherwise("scored")
    )
