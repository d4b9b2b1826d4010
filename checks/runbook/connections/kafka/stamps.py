"""Timestamps of records, as facts write them."""

import datetime as dt

from runbook.engine import moment


def written(timestamp: int) -> str | None:
    """Write a record's timestamp, in ms since 1970; None for none, and for what is no time."""
    if timestamp < 0:
        return None
    try:
        return moment.written(dt.datetime.fromtimestamp(timestamp / 1000, dt.UTC))
    except (OverflowError, ValueError, OSError):  # a producer may have written any number
        return None
