"""What a built-in cause declares of facts without it, for tests."""

from typing import Any

from runbook.judge.cause import CompiledCause, compile_cause
from runbook.model.block import Cause
from runbook.model.fact import Fact
from runbook.model.recovery import Situation
from runbook.plugins.content import builtin_runbooks
from support.built_in import all_built_in, built_in


def causes() -> list[CompiledCause]:
    """All built-in causes, compiled."""
    return [
        compile_cause(placed) for book in all_built_in() for placed in book.placed() if isinstance(placed.block, Cause)
    ]


def without(name: str, seen: Fact, **found: list[Any]) -> Fact:
    """A fact without the cause RUNBOOK/ID that found these values, each by `fact__column`."""
    runbook, _, id_ = name.partition("/")
    book = built_in(builtin_runbooks() / f"{runbook}.md")
    placed = next(one for one in book.placed() if one.block.id == id_)
    [undone] = compile_cause(placed).undone
    given = {name.replace("__", "."): values for name, values in found.items()}
    return undone.recovery.sets[seen.source](seen, Situation({seen.source: seen}, given))
