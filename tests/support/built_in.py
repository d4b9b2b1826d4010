"""The runbooks that come with the product, for tests of what they say."""

from runbook.model.block import Check
from runbook.parse.runbook import read_runbook
from runbook.plugins.content import builtin_runbooks


def checks_of(runbook: str) -> list[Check]:
    """The checks of a built-in runbook."""
    placed = read_runbook(builtin_runbooks() / f"{runbook}.md").checks()
    return [one.block for one in placed if isinstance(one.block, Check)]
