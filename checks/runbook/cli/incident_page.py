"""The record of an incident, as one Markdown page for the review afterwards."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from runbook.changes.difference import Comparison
from runbook.changes.wording import WORDS, sentence, unseen_rows
from runbook.cli.incident_events import NAMED, Event, LookOnRecord, Span, events_of_looks, events_of_walk
from runbook.evidence.lines import ResultLine
from runbook.judge.summary import counted, some
from runbook.model.result import Outcome
from runbook.procedure.walk_record import Record
from runbook.reports.markdown import plain

_CHANGES = 30  # lines; our judgement: what is more is no page for people


class IncidentRecord(Struct, frozen=True):
    """What is on record.

    Attributes:
        span: of what environment, from when to when.
        looks: its runs, the oldest first.
        walks: procedures that were walked or drilled there.
        changes: what changed from the first kept look of facts to the last; None where fewer than two are kept.
        lacks: what could not be looked at, and why.
    """

    span: Span
    looks: list[LookOnRecord]
    walks: list[Record]
    changes: Comparison | None
    lacks: list[str]


def incident_page(record: IncidentRecord) -> str:
    """The page: nothing that others wrote is Markdown or HTML of its own there."""
    span = record.span
    lines = [
        f"# Incident record: {plain(span.environment)}",
        "",
        f"From {span.begin} to {span.end}, all times in UTC. Made from what was kept; nothing was asked.",
        "",
        *_in_short(record),
        *_timeline(record),
        *_unknown(record.looks),
        *_changed(record.changes),
        *_lacks(record),
    ]
    return "\n".join(lines).rstrip() + "\n"


def _in_short(record: IncidentRecord) -> Iterator[str]:
    yield "## In short"
    yield ""
    for says, seen in _causes(record.looks).items():
        yield f"- **Cause**, named from {_time(seen[0])} to {_time(seen[-1])}: {plain(says)}"
    failed = _ever(record.looks, Outcome.FAIL)
    still = [line for line in _last(record.looks) if line.outcome is Outcome.FAIL and not line.waived]
    yield f"- {counted(len(record.looks), 'look')}; {counted(len(failed), 'check')} failed at some time."
    if record.looks:
        names = plain(some([line.check for line in still], NAMED))
        last = _time(record.looks[-1].run.started_at)
        yield f"- When last looked at, until {last}, {f'{len(still)} failed: {names}' if still else 'none failed'}."
    for walk in record.walks:
        yield f"- {plain(walk.begun.procedure)}: {plain(walk.begun.title)}, begun by {plain(walk.begun.by)}"
    yield ""


def _timeline(record: IncidentRecord) -> Iterator[str]:
    events = [*events_of_looks(record.looks)]
    for walk in record.walks:
        events += events_of_walk(walk, record.span)
    yield "## What happened"
    yield ""
    if not events:
        yield "Nothing is on record."
        yield ""
        return
    yield "| when | who | what |"
    yield "|---|---|---|"
    for event in sorted(events, key=_when):
        yield f"| {_time(event.at)} | {plain(event.who)} | {plain(event.what)} |"
    yield ""


def _unknown(looks: Sequence[LookOnRecord]) -> Iterator[str]:
    """What could not be found out, with the reasons and the looks from and to which that was so."""
    seen: dict[tuple[str, str], list[str]] = {}
    for look in looks:
        for result in look.results:
            if result.outcome is Outcome.UNKNOWN:
                seen.setdefault((result.check, result.reason), []).append(look.run.started_at)
    if not seen:
        return
    yield "## What was not known"
    yield ""
    yield "| from | to | check | why |"
    yield "|---|---|---|---|"
    for (check, reason), at in seen.items():
        yield f"| {_time(at[0])} | {_time(at[-1])} | {plain(check)} | {plain(reason)} |"
    yield ""


def _changed(found: Comparison | None) -> Iterator[str]:
    if found is None:
        return
    changes = found.changes
    yield "## What changed between the first and the last kept facts"
    yield ""
    yield from (f"- {WORDS[change.kind]} {plain(sentence(change))}" for change in changes[:_CHANGES])
    if len(changes) > _CHANGES:
        yield f"- {len(changes) - _CHANGES:,} more"
    if not changes:
        yield "Nothing of what was seen twice." if found.rows else "Nothing could be compared: nothing was seen twice."
    if found.unseen:
        yield ""
        yield "Whether this changed is not known, as one look did not see it:"
        yield ""
        for one in found.unseen[:_CHANGES]:
            look = "first" if one.look == "old" else "last"
            yield f"- the {look} look: {plain(f'{one.reason}: {unseen_rows(one)}')}"
        if len(found.unseen) > _CHANGES:
            yield f"- {len(found.unseen) - _CHANGES:,} more"
    yield ""


def _lacks(record: IncidentRecord) -> Iterator[str]:
    yield "## What is not in this record"
    yield ""
    yield "- What was done without the tool: other commands, other people's terminals, conversations."
    flawed = [f"run {look.run.run}: {flaw}" for look in record.looks for flaw in look.flaws]
    flawed += [f"walk {walk.begun.walk}: {walk.fault}" for walk in record.walks if walk.fault]
    yield from (f"- {plain(sentence)}" for sentence in [*record.lacks, *flawed])


def _causes(looks: Sequence[LookOnRecord]) -> dict[str, list[str]]:
    """Each cause, as it said itself, with the looks that named it."""
    found: dict[str, list[str]] = {}
    for look in looks:
        for cause in look.run.named_causes:
            found.setdefault(cause.says, []).append(look.run.started_at)
    return found


def _ever(looks: Sequence[LookOnRecord], outcome: Outcome) -> set[str]:
    return {
        result.check for look in looks for result in look.results if result.outcome is outcome and not result.waived
    }


def _last(looks: Sequence[LookOnRecord]) -> list[ResultLine]:
    """The last that was found out of each check."""
    last = {(result.check, result.subject): result for look in looks for result in look.results}
    return list(last.values())


def _when(event: Event) -> str:
    return event.at


def _time(at: str) -> str:
    return at[:19].replace("T", " ")
