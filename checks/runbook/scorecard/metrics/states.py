"""What each check says of each subject in the last week, whatever it says."""

from pyspark.sql import DataFrame

from runbook.scorecard.method import latest

TABLE = "states"
KEYS = ("environment", "check", "subject")


def measure(states: DataFrame) -> DataFrame:
    """Give the states of the last week, without their rows."""
    return latest(states, "outcome")
