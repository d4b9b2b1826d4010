"""Apply waivers: the check still ran and its outcome stays; the excused rows are marked."""

import datetime as dt
from collections.abc import Sequence
from fnmatch import fnmatchcase

from msgspec import Struct, structs

from runbook.model.column import Column
from runbook.model.errors import did_you_mean
from runbook.model.result import JudgedRow, Outcome, Verdict, WaiverUse
from runbook.parse.inventory import Waiver


class Waived(Struct, frozen=True):
    """What waivers do to a verdict: the rows as marked, the waiver in force, if any, and all that something needs."""

    rows: list[JudgedRow]
    use: WaiverUse | None
    notes: list[str]
    needed: list[Waiver]


def apply_waivers(
    check: str, verdict: Verdict, columns: Sequence[Column], waivers: Sequence[Waiver], now: dt.datetime
) -> Waived:
    """Apply the waivers that name a check to its verdict.

    Args:
        check: the check's global name.
        verdict: what was judged.
        columns: the columns of the judged fact, for patterns over entities.
        waivers: all waivers of the environment.
        now: those that expired before it do not count.

    Returns:
        The rows, with those marked that a waiver names; notes on waivers expired or not needed. A waiver is needed
        if it excuses something, and also if what it names may fail unseen.
    """
    mine = [waiver for waiver in waivers if waiver.check == check]
    notes = [f"the waiver of {w.owner} for {check} expired on {w.expires}" for w in mine if w.expired(now)]
    valid = [waiver for waiver in mine if not waiver.expired(now)]
    rows = list(verdict.rows)
    use: WaiverUse | None = None
    needed: list[Waiver] = []
    for waiver in valid:
        hits = [i for i, row in enumerate(rows) if row.outcome == "fail" and _names(waiver, row, columns)]
        whole = not waiver.rows and verdict.outcome is Outcome.FAIL
        if not hits and not strange_rows(waiver, columns) and _may_fail(waiver, verdict, columns):
            needed.append(waiver)  # whether something it names fails is unknown: nobody may call it unused
            continue
        if not hits and not whole:
            notes.append(f"the waiver of {waiver.owner} for {check} {_excuses_nothing(waiver, columns)}")
            continue
        needed.append(waiver)
        for i in hits:
            rows[i] = structs.replace(rows[i], waived=True)
        count = verdict.failed if whole else _excused(verdict, rows)
        if use is None or count > use.rows:
            use = WaiverUse(waiver.owner, waiver.reason, waiver.expires, count)
    return Waived(rows, use, notes, needed)


def _may_fail(waiver: Waiver, verdict: Verdict, columns: Sequence[Column]) -> bool:
    """Whether something that a waiver names may fail, though no row that is kept does."""
    if verdict.outcome is Outcome.FAIL and waiver.rows:
        kept = len(verdict.rows) >= verdict.failed + verdict.undecided
        doubtful = any(row.outcome == "unknown" and _names(waiver, row, columns) for row in verdict.rows)
        return bool(verdict.gaps) or not kept or doubtful
    return verdict.outcome is Outcome.UNKNOWN


def _excused(verdict: Verdict, rows: Sequence[JudgedRow]) -> int:
    """How much of what failed is waived row by row; all of it only if every offending row is kept and waived.

    Rows and failures are not the same count: of rows that disagree, several make one failure, and of very many
    offending rows not all are kept.
    """
    offending = [row for row in rows if row.outcome == "fail"]
    waived = sum(row.waived for row in offending)
    if waived == len(offending) and len(offending) >= verdict.failed:
        return verdict.failed
    return min(waived, verdict.failed - 1)


def strange_rows(waiver: Waiver, columns: Sequence[Column]) -> list[str]:
    """What the rows of a waiver go by and the rows of its check, which have these columns, do not have."""
    return [name for name in waiver.rows if name not in _names_of_rows(columns)]


def meant_by(name: str, columns: Sequence[Column]) -> str:
    """What to write in a waiver instead of a name that rows with these columns do not have."""
    known = _names_of_rows(columns)
    return did_you_mean(name, known) if known else "the check has no rows to name; leave rows: out"


def _names_of_rows(columns: Sequence[Column]) -> list[str]:
    return sorted({word for column in columns if column.key for word in (column.name, column.entity) if word})


def _excuses_nothing(waiver: Waiver, columns: Sequence[Column]) -> str:
    """Why a waiver excuses nothing: its rows go by what they do not have, or nothing of it fails."""
    strange = strange_rows(waiver, columns)
    if not strange:
        return "is not needed: nothing it names fails"
    named = ", ".join(f'"{name}"' for name in strange)
    return f"excuses nothing: its rows: names {named}; {meant_by(strange[0], columns)}"


def _names(waiver: Waiver, row: JudgedRow, columns: Sequence[Column]) -> bool:
    entities = {column.entity: column.name for column in columns if column.key and column.entity}
    for name, pattern in waiver.rows.items():
        value = row.key.get(name, row.key.get(entities.get(name, "")))
        if value is None or not fnmatchcase(str(value), pattern):
            return False
    return True
