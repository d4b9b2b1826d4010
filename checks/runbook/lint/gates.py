"""Checks that only gates judge: one that no gate names is judged by nothing."""

from collections.abc import Iterator

from runbook.model.block import Check, Procedure
from runbook.model.errors import Problem
from runbook.parse.runbook import Runbook
from runbook.procedure.walk import stages


def unnamed_gates(book: Runbook) -> Iterator[Problem]:
    """Yield a problem for each check with `gate: true` that no procedure of its runbook names."""
    named = {
        asked.check.rpartition("/")[2]
        for placed in book.placed()
        if isinstance(placed.block, Procedure)
        for stage in stages(placed.block)
        for asked in stage.checks
    }
    for placed in book.checks():
        if isinstance(placed.block, Check) and placed.block.gate and placed.block.id not in named:
            yield Problem(
                placed.document.place(("gate",)),
                f"no gate names {placed.name}, so that nothing judges it",
                "name it under before, verify or after of a procedure of this runbook, or leave out gate: true",
            )
