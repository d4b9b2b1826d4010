"""The method of the scorecard: what counts how much, and over what is summed.

Explained with a worked example in docs/explanation/scorecard-method.md.
"""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as all of Spark's own examples call it

from runbook.model.block import Severity
from runbook.model.scorecard import ALL

VERSION = "3"
"""Raised whenever the same evidence would give another number."""

WEIGHTS: dict[Severity, int] = {"info": 1, "low": 2, "medium": 4, "high": 8, "critical": 16}
"""What a check counts by its severity: each step twice the one before. Our judgement: two failing checks of one
severity are as bad as one of the next."""

LEAST_COVERAGE = 90.0
"""Percent of the applicable verdicts that must be known for a score. Our judgement: with a tenth unknown, the score
could still change its meaning."""

EXPIRING_DAYS = 14
"""A waiver that ends within so many days is about to expire. Our judgement: two weekly cards announce it."""

FLAPPING = 3
"""So many changes between pass and fail within FLAPPING_DAYS are flapping. Our judgement: failing, fixed and failing
again is news each time; the third change in a month is a pattern."""

FLAPPING_DAYS = 28

GROUP = ("week", "environment", "runbook", "severity")
"""What identifies a row of the table `scores`."""

SUBJECT = ("environment", "check", "subject")
"""What identifies a verdict of a run."""

MISSING = "missing"
"""The outcome of a check that was expected and brought no verdict."""


def weight(severity: Column) -> Column:
    """The weight of a severity."""
    return F.element_at(F.create_map(*[F.lit(part) for pair in WEIGHTS.items() for part in pair]), severity)


def grouped(counts: DataFrame) -> DataFrame:
    """Repeat each row for every group it counts in: its severity, its runbook, its environment.

    Args:
        counts: as `runbook.scorecard.weekly` gives them.

    Returns:
        The same columns, and `weight`; `runbook` and `severity` are `*` where they stand for all.
    """
    every = F.lit(ALL)
    groups = F.array(
        F.struct(every.alias("runbook"), every.alias("severity")),
        F.struct("runbook", every.alias("severity")),
        F.struct("runbook", "severity"),
    )
    weighed = counts.withColumn("weight", weight(F.col("severity")))
    exploded = weighed.withColumn("group", F.explode(groups)).drop("runbook", "severity")
    return exploded.select("*", "group.runbook", "group.severity").drop("group")


def percent(part: Column, whole: Column) -> Column:
    """A share in percent with one decimal, rounded down so that 100.0 means all; null when there is no whole.

    Both must be whole numbers, which makes the result exact.
    """
    return F.floor(part * 1000 / F.nullif(whole, F.lit(0))) / 10


def whole_days(earlier: Column, later: Column) -> Column:
    """Whole days between two moments."""
    return F.floor((F.unix_timestamp(later) - F.unix_timestamp(earlier)) / 86_400)


def moment(column: Column | str) -> Column:
    """A moment as RFC 3339 text in UTC."""
    return F.date_format(column, "yyyy-MM-dd'T'HH:mm:ss'Z'")


def monday(of: Column | str) -> Column:
    """The day on which the ISO week of a moment begins, in UTC."""
    return F.to_date(F.date_trunc("week", of))


def iso_week(column: Column | str) -> Column:
    """The ISO week of a moment, as in 2026-W47; the session's time zone is UTC."""
    return F.format_string("%04d-W%02d", F.extract(F.lit("YEAROFWEEK"), column), F.weekofyear(column))


def shown(states: DataFrame, *more: Column | str) -> DataFrame:
    """States with the columns that every table of them has, and more."""
    return states.select(
        *("environment", "check", "subject", "runbook", "runbook_version", "check_digest", "severity", "title"),
        *("waived", "reason", "judged", "run", "run_at", "file"),
        whole_days(F.to_timestamp("run_at"), F.col("ends")).alias("age_days"),
        *more,
    )


def surely(condition: Column) -> Column:
    """A condition that is false, not null, where it can't be told."""
    return condition.eqNullSafe(F.expr("true"))
