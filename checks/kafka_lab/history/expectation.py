"""The dated snapshots of a history: what was expected, whenever that changed."""

from collections.abc import Iterator, Sequence

from kafka_lab.history.calendar import Calendar
from kafka_lab.history.definitions import InventedCheck
from kafka_lab.history.environments import MadeEnvironment
from runbook import __version__
from runbook.evidence.snapshot import Snapshot

_MINUTE = 30  # of Monday: before the first run of the week


def snapshots(
    environments: Sequence[MadeEnvironment], definitions: Sequence[InventedCheck], calendar: Calendar
) -> Iterator[Snapshot]:
    """Tell the snapshots: one in the first week, and one in each week in which something was expected anew."""
    before = None
    for week in range(calendar.weeks):
        checks = [one.expected(week) for one in definitions if one.begins <= week]
        books = {one.runbook: one for one in definitions if one.begins <= week}
        expected = {
            environment.name: [name for name, one in books.items() if one.applies(environment.tier)]
            for environment in environments
            if environment.expected(week)
        }
        at = calendar.moment(week, day=0, minute=_MINUTE)
        if at is not None and (checks, expected) != before:
            before = (checks, expected)
            yield Snapshot(at, __version__, expected, checks)
