"""The runbooks that come with the product, for tests of what they say."""

from runbook.model.block import Check
from runbook.parse.runbook import read_runbook
from runbook.plugins.content import builtin_runbooks


def checks_of(runbook: str) -> list[Check]:
    """The checks of a built-in runbook."""
    placed = read_runbook(builtin_runbooks() / f"{runbook}.md").checks()
    return [placed.block for placed in placed if isinstance(placed.block, Check)]


GATES = ":gates"
"""After the name of a runbook: its checks that gates alone judge, and no others."""


def asked_by(word: str) -> tuple[str, list[str]]:
    """The runbook of a word as dr or dr:gates, and the checks that are to be named for it: none for all but those."""
    name = word.removesuffix(GATES)
    return name, [check.id for check in checks_of(name) if check.gate] if word != name else []
