"""Moments on pages: the page carries the moment itself, and how long ago it was is said when somebody looks at it.

A page is built once and read for weeks. "Just now" would be true on its first day, and stay there when the job that
builds pages has died. So what one reads without JavaScript is the moment; `docs/scripts/ages.js` turns it into an age,
and says what was to be renewed since and was not. What was promised, `site_footer` writes at the foot of each page.
"""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from markupsafe import Markup, escape

FORM = "%Y-%m-%d %H:%M UTC"
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


def moment(text: str) -> datetime:
    """A time of ours; one that can't be read is as old as can be, so that it never looks fresh."""
    try:
        parsed = datetime.fromisoformat(text)
    except ValueError:
        return LONG_AGO
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)


def when(text: str | None, *, short: bool = False, renewed: bool = False) -> Markup | None:
    """A moment as an element that the browser adds the age to.

    Args:
        text: RFC 3339; None is not known, and one that can't be read is shown as it stands.
        short: whether the age takes the moment's place, for where there is little room.
        renewed: whether a new one was promised in time: the browser says so if it is older.
    """
    if text is None:
        return None
    at = moment(text)
    if at is LONG_AGO:
        return Markup('<span class="rb-note">at no moment that can be read: {}</span>').format(text)
    at = at.astimezone(UTC)
    words = " ".join([*(["short"] if short else []), *(["renewed"] if renewed else [])])
    shape = Markup('<time datetime="{}" data-age="{}">{}</time>')
    return shape.format(f"{at:%Y-%m-%dT%H:%M:%SZ}", words, f"{at:{FORM}}")


def until(day: str) -> Markup:
    """The last day on which something holds, in UTC, as an element that the browser adds what is left to."""
    try:
        datetime.strptime(day, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        return escape(day)
    return Markup('<time datetime="{0}" data-until>{0}</time>').format(day)


def oldest(moments: Iterable[str]) -> str | None:
    """The oldest of these; None of none."""
    return min(moments, key=moment, default=None)


def newest(moments: Iterable[str]) -> str | None:
    """The newest of these; None of none."""
    return max(moments, key=moment, default=None)


def site_footer(what: str, at: str | None, promised: timedelta) -> Markup:
    """The line at the foot of each page: how new what it shows is, and how often that is renewed.

    Args:
        what: what is renewed, in words that begin a sentence.
        at: the moment of the newest; None if there is none.
        promised: the age above which it was not renewed in time.
    """
    if at is None:
        return Markup('<span class="rb-as-of">{}: none yet</span>').format(what)
    shape = Markup('<span class="rb-as-of" data-what="{0}" data-promised="{1}">{0}: {2}</span>')
    return shape.format(what, int(promised.total_seconds()), when(at, renewed=True))
