"""`runbook lint`: everything that is wrong with runbooks, at once."""

import sys
from typing import Annotated

import typer

from runbook.cli.options import Checks, Runbooks


def lint(
    runbooks: Runbooks = None,
    since: Annotated[
        str, typer.Option(metavar="TAG", help="Compare versions with this Git tag; else the last one.")
    ] = "",
    checks: Checks = None,
) -> int:
    """Say everything that is wrong with runbooks: form, names, types, references, cases, versions."""
    from runbook.cli.linting import lint_all

    problems, counted = lint_all(runbooks or [], checks or [], since)
    for problem in problems:
        print(problem)
    summary = f"{counted.runbooks} runbooks, {counted.checks} checks: "
    print(summary + (f"{len(problems)} problems" if problems else "nothing wrong"), file=sys.stderr)
    return 2 if problems else 0
