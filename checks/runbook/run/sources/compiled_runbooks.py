"""Runbooks whose checks are compiled: their expressions that compiled before when they are judged, the others now."""

from collections.abc import Sequence

from runbook.judge.compiled import Compiled, compile_check
from runbook.judge.sound_expressions import SoundExpressions, sound_expressions
from runbook.model.errors import Invalid, Problem
from runbook.parse.runbook import Runbook
from runbook.run.sources.built_in import with_way_on


def compile_checks(runbook: Runbook, sound: SoundExpressions | None = None) -> tuple[list[Compiled], list[Problem]]:
    """Compile the checks of a runbook: those that can be, and the mistakes of the others.

    Expressions that are known to be sound are compiled when they are judged.
    """
    compiled: list[Compiled] = []
    problems: list[Problem] = []
    for placed in runbook.checks():
        try:
            compiled.append(compile_check(placed, sound))
        except Invalid as invalid:
            problems += invalid.problems
    return compiled, problems


def compile_sound(runbooks: Sequence[Runbook]) -> tuple[list[tuple[Runbook, list[Compiled]]], list[Problem]]:
    """Compile every check of runbooks but of those in which one can't be; and the mistakes of these."""
    problems: list[Problem] = []
    compiled: list[tuple[Runbook, list[Compiled]]] = []
    for runbook in runbooks:
        sound = sound_expressions(runbook.digest)
        checks, mistakes = compile_checks(runbook, sound)
        sound.save()
        problems += mistakes
        if not mistakes:
            compiled.append((runbook, checks))
    return compiled, problems


def compile_all(runbooks: Sequence[Runbook]) -> list[tuple[Runbook, list[Compiled]]]:
    """Compile every check of runbooks.

    Raises:
        Invalid: with the mistakes of all of them.
    """
    compiled, problems = compile_sound(runbooks)
    if problems:
        raise Invalid(with_way_on(problems))
    return compiled
