"""The record of an incident, as one Markdown page for the review afterwards."""

from collections.abc import Iterator, Sequence

from runbook.changes.wording import WORDS, as_before, sentence, unseen_rows
from runbook.incident.changes import SeenChange, seen_changes
from runbook.incident.events import Event, events_of_runs, events_of_walk
from runbook.incident.record import IncidentRecord, ObservationSince, RecordedRun
from runbook.model.result import Outcome
from runbook.reports.markdown import plain
from runbook.show.incident_summary import in_short, readable, seen_at

_CHANGES = 30  # lines; our judgement: what is more is no page for people


def incident_page(record: IncidentRecord) -> str:
    """The page: nothing that others wrote is Markdown or HTML of its own there."""
    span = record.seen.span
    lines = [
        f"# Incident record: {plain(span.environment)}",
        "",
        f"From {span.begin} to {span.end}, all times in UTC. Made from what was kept; nothing was asked.",
        "",
        *in_short(record.seen),
        *_timeline(record),
        *_unknown(record.seen.looks),
        *changes_section(record.changes),
        *_lacks(record),
    ]
    return "\n".join(lines).rstrip() + "\n"


def _timeline(record: IncidentRecord) -> Iterator[str]:
    events = [*events_of_runs(record.seen.looks, record.seen.before)]
    for walk in record.seen.walks:
        events += events_of_walk(walk, record.seen.span)
    yield "## What happened"
    yield ""
    if not events:
        yield "Nothing is on record."
        yield ""
        return
    yield "| when | who | what |"
    yield "|---|---|---|"
    for event in sorted(events, key=_when):
        yield f"| {readable(event.at)} | {plain(event.who)} | {plain(event.what)} |"
    yield ""


def _unknown(looks: Sequence[RecordedRun]) -> Iterator[str]:
    """What could not be found out, by its reason: of what one broker that is gone hides, a line."""
    reasons: dict[str, list[tuple[str, str]]] = {}
    for look in looks:
        for result in look.results:
            if result.outcome is Outcome.UNKNOWN:
                reasons.setdefault(result.reason, []).append((look.run.started_at, result.check))
    if not reasons:
        return
    yield "## What was not known"
    yield ""
    yield "| when | why | what |"
    yield "|---|---|---|"
    for reason, seen in reasons.items():
        names = ", ".join(dict.fromkeys(check for _, check in seen))
        yield f"| {seen_at([at for at, _ in seen])} | {plain(reason)} | {plain(names, len(names))} |"
    yield ""


def _lacks(record: IncidentRecord) -> Iterator[str]:
    yield "## What is not in this record"
    yield ""
    yield "- What was done without the tool: other commands, other people's terminals, conversations."
    yield "- Looks whose results were not kept: write results: into the inventory, or --results with a check."
    flawed = [f"run {look.run.run}: {flaw}" for look in record.seen.looks for flaw in look.flaws]
    flawed += [f"walk {walk.begun.walk}: {walk.fault}" for walk in record.seen.walks if walk.fault]
    yield from (f"- {plain(sentence)}" for sentence in [*record.lacks, *flawed])


def _when(event: Event) -> str:
    return event.at


def changes_section(looks: Sequence[ObservationSince]) -> Iterator[str]:
    """The part of an incident's page about them; nothing where no two looks are kept."""
    if not looks:
        return
    last = looks[-1].found
    seen = seen_changes(looks)
    yield f"## What changed since the kept facts of {readable(last.old)}"
    yield ""
    yield from (_line(one) for one in seen[:_CHANGES])
    if len(seen) > _CHANGES:
        yield f"- {len(seen) - _CHANGES:,} more"
    if not seen:
        compared = any(look.found.rows for look in looks)
        yield "Nothing of what was seen twice." if compared else "Nothing could be compared: nothing was seen twice."
    if last.unseen:
        yield ""
        yield "Whether this changed is unknown, as only one observation saw it:"
        yield ""
        for one in last.unseen[:_CHANGES]:
            look = "first" if one.look == "old" else "last"
            yield f"- the {look} look: {plain(f'{one.reason}: {unseen_rows(one)}')}"
        if len(last.unseen) > _CHANGES:
            yield f"- {len(last.unseen) - _CHANGES:,} more"
    yield ""


def _line(one: SeenChange) -> str:
    if one.back:
        return f"- {readable(one.at)} as before again: {plain(as_before(one.change))}"
    return f"- {readable(one.at)} {WORDS[one.change.kind]} {plain(sentence(one.change))}"
