"""Print what happened on a walk, from its record alone."""

import json
from pathlib import Path

import msgspec

from runbook.model import moment
from runbook.model.errors import UsageError, did_you_mean
from runbook.model.result import Outcome
from runbook.procedure.inventory_seen import changed_inventory
from runbook.procedure.walk_file import find, load, walks_home
from runbook.procedure.walk_record import (
    Begun,
    Done,
    Ended,
    Entry,
    GateSeen,
    Judged,
    Measured,
    NoteTaken,
    Overruled,
    Paused,
    Record,
    Resumed,
    Shown,
    Sighting,
    Skipped,
)
from runbook.procedure.walk_status import standing
from runbook.reports._row_groups import row_text
from runbook.show.walk_page import WalkPage, about, changed_since, figures, in_words, where

WHOLE, CHANGED = 0, 1


def show_walk(word: str, folder: Path | None, format_: str) -> int:
    """Print a record, and give the exit code.

    Raises:
        UsageError: there is no such record, or no such format.
    """
    if format_ not in ("console", "json"):
        raise UsageError(f"--format {format_}: {did_you_mean(format_, ['console', 'json'])}")
    path = find(word, folder or walks_home())
    record = load(path)
    if format_ == "json":
        print(json.dumps(_document(record), indent=2))
    else:
        _Story(record, str(path)).tell()
    return CHANGED if record.fault else WHOLE


def _document(record: Record) -> dict[str, object]:
    return {
        "as_written": record.fault is None,
        "fault": str(record.fault) if record.fault else "",
        "state": standing(record),
        "entries": msgspec.to_builtins(record.entries),
    }


class _Story:
    """A record as a person reads it."""

    def __init__(self, record: Record, place: str) -> None:
        self._record = record
        self._place = place
        self._begun = record.begun
        self._told: list[Entry] = []
        self._page = WalkPage(self._begun.environment, 100, color=False)

    def tell(self) -> None:
        """All of it, the trust one may have in it first."""
        begun, page = self._begun, self._page
        page.say(f"{begun.title} · {begun.procedure} ({begun.runbook} {begun.runbook_version})")
        page.say(f"{where(begun)} · walk {begun.walk} · {standing(self._record)}")
        if self._record.fault:
            page.say(f"NOT AS IT WAS WRITTEN: {self._place}: {self._record.fault}")
        else:
            more = (
                "" if isinstance(self._record.entries[-1], Ended) else "; it has not ended, so its end may lack lines"
            )
            count = len(self._record.entries)
            page.say(f"as it was written, {count} {'entry' if count == 1 else 'entries'}{more}")
        for entry in self._record.entries:
            self._told.append(entry)
            self._entry(entry)

    def _entry(self, entry: Entry) -> None:
        match entry:
            case Shown():
                number = int(entry.stage.rpartition(" ")[2])
                text = self._begun.steps[number - 1] if number <= len(self._begun.steps) else ""
                self._line(entry, f"{entry.stage}: {text}")
            case Done():
                self._line(entry, f"{entry.stage} done, says {entry.by}")
            case Skipped():
                self._line(entry, f"{entry.stage} SKIPPED by {entry.by}: {entry.reason}")
            case Judged():
                cluster = f", cluster {entry.cluster_id}" if entry.cluster_id else ""
                self._line(entry, f"gate {entry.stage}: {'open' if entry.open else 'CLOSED'}{cluster}")
                for seen in entry.seen:
                    self._seen(seen)
            case Overruled():
                checks = ", ".join(entry.checks)
                self._line(entry, f"gate {entry.stage} GONE THROUGH CLOSED by {entry.by} ({checks}): {entry.reason}")
            case Measured():
                self._line(entry, "measured:")
                for line in figures(entry, link=bool(self._begun.source)):
                    self._page.part("-", line, indent=4)
            case Begun() | NoteTaken() | Paused() | Resumed() | Sighting() | Ended():
                self._line(entry, self._course(entry))

    def _course(self, entry: Begun | NoteTaken | Paused | Resumed | Sighting | Ended) -> str:
        """How a walk began, paused, went on or ended, and what was noted and seen meanwhile."""
        match entry:
            case Begun():
                return f"begun by {entry.by}{'' if entry.attended else ', not at a terminal'}"
            case NoteTaken():
                return f"note by {entry.by} at {entry.stage}: {entry.text}"
            case Paused():
                return f"paused by {entry.by}{f': {entry.reason}' if entry.reason else ''}"
            case Resumed():
                said = [changed_since(changed_inventory(self._told)), "a line that was cut off was removed" * entry.cut]
                return "; ".join([f"resumed by {entry.by}", *filter(None, said)])
            case Sighting():
                return f"seen at {entry.stage}: {in_words([entry])}"
            case Ended():
                took = (moment.read(entry.at) - moment.read(self._begun.at)).total_seconds()
                return f"{entry.outcome} by {entry.by} after {took:,.0f} s{f': {entry.reason}' if entry.reason else ''}"

    def _line(self, entry: Entry, text: str) -> None:
        self._page.part(entry.at, text, indent=0)

    def _seen(self, seen: GateSeen) -> None:
        waived = " (waived)" if seen.waived else ""
        word = seen.outcome.upper().replace("_", " ")
        self._page.part(f"{word}{waived}", f"{about(seen, self._begun.environment)}: {seen.reason}", indent=4)
        if seen.outcome in (Outcome.FAIL, Outcome.UNKNOWN):
            for row in seen.rows:
                self._page.part("-", row_text(row), indent=6)
