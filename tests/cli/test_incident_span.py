"""Between which moments an incident was."""

import datetime as dt

import pytest

from runbook.incident.stored_records import span_of
from runbook.model.errors import UsageError

NOW = dt.datetime(2026, 11, 24, 18, 0, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("begin", "end", "expected"),
    [
        ("17:02", "", ("2026-11-24T17:02", "2026-11-24T18:00")),
        ("23:30", "01:15", ("2026-11-23T23:30", "2026-11-24T01:15")),
        ("6:02Z", "18:30:05", ("2026-11-24T06:02", "2026-11-24T18:30")),
        ("2026-11-20T06:00", "08:30", ("2026-11-20T06:00", "2026-11-20T08:30")),
        ("2026-11-20T06:00+02:00", "04:30", ("2026-11-20T04:00", "2026-11-20T04:30")),
    ],
)
def test_a_time_without_a_date_is_the_last_there_was_and_then_the_next(begin: str, end: str, expected: tuple[str, str]):
    span = span_of("prod", begin, end, NOW)
    assert (span.environment, span.begin[:16], span.end[:16]) == ("prod", *expected)


@pytest.mark.parametrize(
    ("begin", "said"),
    [
        ("18:00", "--from 18:00 is not before --to now"),
        ("24:00", "--from 24:00: write a moment"),
        ("17:60", "17:60: w"),
    ],
)
def test_a_time_that_is_none_or_is_now_is_refused(begin: str, said: str):
    with pytest.raises(UsageError, match=said):
        span_of("prod", begin, "", NOW)
