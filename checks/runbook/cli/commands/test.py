"""`runbook test`: show on stored facts that each check can pass and fail, and each cause hold and not hold."""

from typing import TYPE_CHECKING, Annotated

import typer

from runbook.cli.completion import complete_checks, complete_tested
from runbook.cli.options import Checks, some_runbooks

if TYPE_CHECKING:
    from runbook.run.judgement.case_runner import CaseTrial

EXAMPLES = ("runbook test runbooks/*.md --checks checks", "runbook test ha --only ha/every-broker-answers --verbose")


def uncovered(done: "CaseTrial") -> list[str]:
    """What has no cases: a line for each check and cause, or one for a runbook that has none at all."""
    books: dict[str, list[str]] = {}
    for name in done.without:
        books.setdefault(name.partition("/")[0], []).append(name)
    proved = {tried.block.partition("/")[0] for tried in done.tried}
    lines: list[str] = []
    for book, names in books.items():
        if book in proved or len(names) == 1:
            lines += [f"no cases: {name}" for name in names]
        else:
            lines.append(f"no cases: {book}, none of its {len(names)} checks and causes has any")
    return lines


def nothing_tested(done: "CaseTrial") -> list[str]:
    """That no case was judged, and what to write."""
    if done.tried or done.problems:
        return []
    if done.paths:
        why = "no check or cause has a case"
        remedy = f"write {done.paths[0]}; its fields: runbook list --blocks case-file"
    elif done.blocks:
        return ["nothing was tested: the cases of built-in runbooks are in a checkout, and not in what is installed"]
    else:
        why = "there is no check or cause in what was named"
        remedy = "runbook lint finds fences that only read like one; their fields: runbook list --blocks check"
    return [f"nothing was tested: {why}", f"    {remedy}"]


def elsewhere(words: list[str]) -> list[str]:
    """That a project in a folder above was not meant, where nothing was named."""
    from runbook.run.sources.project import above

    return [f"these are cases of the built-in runbooks; {there}"] if not words and (there := above()) else []


def command(
    runbooks: Annotated[list[str] | None, some_runbooks(complete_tested)] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--only",
            metavar="ID",
            help="Only the cases of this check or cause, or glob. Repeatable.",
            autocompletion=complete_checks,
        ),
    ] = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Also list the cases that pass.")] = False,
    checks: Checks = None,
) -> int:
    """Test checks and causes with their stored cases.

    The cases of ID are in tests/cases/RUNBOOK/ID.yaml, beside the folder of the runbook. Contacts no system.

    Exit codes: 0 all cases pass, 1 a case fails, 2 a runbook or a case file has mistakes, 4 there are no cases.
    """
    import sys

    from runbook.cli.old_names import tell_old_names
    from runbook.judge.summary import counted
    from runbook.plugins.catalog import add_user_checks
    from runbook.run.judgement.case_runner import try_all
    from runbook.run.sources.runbooks import own_names
    from runbook.safety.sanitize import sanitize

    for folder in checks or []:
        add_user_checks(folder)
    words = runbooks or own_names()
    tell_old_names([*words, *(only or ())])
    done = try_all(words, only or [])
    for tried in done.tried:
        if tried.wrong:
            print(sanitize(f"WRONG  {tried.block}: {tried.case}"))
            print(sanitize(f"       expected {tried.expect}, {tried.wrong}"))
        elif verbose:
            print(sanitize(f"right  {tried.block}: {tried.case} ({tried.expect})"))
    for line in uncovered(done):
        print(line, file=sys.stderr)
    for problem in done.problems:
        print(problem, file=sys.stderr)
    wrong = sum(bool(tried.wrong) for tried in done.tried)
    for line in [*nothing_tested(done), *elsewhere(words)]:
        print(line, file=sys.stderr)
    files = len({problem.place.file for problem in done.problems})
    unread = f"; mistakes in {counted(files, 'file')}" if files else ""
    without = f"{len(done.without)} {'check or cause' if len(done.without) == 1 else 'checks and causes'} without cases"
    print(f"{counted(len(done.tried) - wrong, 'case')} right, {wrong} wrong, {without}{unread}")
    if done.problems:
        return 2
    if wrong:
        return 1
    return 0 if done.tried else 4
