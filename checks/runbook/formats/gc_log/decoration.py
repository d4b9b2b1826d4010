"""What stands in brackets before a message of unified logging, in any combination and order (JEP 158)."""

import datetime as dt
import re

from runbook.formats.gc_log.event import Moment, decimal

_SPAN = re.compile(r"([0-9]{1,19}(?:[.,][0-9]{1,19})?)(s|ms|ns)")
_DATED = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T")
_SECONDS = {"s": 1.0, "ms": 1e-3, "ns": 1e-9}
# More milliseconds than a JVM can have been up (31 years) are a time since 1970.
_EPOCH_MS = 1e12
_LATEST = 4_102_444_800.0  # the year 2100; what is said to be later, or before 1970, was garbled

NOWHEN = Moment()


def moment(decorations: str, boot: float | None = None) -> Moment:
    """Read the time out of decorations.

    Args:
        decorations: the text from the first to the last bracket, both left out: `2026-11-21T16:10:53.638+0000][gc`.
        boot: when the JVM started, seconds since 1970, where the log tells its uptime only and this is known.
    """
    wall = uptime = None
    for part in decorations.split("]["):
        if not part[:1].isdigit():
            continue  # level, tags, a host's name
        if part[4:5] == "-" and _DATED.match(part):
            wall = _wall(part)
        elif span := _SPAN.fullmatch(part.strip()):
            value = decimal(span[1])
            if span[2] == "ms" and value >= _EPOCH_MS:
                wall = _sane(value / 1000)
            else:
                uptime = value * _SECONDS[span[2]]
    if wall is None and uptime is not None and boot is not None:
        wall = boot + uptime
    return Moment(wall, uptime)


def _wall(text: str) -> float | None:
    """Seconds since 1970 of a date with its offset; a log without offsets would leave it open which hour it was."""
    try:
        time = dt.datetime.fromisoformat(text.strip())
        return _sane(time.timestamp()) if time.tzinfo else None
    except (ValueError, OverflowError):
        return None


def _sane(wall: float) -> float | None:
    return wall if 0 <= wall < _LATEST else None


def dated(text: str) -> float | None:
    """Seconds since 1970 of a date as JDK 8 writes it."""
    return _wall(text)
