"""What a built-in cause declares of facts without it, for tests."""

from typing import Any

from runbook.judge.cause import CompiledCause, compile_cause
from runbook.model.block import Cause
from runbook.model.fact import Fact
from runbook.model.recovery import Situation
from runbook.parse.runbook import read_runbook
from runbook.plugins.content import builtin_runbooks


def causes() -> list[CompiledCause]:
    """All built-in causes, compiled."""
    runbooks = sorted(builtin_runbooks().glob("*.md"))
    return [
        compile_cause(placed)
        for runbook in runbooks
        for placed in read_runbook(runbook).placed()
        if isinstance(placed.block, Cause)
    ]


def without(name: str, seen: Fact, **found: list[Any]) -> Fact:
    """A fact without the cause RUNBOOK/ID that found these values, each by `fact__column`."""
    runbook, _, id_ = name.partition("/")
    placed = next(one for one in read_runbook(builtin_runbooks() / f"{runbook}.md").placed() if one.block.id == id_)
    [undone] = compile_cause(placed).undone
    given = {name.replace("__", "."): values for name, values in found.items()}
    return undone.recovery.sets[seen.source](seen, Situation({seen.source: seen}, given))
