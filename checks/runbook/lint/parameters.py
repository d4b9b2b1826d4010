"""Parameters of a check that nothing reads: whoever sets one in an inventory would change nothing."""

import re
from collections.abc import Iterator

from runbook.model.block import Check
from runbook.model.errors import Problem
from runbook.parse.runbook import Runbook


def unread_parameters(book: Runbook) -> Iterator[Problem]:
    """Yield a problem for each parameter that no expression, request or text of its check names."""
    for placed in book.placed():
        if not isinstance(placed.block, Check):
            continue
        rest = str({field: value for field, value in placed.document.value.items() if field != "params"})
        for name in placed.block.params:
            if not re.search(rf"\bparams\s*\.\s*{re.escape(name)}(?!\w)", rest):
                yield Problem(
                    placed.document.place(("params", name)),
                    f"nothing in {placed.name} reads params.{name}, so that its value changes nothing",
                    "name it in an expression, or leave it out",
                )
