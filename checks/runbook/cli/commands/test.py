"""`runbook test`: show on stored facts that each check can pass and fail, and each cause hold and not hold."""

from typing import Annotated

import typer

from runbook.cli.completing import complete_checks
from runbook.cli.options import Checks, Runbooks

EXAMPLES = ("runbook test runbooks/*.md --checks checks", "runbook test ha --only ha/every-broker-answers --verbose")


def command(
    runbooks: Runbooks = None,
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--only",
            metavar="ID",
            help="Only the cases of this check or cause. Repeatable.",
            autocompletion=complete_checks,
        ),
    ] = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Also name the cases that are right.")] = False,
    checks: Checks = None,
) -> int:
    """Judge the stored cases of checks and causes.

    Those of ID stand in tests/cases/RUNBOOK/ID.yaml, beside the folder of the runbook. Contacts nothing.

    Exit codes: 0 all are right, 1 one is wrong, 2 a runbook or a case file has mistakes, 4 there are no cases.
    """
    import sys

    from runbook.judge.summary import counted
    from runbook.plugins.catalog import add_user_checks
    from runbook.run.sources import own_names
    from runbook.run.trying import try_all
    from runbook.safety.sanitize import sanitize

    for folder in checks or []:
        add_user_checks(folder)
    words = runbooks or own_names()
    done = try_all(words, only or [])
    for tried in done.tried:
        if tried.wrong:
            print(sanitize(f"WRONG  {tried.block}: {tried.case}"))
            print(sanitize(f"       expected {tried.expect}, {tried.wrong}"))
        elif verbose:
            print(sanitize(f"right  {tried.block}: {tried.case} ({tried.expect})"))
    for name in done.without:
        print(f"no cases: {name}", file=sys.stderr)
    for problem in done.problems:
        print(problem, file=sys.stderr)
    wrong = sum(bool(tried.wrong) for tried in done.tried)
    without = f"{len(done.without)} checks and causes without cases"
    print(f"{counted(len(done.tried) - wrong, 'case')} right, {wrong} wrong, {without}")
    if done.problems:
        return 2
    if wrong:
        return 1
    return 0 if done.tried else 4
