"""Drills that are due: checks that rest on the record of a drill, and do not pass."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as all of Spark's own examples call it

from runbook.scorecard.method import SUBJECT, shown
from runbook.scorecard.weekly import Weekly

TABLE = "drills"
KEYS = SUBJECT
ORDER = ("array_position(array('critical', 'high', 'medium', 'low', 'info'), severity)", *KEYS)


def measure(weekly: Weekly) -> DataFrame:
    """Give what applies and does not pass of the checks that any verdict of the weeks shown proved by a drill.

    A verdict that is missing doesn't say how it would have known; others of its check do.
    """
    due = shown(weekly.states, "outcome").where("outcome NOT IN ('pass', 'not_applicable')")
    return due.join(F.broadcast(weekly.drilled), "check", "left_semi").select(
        *KEYS, "severity", "title", "outcome", "reason", "run_at", "age_days"
    )
