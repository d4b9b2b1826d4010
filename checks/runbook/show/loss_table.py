"""Write what losses would do: as a table, the worst first, or as JSON."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from runbook.judge.summary import counted
from runbook.safety.sanitize import sanitize, sanitize_json
from runbook.show.change_lines import change_json, change_lines
from runbook.terminal.columns import beside
from runbook.what_if.analysis import NO_QUORUM, Analysis, Scenario

_HEAD = ("", "refuse", "", "data", "acks=1", "")
_UNDER_HEAD = ("if this is lost", "acks=all", "offline", "at risk", "at risk", "quorum")
"""The names of columns, on two lines: on one they take more than the 80 columns of a usual terminal."""
_KINDS = {
    "broker": "one broker",
    "two brokers": "two brokers",
    "rack": "one rack",
    "rack and broker": "rack and one broker",
    "controller": "one controller",
    "two controllers": "two controllers",
    "broker and controller": "one broker and one controller",
    "rack and controller": "one rack and one controller",
}
_UNKNOWN = "?"
_TOPICS = 5
_LONGEST = 40  # characters of a scenario's name; racks may have any name


def as_json(found: Sequence[Analysis]) -> str:
    """All scenarios of all environments, for programs: null is not known, `complete` is whether all of it was seen."""
    return sanitize_json({"environments": [*map(_json, found)]})


def _json(analysis: Analysis) -> dict[str, Any]:
    change = change_json(analysis.change) if analysis.change else None
    told: dict[str, Any] = msgspec.to_builtins(analysis)
    return told | {"complete": not analysis.missing, "change": change}


def as_text(found: Analysis, most: int | None) -> str:
    """A table of at most this many scenarios; those of a kind that harm the least, and equally, are one line."""
    return "\n".join(_lines(found, most))


def _lines(found: Analysis, most: int | None) -> Iterator[str]:
    yield beside(f"{found.environment}: ", ", ".join(_how_many(n, noun) for noun, n in found.counts.items()))
    if found.inapplicable:
        yield beside("not applicable: ", found.inapplicable)
        return
    if found.change:
        yield from change_lines(found.change)
        yield ""
        yield "losses when the change is done:"
    if found.missing:
        yield f"This is not all of it; {_UNKNOWN} is not known, and ≥ may be more:"
        yield from (beside("  ", reason) for reason in found.missing)
    if found.out_of_service:
        noun = "broker" if len(found.out_of_service) == 1 else "brokers"
        gone = ", ".join(map(str, found.out_of_service))
        yield f"out of service already, and counted in by every line: {noun} {gone}"
    if found.already is None:
        yield f"{_UNKNOWN} partitions refuse acks=all already"
    elif found.already:
        start = "at least " if found.missing else ""
        yield f"{start}{counted(found.already, 'partition')} refuse acks=all already; every line counts them in"
    yield ""
    rows = list(collapsed(found.scenarios))
    shown = rows if most is None else rows[:most]
    if shown:
        yield from _table([_HEAD, _UNDER_HEAD, *(_cells(name, scenario) for name, scenario in shown)])
    elif found.missing:
        yield "what a loss would do could not be worked out"
    else:
        yield "nothing of this is in service: there is nothing more to lose"
    if len(shown) < len(rows):
        yield f"… {len(rows) - len(shown)} more: --rows all"
    yield from _worst_topics(found, [scenario for _, scenario in shown])


def _how_many(count: int | None, noun: str) -> str:
    return f"{_UNKNOWN} {noun}" if count is None else counted(count, noun.removesuffix("s"))


def collapsed(scenarios: Sequence[Scenario]) -> Iterator[tuple[str, Scenario]]:
    """Name each line of the table: scenarios of one kind that harm the least, and equally, become a single line.

    That line has the greatest of what they differ in, which is what they are not ordered by.
    """
    least: dict[str, tuple[int, ...]] = {}
    for scenario in scenarios:
        least[scenario.kind] = min(scenario.badness(), least.get(scenario.kind, scenario.badness()))
    alike = Counter(scenario.kind for scenario in scenarios if scenario.badness() == least[scenario.kind])
    of_kind = Counter(scenario.kind for scenario in scenarios)
    done: set[str] = set()
    for scenario in scenarios:
        kind = scenario.kind
        if scenario.badness() != least[kind] or alike[kind] == 1:
            yield scenario.name, scenario
        elif kind not in done:
            done.add(kind)
            group = [scenario for scenario in scenarios if scenario.kind == kind and scenario.badness() == least[kind]]
            name = f"any {'other ' if alike[kind] < of_kind[kind] else ''}{_KINDS.get(kind, kind)}"
            yield name, replace(scenario, **{field: _greatest(group, field) for field in ("topics", "acks_1_at_risk")})


def _greatest(group: Sequence[Scenario], field: str) -> int | None:
    """The greatest count among scenarios; None where one is not known."""
    counts = [getattr(scenario, field) for scenario in group]
    return None if None in counts else max(counts)


def _cells(name: str, scenario: Scenario) -> tuple[str, ...]:
    shown = name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"
    quorum = _UNKNOWN if scenario.quorum is None else "-" if scenario.quorum == NO_QUORUM else scenario.quorum
    if scenario.as_now:
        return (shown, *("as now" for _ in _HEAD[1:-1]), quorum)
    refusing = _cell(scenario.refusing_writes, scenario)
    if scenario.topics is None and scenario.refusing_writes is not None:
        refusing += f"  ({_UNKNOWN} topics)"
    elif scenario.topics:
        refusing += f"  ({counted(scenario.topics, 'topic')})"
    others = (scenario.offline, scenario.at_risk, scenario.acks_1_at_risk)
    return (shown, refusing, *(_cell(count, scenario) for count in others), quorum)


def _cell(count: int | None, scenario: Scenario) -> str:
    return _UNKNOWN if count is None else f"{'≥' if scenario.at_least else ''}{count}"


def _table(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield sanitize("   ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def _worst_topics(found: Analysis, shown: Sequence[Scenario]) -> Iterator[str]:
    topics = list(dict.fromkeys(topic for scenario in shown for topic in scenario.worst_topics))
    if topics:
        named = [f"{topic} (RF {found.replicas.get(topic, _UNKNOWN)})" for topic in topics[:_TOPICS]]
        yield ""
        yield beside("worst topics: ", f"{', '.join(named)}{' …' if len(topics) > _TOPICS else ''}")
