"""Timestamps of records, as facts write them."""

import datetime as dt

from runbook.model import moment
from runbook.model.quantity import Moment, Timestamp


def written(timestamp: Timestamp) -> Moment | None:
    """Write a record's timestamp; None for none, and for what is no time."""
    if timestamp < 0:
        return None
    try:
        return Moment(moment.written(dt.datetime.fromtimestamp(timestamp / 1000, dt.UTC)))
    except (OverflowError, ValueError, OSError):  # a producer may have written any number
        return None
