"""The runbooks that come with the product, for tests of what they say."""

from functools import cache
from pathlib import Path

from runbook.model.block import Check
from runbook.parse.runbook import Runbook, read_runbook
from runbook.plugins.content import builtin_runbooks


@cache
def built_in(file: Path) -> Runbook:
    """A built-in runbook, read once in a process: nothing changes what is read."""
    return read_runbook(file)


def all_built_in() -> list[Runbook]:
    """Every built-in runbook, by name."""
    return [built_in(file) for file in sorted(builtin_runbooks().glob("*.md"))]


def checks_of(runbook: str) -> list[Check]:
    """The checks of a built-in runbook."""
    placed = built_in(builtin_runbooks() / f"{runbook}.md").checks()
    return [placed.block for placed in placed if isinstance(placed.block, Check)]


GATES = ":gates"
"""After the name of a runbook: its checks that gates alone judge, and no others."""


def asked_by(word: str) -> tuple[str, list[str]]:
    """The runbook of a word as dr or dr:gates, and the checks that are to be named for it: none for all but those."""
    name = word.removesuffix(GATES)
    return name, [check.id for check in checks_of(name) if check.gate] if word != name else []
