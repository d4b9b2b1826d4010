"""Parameters of a check that nothing reads: whoever sets one in an inventory would change nothing."""

import re
from collections.abc import Iterable, Iterator

from runbook.judge.compiled import Compiled
from runbook.model.errors import Problem


def unread_parameters(checks: Iterable[Compiled]) -> Iterator[Problem]:
    """Yield a problem for each parameter that no expression, request or text of its check names.

    Args:
        checks: those that are right; in another one a misspelt name is no second mistake.
    """
    for compiled in checks:
        placed = compiled.placed
        rest = str({field: value for field, value in placed.document.value.items() if field != "params"})
        for name in compiled.check.params:
            if not re.search(rf"\bparams\s*\.\s*{re.escape(name)}(?!\w)", rest):
                yield Problem(
                    placed.document.place(("params", name)),
                    f"nothing in {placed.name} reads params.{name}, so that its value changes nothing",
                    "name it in an expression, or leave it out",
                )
