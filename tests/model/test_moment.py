import datetime as dt

from runbook.model import moment


def test_a_moment_of_any_zone_is_written_in_utc_with_a_z():
    there = dt.datetime(2026, 1, 1, 1, 30, tzinfo=dt.timezone(dt.timedelta(hours=2)))
    assert moment.written(there) == "2025-12-31T23:30:00.000Z"


def test_what_is_written_is_read_back():
    text = moment.now()
    assert moment.written(moment.read(text)) == text
    assert moment.read(text).utcoffset() == dt.timedelta(0)
