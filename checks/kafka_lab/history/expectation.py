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
        checks = [definition.expected(week) for definition in definitions if definition.begins <= week]
        books = {definition.runbook: definition for definition in definitions if definition.begins <= week}
        expected = {
            environment.name: [name for name, check in books.items() if check.applies(environment.tier)]
            for environment in environments
            if environment.expected(week)
        }
        at = calendar.moment(week, day=0, minute=_MINUTE)
        if at is not None and (checks, expected) != before:
            before = (checks, expected)
            yield Snapshot(at, __version__, expected, checks)
