"""Write what losses would do: as a table, the worst first, or as JSON."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from runbook.cli.losing import Analysis, Scenario
from runbook.engine.summary import counted
from runbook.reports import inert

_HEAD = ("if this is lost", "refuse acks=all", "offline", "data at risk", "quorum")
_KINDS = {
    "broker": "one broker",
    "two brokers": "two brokers",
    "rack": "one rack",
    "rack and broker": "rack and one broker",
    "controller": "one controller",
    "two controllers": "two controllers",
}
_TOPICS = 5
_LONGEST = 40  # characters of a scenario's name; racks may have any name


def as_json(found: Sequence[Analysis]) -> str:
    """All scenarios of all environments, for programs; `complete` says whether something is missing."""
    return json.dumps(
        {"environments": [msgspec.to_builtins(one) | {"complete": not one.missing} for one in found]},
        indent=2,
        ensure_ascii=False,
    )


def as_text(found: Analysis, most: int | None) -> str:
    """A table of at most this many scenarios; those of a kind that harm the least, and equally, are one line."""
    return "\n".join(inert(line) for line in _lines(found, most))


def _lines(found: Analysis, most: int | None) -> Iterator[str]:
    yield f"{found.environment}: " + ", ".join(counted(n, noun.removesuffix("s")) for noun, n in found.counts.items())
    if found.inapplicable:
        yield f"not applicable: {found.inapplicable}"
        return
    if found.already:
        yield f"{counted(found.already, 'partition')} refuse acks=all already; every line counts them in"
    yield ""
    rows = list(collapsed(found.scenarios))
    shown = rows if most is None else rows[:most]
    if shown:
        yield from _table([_HEAD, *(_cells(name, scenario) for name, scenario in shown)])
    else:
        yield "nothing of this is in service: there is nothing more to lose"
    if len(shown) < len(rows):
        yield f"… {len(rows) - len(shown)} more: --rows all"
    yield from _worst_topics(found, [scenario for _, scenario in shown])
    if found.missing:
        yield ""
        yield "This is not all of it:"
        yield from (f"  {reason}" for reason in found.missing)


def collapsed(scenarios: Sequence[Scenario]) -> Iterator[tuple[str, Scenario]]:
    """Name each line of the table: scenarios of one kind that harm the least, and equally, become a single line."""
    least: dict[str, tuple[int, ...]] = {}
    for scenario in scenarios:
        least[scenario.kind] = min(scenario.badness(), least.get(scenario.kind, scenario.badness()))
    alike = Counter(one.kind for one in scenarios if one.badness() == least[one.kind])
    of_kind = Counter(one.kind for one in scenarios)
    done: set[str] = set()
    for scenario in scenarios:
        kind = scenario.kind
        if scenario.badness() != least[kind] or alike[kind] == 1:
            yield scenario.name, scenario
        elif kind not in done:
            done.add(kind)
            yield f"any {'other ' if alike[kind] < of_kind[kind] else ''}{_KINDS.get(kind, kind)}", scenario


def _cells(name: str, scenario: Scenario) -> tuple[str, ...]:
    shown = name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"
    quorum = "-" if scenario.quorum == "none" else scenario.quorum
    if scenario.partitions is None:
        return (shown, "as now", "as now", "as now", quorum)
    refusing = str(scenario.refusing_writes)
    if scenario.partitions:
        refusing += f"  ({counted(scenario.topics or 0, 'topic')})"
    return (shown, refusing, str(scenario.offline), str(scenario.at_risk), quorum)


def _table(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "   ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _worst_topics(found: Analysis, shown: Sequence[Scenario]) -> Iterator[str]:
    topics = list(dict.fromkeys(topic for scenario in shown for topic in scenario.worst_topics))
    if topics:
        named = [f"{topic} (RF {found.replicas[topic]})" for topic in topics[:_TOPICS]]
        yield ""
        yield f"worst topics: {', '.join(named)}{' …' if len(topics) > _TOPICS else ''}"
