"""The causes that a run may find: those of its runbooks, and those that their diagnostics take from others."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct, field

from runbook.judge.cause import CompiledCause, CompiledEffect, compile_cause, compile_effect
from runbook.model.block import Cause, Diagnostic, Effect
from runbook.model.errors import Invalid, Problem, RunbookError
from runbook.parse.runbook import Placed, Runbook
from runbook.run.built_in import builtin_names
from runbook.run.sources import read_all


class KnownCauses(Struct):
    """Causes and effects that are ready to be looked for, and which can't be used."""

    causes: list[CompiledCause] = field(default_factory=list)
    effects: list[CompiledEffect] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def known_causes(runbooks: Sequence[Runbook]) -> KnownCauses:
    """Compile the causes and effects of runbooks. One with mistakes is left out and named: lint says what is wrong."""
    known = KnownCauses()
    for placed in _blocks(runbooks):
        try:
            if isinstance(placed.block, Cause):
                known.causes.append(compile_cause(placed))
            else:
                known.effects.append(compile_effect(placed))
        except Invalid as invalid:
            known.notes.append(f"{placed.name} can't be used: {invalid.problems[0].message}; see runbook lint")
    return known


def compile_causes(runbook: Runbook) -> tuple[list[CompiledCause], list[Problem]]:
    """Compile the causes of a runbook: those that can be, and the mistakes of the others."""
    compiled: list[CompiledCause] = []
    problems: list[Problem] = []
    for placed in runbook.placed():
        if isinstance(placed.block, Cause):
            try:
                compiled.append(compile_cause(placed))
            except Invalid as invalid:
                problems += invalid.problems
    return compiled, problems


def _blocks(runbooks: Sequence[Runbook]) -> Iterator[Placed]:
    for book in runbooks:
        yield from _of_kind(book)
    here = {book.name for book in runbooks}
    others = {name for book in runbooks for name in _named(book)} - here
    for name in sorted(others & {*builtin_names()}):
        try:
            (book,) = read_all([name])
        except RunbookError:
            continue  # it is one of ours, and has been read by tests
        yield from _of_kind(book)


def _of_kind(book: Runbook) -> Iterable[Placed]:
    return (placed for placed in book.placed() if isinstance(placed.block, Cause | Effect))


def _named(book: Runbook) -> Iterator[str]:
    """The runbooks whose causes the diagnostics of this one name."""
    for placed in book.placed():
        if isinstance(placed.block, Diagnostic):
            yield from (cause.holds.partition("/")[0] for cause in placed.block.causes if "/" in cause.holds)
