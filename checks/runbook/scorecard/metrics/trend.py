"""The scores of every week of the card, one row for each line that a plot draws."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as all of Spark's own examples call it

from runbook.model.scorecard import ALL
from runbook.scorecard.method import iso_week, monday
from runbook.scorecard.metrics import coverage, difference, score
from runbook.scorecard.weekly import Weekly

TABLE = "trend"
KEYS = ("environment", "runbook")
SHOWN = "all"

_GIVEN = ("score", "score_raw", "coverage", "redefined", "failed", "waived")


def measure(weekly: Weekly) -> DataFrame:
    """Give parallel lists, with an entry for each week, the oldest first.

    A week in which the environment was not on the card has the status `none`, and null for everything else.
    """
    scores = _scores(weekly)
    lines = scores.select(*KEYS).distinct().crossJoin(_weeks(weekly))
    every = lines.join(scores, [*KEYS, "week"], "left")
    status = F.coalesce("status", F.lit("none")).alias("status")
    in_order = F.sort_array(F.collect_list(F.struct("monday", "week", status, *_GIVEN)))
    lists = every.groupBy(*KEYS).agg(in_order.alias("entries"))
    return lists.select(
        *KEYS, F.col("entries.week").alias("weeks"), *[f"entries.{name}" for name in ("status", *_GIVEN)]
    )


def _scores(weekly: Weekly) -> DataFrame:
    """The scores of whole runbooks, and of whole environments."""
    keys = list(score.KEYS)
    both = score.measure(weekly).join(coverage.measure(weekly), keys)
    return both.join(difference.measure(weekly), keys).where(F.col("severity") == ALL)


def _weeks(weekly: Weekly) -> DataFrame:
    """Every week from the first to the one the card is of, without holes."""
    mondays = F.sequence(F.min("monday"), F.max(monday(weekly.as_of)), F.expr("INTERVAL 7 DAYS"))
    every = weekly.groups.agg(mondays.alias("mondays")).select(F.explode("mondays").alias("monday"))
    return every.withColumn("week", iso_week("monday"))
