"""The causes that a run may find: those of its runbooks, and those that their diagnostics take from others."""

from collections.abc import Iterator, Sequence

from msgspec import Struct, field

from runbook.judge.cause import CompiledCause, CompiledEffect, compile_cause, compile_effect
from runbook.judge.sound_expressions import sound_expressions
from runbook.model.block import Cause, Diagnostic, Effect
from runbook.model.errors import Invalid, Problem, RunbookError
from runbook.parse.runbook import Runbook
from runbook.run.sources.built_in import builtin_names
from runbook.run.sources.runbooks import read_all


class KnownCauses(Struct):
    """Causes and effects that are ready to be looked for, and which can't be used."""

    causes: list[CompiledCause] = field(default_factory=list)
    effects: list[CompiledEffect] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def known_causes(runbooks: Sequence[Runbook]) -> KnownCauses:
    """Compile the causes and effects of runbooks. One with mistakes is left out and named: lint says what is wrong."""
    known = KnownCauses()
    for book in _books(runbooks):
        sound = sound_expressions(book.digest)
        for placed in book.placed():
            try:
                if isinstance(placed.block, Cause):
                    known.causes.append(compile_cause(placed, sound))
                elif isinstance(placed.block, Effect):
                    known.effects.append(compile_effect(placed, sound))
            except Invalid as invalid:
                known.notes.append(f"{placed.name} can't be used: {invalid.problems[0].message}; see runbook lint")
        sound.save()
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


def _books(runbooks: Sequence[Runbook]) -> Iterator[Runbook]:
    """These, and the others of which their diagnostics name causes."""
    yield from runbooks
    here = {book.name for book in runbooks}
    others = {name for book in runbooks for name in _named(book)} - here
    for name in sorted(others & {*builtin_names()}):
        try:
            yield from read_all([name])
        except RunbookError:
            continue  # it is one of ours, and has been read by tests


def _named(book: Runbook) -> Iterator[str]:
    """The runbooks whose causes the diagnostics of this one name."""
    for placed in book.placed():
        if isinstance(placed.block, Diagnostic):
            yield from (cause.holds.partition("/")[0] for cause in placed.block.causes if "/" in cause.holds)
