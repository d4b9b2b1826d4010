"""What each check says of each subject in the last week, whatever it says."""

from pyspark.sql import DataFrame

from runbook.scorecard.method import shown
from runbook.scorecard.weekly import Weekly

TABLE = "states"
KEYS = ("environment", "check", "subject")
SHOWN = "none"


def measure(weekly: Weekly) -> DataFrame:
    """Give the states of the last week, without their rows."""
    return shown(weekly.states, "outcome", "proof")
