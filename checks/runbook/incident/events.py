"""What is on record of an incident between two moments: runs of an environment, and walks there."""

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct, structs

from runbook.evidence.lines import ResultLine, RunLine
from runbook.evidence.lines_of_today import run_of_today
from runbook.evidence.reading import examine
from runbook.evidence.store import Store
from runbook.evidence.store_layout import EXPECTED
from runbook.incident.record import RecordedRun, Span
from runbook.incident.run_marks import marks
from runbook.judge.summary import some
from runbook.model.result import Outcome
from runbook.procedure.walk_file import kept
from runbook.procedure.walk_record import (
    Begun,
    Done,
    Ended,
    Entry,
    Judged,
    Measured,
    NoteTaken,
    Overruled,
    Paused,
    Record,
    Resumed,
    Sighting,
    Skipped,
)
from runbook.run.sources.runbooks import old_names_in_force


class Event(Struct, frozen=True):
    """Something that happened: when, who or what did it, and what it was."""

    at: str
    who: str
    what: str


def recorded_runs(store: Store, span: Span) -> list[RecordedRun]:
    """The runs of the environment that began in the span, the oldest first; those judged from a bundle left out.

    Raises:
        UsageError: the store can't be looked at.
    """
    days = (span.begin[:10], span.end[:10])
    found = []
    names = old_names_in_force()
    for file in store.read(lambda path, _: _is_meant(path, span.environment, days)):
        lines = [*examine(file.content, file.path)] if not file.trouble else []
        flaws = (
            [file.trouble] if file.trouble else [f"line {line.number}: {line.reason}" for line in lines if line.reason]
        )
        heads = [line.record for line in lines if isinstance(line.record, RunLine)]
        if heads and span.holds(heads[0].started_at) and not heads[0].rejudged:
            results = [line.record for line in lines if isinstance(line.record, ResultLine)]
            told = [structs.replace(one, check=names.get(one.check, one.check)) for one in results]
            found.append(RecordedRun(run_of_today(heads[0], names), told, flaws))
    return sorted(found, key=lambda one: (one.run.started_at, one.run.run))


def _is_meant(path: str, environment: str, days: tuple[str, str]) -> bool:
    kind, of, day, *_ = [*path.split("/"), "", "", ""]
    return kind != EXPECTED and of == environment and days[0] <= day <= days[1]


def events_of_runs(looks: Sequence[RecordedRun], before: Sequence[RecordedRun]) -> Iterator[Event]:
    """Of each run how its checks came out, its causes, and what turned since each check was last judged.

    Args:
        looks: the runs.
        before: those of the day before: what failed even then is told apart, once.
    """
    last: _Outcomes = {}
    for look in before:
        last = _after(look, last, {"pass"})
    untold = set(last)
    for look in looks:
        for event in _of_look(look, last, untold):
            yield Event(look.run.started_at, f"check ({look.run.trigger})", event)
        last = _after(look, last, {"pass", "fail", _WAIVED})
        untold -= {(result.check, result.subject) for result in look.results}


_Outcomes = dict[tuple[str, str], str]
"""Check and subject → how it came out when it was last judged."""


def _after(look: RecordedRun, last: _Outcomes, told: Collection[str]) -> _Outcomes:
    """How each check came out when it was last judged.

    What does not apply any more is not unknown any more. How else it came out stays in mind where it is `told`: what
    passes again is no news then, and that it passes after it had failed is.
    """
    ended = {(result.check, result.subject) for result in look.results if result.outcome is Outcome.NOT_APPLICABLE}
    return {key: how for key, how in last.items() if key not in ended or how in told} | {
        key: _how(result) for result in look.results if (key := (result.check, result.subject)) not in ended
    }


