"""What is due: how the definitions of one week and the next are compared."""

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from pyspark.sql import SparkSession

from runbook.scorecard.agenda import Due, redefined

MONDAY = dt.date(2026, 11, 16)
Compared = Callable[[dict[int, str]], list[tuple[str, ...]]]


@pytest.fixture
def compared(spark: SparkSession) -> Compared:
    """Compare the agendas of weeks, given by how many weeks ago they were due."""
    checks = [
        ("ha", "old", "ha/a", "d1", "1.0.0"),
        ("ha", "old", "ha/b", "d1", "1.0.0"),
        ("ha", "new", "ha/a", "d2", "1.1.0"),
        ("ha", "new", "ha/b", "d1", "1.1.0"),
        ("ha", "new", "ha/c", "d1", "1.1.0"),
    ]

    def compare(agendas: dict[int, str]) -> list[tuple[str, ...]]:
        weeks = [("prod", "ha", MONDAY - dt.timedelta(weeks=ago), name) for ago, name in agendas.items()]
        due = Due(
            spark.createDataFrame(weeks, "environment string, runbook string, monday date, agenda string"),
            spark.createDataFrame(
                checks, "runbook string, agenda string, check string, check_digest string, runbook_version string"
            ),
        )
        rows: list[Any] = redefined(due).collect()
        return sorted(tuple(row) for row in rows)

    return compare


def test_a_check_is_redefined_where_its_digest_differs_and_only_if_both_weeks_have_it(compared: Compared) -> None:
    assert compared({1: "old", 0: "new"}) == [("2026-W47", "prod", "ha/a", "ha", "1.1.0", "1.0.0")]


@pytest.mark.parametrize("agendas", [{1: "new", 0: "new"}, {2: "old", 0: "new"}])
def test_the_same_agenda_and_one_of_an_earlier_week_change_nothing(compared: Compared, agendas: dict[int, str]) -> None:
    assert compared(agendas) == []
