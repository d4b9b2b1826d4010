"""Timestamps of records, as facts write them."""

import datetime as dt
from typing import Final

from runbook.model import moment
from runbook.model.quantity import Moment, Timestamp

LATEST: Final = dt.datetime(9999, 12, 31, 23, 59, 59, 999_000, tzinfo=dt.UTC)


def written(timestamp: Timestamp) -> Moment | None:
    """Write a record's timestamp; None for none.

    A producer may write any number: microseconds, taken for milliseconds, are of the year 58,000. What RFC 3339 can't
    write is written as its last moment, so that such a record is known to be from the future.
    """
    if timestamp < 0:
        return None
    try:
        at = dt.datetime.fromtimestamp(timestamp / 1000, dt.UTC)
    except (OverflowError, ValueError, OSError):
        at = LATEST
    return Moment(moment.written(at))
