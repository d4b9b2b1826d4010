"""Write a history as a results store, through the engine's own writer."""

import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from kafka_lab.history.calendar import Calendar
from kafka_lab.history.chance import digest
from kafka_lab.history.definitions import InventedCheck, definitions, most_definitions
from kafka_lab.history.environments import MadeEnvironment, environments
from kafka_lab.history.runs import runs_of
from runbook import __version__
from runbook.evidence.snapshot import Snapshot, write_snapshot
from runbook.evidence.store import write_atomically, write_run
from runbook.model.errors import UsageError

_MOST_ENVIRONMENTS = 1000  # our judgement: beyond, the names would look alike
_MINUTE = 30  # of Monday: before the first run of the week


class HistorySize(Struct, frozen=True):
    """How large a history is, and which one of its size.

    Attributes:
        until: its last day; the week of that day is the last.
        environments, checks, weeks: how many; not every check applies everywhere.
        seed: another one gives another history of the same size.
    """

    until: dt.date
    environments: int = 50
    checks: int = 200
    weeks: int = 52
    seed: int = 1


class WrittenHistory(Struct, frozen=True):
    """How much was written."""

    runs: int
    results: int


def write_history(store: Path, history: HistorySize, progress: Callable[[str], None]) -> WrittenHistory:
    """Write a history; the same one gives the same bytes.

    Args:
        store: a folder without results; it need not exist.
        history: what to write.
        progress: is told of every environment.

    Raises:
        UsageError: there are results in the folder already, or the size makes no sense.
    """
    _refuse(store, history)
    calendar = Calendar(history.until, history.weeks)
    checks = definitions(history.checks, history.weeks, history.seed)
    made = environments(history.environments, history.weeks, history.seed)
    for snapshot in snapshots(made, checks, calendar):
        stamp = snapshot.at[:19].replace("-", "").replace(":", "")
        file = f"{stamp}Z-{digest(history.seed, snapshot.at)[:12]}.json"
        write_atomically(store / "expected" / snapshot.at[:10] / file, write_snapshot(snapshot))
    runs = results = 0
    for number, environment in enumerate(made, start=1):
        for run in runs_of(environment, checks, calendar, history.seed):
            write_run(store, run)
            runs += 1
            results += len(run.results)
        progress(f"{number} of {len(made)}: {environment.name}, {results} results so far")
    return WrittenHistory(runs, results)


def _refuse(store: Path, history: HistorySize) -> None:
    for name, least, most in (
        ("environments", 1, _MOST_ENVIRONMENTS),
        ("checks", 1, most_definitions()),
        ("weeks", 1, 520),
    ):
        asked = getattr(history, name)
        if not least <= asked <= most:
            raise UsageError(f"a history of {asked} {name} can't be made: give {least} to {most}")
    there = next(store.glob("runs/*/*/*.jsonl"), None)
    if there is not None:
        kind = "generated" if _is_generated(there) else "measured"
        raise UsageError(
            f"{store} holds {kind} results already, such as {there.relative_to(store)}: results that are made up go to "
            "a folder of their own; name one that is empty or not there"
        )


def _is_generated(file: Path) -> bool:
    with file.open("rb") as lines:
        try:
            return msgspec.json.decode(lines.readline()).get("generated") is True
        except (msgspec.DecodeError, AttributeError):
            return False


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
