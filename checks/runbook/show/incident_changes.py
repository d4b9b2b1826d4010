"""The part of an incident's page about what changed."""

from collections.abc import Iterator, Sequence

from runbook.changes.wording import WORDS, as_before, sentence, unseen_rows
from runbook.incident.changes import SeenChange, seen_changes
from runbook.incident.record import ObservationSince
from runbook.reports.markdown import plain
from runbook.show.incident_summary import readable

_CHANGES = 30  # lines; our judgement: what is more is no page for people


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