def _of_look(look: RecordedRun, last: _Outcomes, untold: set[tuple[str, str]]) -> Iterator[str]:
    found = [_how(result) for result in look.results]
    counts = [f"{found.count(how)} {how}" for how in _TOLD if how != _WAIVED or how in found]
    yield f"{', '.join(counts)} {marks(look.run)}".strip()
    for cause in look.run.named_causes:
        yield f"cause: {cause.says}"
    for how, word in _TOLD.items():
        new = how if how == Outcome.PASS.value else None  # that something passes for the first time is no news
        turned = dict.fromkeys(
            result.check
            for result in look.results
            if _how(result) == how and last.get((result.check, result.subject), new) != how
        )
        if turned:
            yield f"{word} now: {some([*turned], NAMED)}"
        keys = [(result.check, result.subject) for result in look.results if _how(result) == how]
        stood = [key[0] for key in keys if key in untold and last[key] == how]
        if stood and how in _STOOD:
            yield f"{_STOOD[how]}: {some([*dict.fromkeys(stood)], NAMED)}"


def _how(result: ResultLine) -> str:
    """How a check came out, where a failure that is excused is none: as reports of a run count it."""
    return _WAIVED if result.waived else result.outcome.value


_WAIVED: Final = "waived"
_TOLD = {"pass": "passes", "fail": "fails", "unknown": "unknown", _WAIVED: "fails, and is waived,"}
_STOOD = {
    "fail": "failed before, and still",
    "unknown": "unknown before, and still",
    _WAIVED: "failed before, waived, and still",
}
NAMED: Final = 5
"""Checks that are named of those alike: the longest names of so many are not cut amid one of them."""


def walks_on_record(folder: Path, span: Span) -> list[Record]:
    """The walks and drills at the environment of which something happened in the span, the oldest first."""
    meant = [record for _, record in kept(folder) if span.environment in places_of(record.begun)]
    return [record for record in reversed(meant) if any(span.holds(entry.at) for entry in record.entries)]


def places_of(begun: Begun) -> tuple[str, ...]:
    """The environments at which something is walked: one, or the two of a link; others are empty."""
    return begun.environment, begun.source, begun.target


def events_of_walk(record: Record, span: Span) -> Iterator[Event]:
    """What was done and decided in a walk within the span, and by whom."""
    name = record.begun.procedure.replace("/", "#", 1)
    for entry in record.entries:
        sentence = _sentence(entry) if span.holds(entry.at) else ""
        if sentence:
            yield Event(entry.at, getattr(entry, "by", "") or "the tool", f"{name}: {sentence}")


def _sentence(entry: Entry) -> str:  # noqa: PLR0911 - one sentence for each kind of entry
    """What a person did or decided, or the tool found; empty for what only shows something."""
    match entry:
        case Begun():
            kind = "rehearsal" if entry.rehearsal else "drill" if entry.drill else "walk"
            return f"{kind} begun: {entry.title}"
        case Done():
            return f"{entry.stage} is said to be done"
        case Skipped():
            return f"{entry.stage} left out: {entry.reason}"
        case Overruled():
            return f"gate {entry.stage} overruled ({', '.join(entry.checks)}): {entry.reason}"
        case NoteTaken():
            return f"noted at {entry.stage}: {entry.text}"
        case Paused():
            return f"paused{f': {entry.reason}' if entry.reason else ''}"
        case Resumed():
            return "gone on"
        case Ended():
            return f"{entry.outcome}{f': {entry.reason}' if entry.reason else ''}"
        case _:
            return _found(entry)


def _found(entry: Entry) -> str:
    match entry:
        case Judged():
            shut = ", ".join(seen.check for seen in entry.seen if seen.outcome not in _OPEN)
            return f"gate {entry.stage} {'is open' if entry.open else f'stays shut: {shut}'}"
        case Sighting():
            return f"seen in {entry.environment}: {entry.unknown or _nodes(entry)}"
        case Measured():
            return f"measured: {entry.acknowledged:,} records acknowledged, missing {_known(entry.rpo_records)}"
        case _:
            return ""


_OPEN = (Outcome.PASS, Outcome.NOT_APPLICABLE)


def _nodes(sighting: Sighting) -> str:
    return f"in service {sighting.serving}, gone {sighting.gone}, not certain {sighting.unsure}"


def _known(count: int | None) -> str:
    return "not known" if count is None else f"{count:,}"
