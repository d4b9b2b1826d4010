"""The built-in runbooks by their names, also where a project's own file takes the place of one."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from runbook.model.errors import Problem
from runbook.plugins.content import builtin_runbooks

BUILT_IN: Final = "built-in:"
"""What a word begins with that means a built-in runbook, whatever a project has in its place: built-in:ha."""


def builtin_names() -> list[str]:
    """The names of the built-in runbooks."""
    return sorted(file.stem for file in builtin_runbooks().glob("*.md"))


def replaced_by(files: Iterable[str]) -> list[str]:
    """The names of the built-in runbooks in whose place these files stand."""
    names = {Path(file).stem for file in files if Path(file).resolve().parent != builtin_runbooks().resolve()}
    return sorted(names & {*builtin_names()})


def with_way_on(problems: Sequence[Problem]) -> list[Problem]:
    """The same mistakes; after the last of each file that replaces a built-in runbook it is said how to have that one.

    At night nobody may be there who knows what the file was to say.
    """
    last = {problem.place.file: number for number, problem in enumerate(problems)}
    told = [*problems]
    for file, number in last.items():
        for name in replaced_by([file]):
            problem = problems[number]
            way = f"until it is fixed, the built-in runbook is {BUILT_IN}{name}: name that in place of {name}"
            told[number] = problem._replace(remedy=f"{problem.remedy}\n{way}".strip())
    return told
