"""The weeks of a history, and when in them runs begin."""

import datetime as dt

from msgspec import Struct

from runbook.model import moment


class Calendar(Struct, frozen=True):
    """The weeks of a history, counted from 0; the last is the one with the day `until`."""

    until: dt.date
    weeks: int

    def monday(self, week: int) -> dt.date:
        """The first day of a week."""
        last = self.until - dt.timedelta(days=self.until.weekday())
        return last - dt.timedelta(weeks=self.weeks - 1 - week)

    def moment(self, week: int, *, day: int, minute: int) -> str | None:
        """A moment of a week as runs write it, or None if it is after the end of the history.

        Args:
            week: from 0.
            day: from Monday, 0.
            minute: of the day, in UTC.
        """
        date = self.monday(week) + dt.timedelta(days=day)
        if date > self.until:
            return None
        begun = dt.datetime.combine(date, dt.time(tzinfo=dt.UTC)) + dt.timedelta(minutes=minute)
        return moment.written(begun)
