"""Moments, as everything that is kept writes them: RFC 3339 in UTC, with milliseconds and a Z."""

import datetime as dt
import re

_FORM = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")


def now() -> str:
    """The present moment, as `2026-11-21T11:04:30.228Z`."""
    return written(dt.datetime.now(dt.UTC))


def written(moment: dt.datetime) -> str:
    """A moment of any zone, in that form."""
    return moment.astimezone(dt.UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def read(text: str) -> dt.datetime:
    """The moment that such a text names."""
    return dt.datetime.fromisoformat(text)


def is_moment(text: str) -> bool:
    """Whether a text is a moment in that form; the fraction of a second may be missing."""
    try:
        return bool(_FORM.fullmatch(text)) and dt.datetime.fromisoformat(text) is not None
    except ValueError:
        return False
