"""The record of an incident, as one Markdown page for the review afterwards."""

from collections.abc import Iterator, Sequence

from runbook.incident.events import Event, events_of_runs, events_of_walk
from runbook.incident.record import IncidentRecord, RecordedRun
from runbook.model.result import Outcome
from runbook.reports.markdown import plain
from runbook.show.incident_changes import changes_section
from runbook.show.incident_summary import in_short, readable, seen_at


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
