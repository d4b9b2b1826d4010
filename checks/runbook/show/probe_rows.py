"""What `runbook probe` reads and writes: a probe's parameters, its columns, the rows it gave."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from runbook.judge.summary import counted
from runbook.judge.template import show
from runbook.model.errors import UsageError, did_you_mean
from runbook.model.fact import Fact
from runbook.model.probe import Probe
from runbook.model.sentence import shown
from runbook.parse.yaml_document import read_yaml
from runbook.plugins.catalog import catalog
from runbook.safety.sanitize import sanitize, sanitize_json
from runbook.show.declarations import declared, meaning_of, note_of
from runbook.terminal.columns import beside

ROWS = 20
"""So many rows of an environment are shown to people who name no number."""


def probe_list() -> str:
    """Every probe and what a row of it is, a line each."""
    names = catalog("probes").names()
    width = max(map(len, names))
    return "\n".join(beside(f"{name:{width}} ", declared("probes", name).help) for name in names)


def parameters(name: str, probe: Probe, words: Sequence[str]) -> dict[str, Any]:
    """Read NAME=VALUE words against what a probe takes.

    Raises:
        UsageError: a word is not written so, or the probe does not take it.
    """
    given: dict[str, Any] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals:
            raise UsageError(f"--with {word}: write NAME=VALUE")
        if key not in probe.parameters:
            raise UsageError(f"{name} has no parameter {key}: {_instead_of(key, probe)}")
        given[key] = read_yaml(value, "--with").value
        if fault := probe.parameters[key].fault(given[key]):
            raise UsageError(f"--with {key}: {fault}; {probe.parameters[key].help}")
    return given


def _instead_of(key: str, probe: Probe) -> str:
    """What to write in place of a parameter that a probe does not have."""
    if any(column.name == key for column in probe.columns):
        takes = f"it takes {', '.join(sorted(probe.parameters))}" if probe.parameters else "it takes none"
        return f"{key} is a column, by which rows are not chosen; {takes}. All rows, for programs: --limit 0 -o json"
    return did_you_mean(key, [*probe.parameters]) if probe.parameters else "it takes none"


def as_json(facts: Mapping[str, Fact], most: int) -> str:
    """Environment -> fact, for programs, with at most this many rows; 0 for all."""
    document = {environment: msgspec.to_builtins(_first(fact, most)) for environment, fact in facts.items()}
    return sanitize_json(document)


def _first(fact: Fact, most: int) -> Fact:
    return replace(fact, columns={name: cells[: most or None] for name, cells in fact.columns.items()})


def left_out(facts: Mapping[str, Fact], most: int) -> str:
    """Say how many rows JSON leaves out, which has no place for it: a line for each environment that has more."""
    more = {environment: len(fact) - most for environment, fact in facts.items() if most and len(fact) > most}
    return "".join(sanitize(f"{environment}: … {count} more: --limit 0") + "\n" for environment, count in more.items())


def as_text(name: str, facts: Mapping[str, Fact], most: int) -> str:
    """The columns once, then the rows of each environment, at most this many; 0 for all."""
    probe: Probe = declared("probes", name)
    lines = [beside(f"{name}: ", probe.help), *_columns(probe)]
    for environment, fact in facts.items():
        lines += ["", *_rows(environment, fact, [column.name for column in probe.columns], most)]
    return "\n".join(lines)


def _columns(probe: Probe) -> Iterator[str]:
    for column in probe.columns:
        yield beside(f"  {column.name:28} {column.type:12} {note_of(column):5} ", meaning_of(column))


def _rows(environment: str, fact: Fact, columns: Sequence[str], most: int) -> Iterator[str]:
    if fact.inapplicable:
        yield beside(f"{environment}: ", f"not applicable: {fact.inapplicable}")
        return
    state = "complete" if fact.complete else "NOT complete"
    yield beside(f"{environment}: ", f"{counted(len(fact), 'row')}, {state}, {fact.took_ms} ms")
    yield from (beside("  missing: ", shown(gap.reason)) for gap in fact.gaps)
    for i, row in enumerate(fact.rows()):
        if most and i >= most:
            yield f"  … {len(fact) - most} more: --limit 0"
            return
        yield beside("  - ", "  ".join(f"{name}={show(row[name])}" for name in columns))
