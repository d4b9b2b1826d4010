"""`runbook test`: show on stored facts that each check can pass and can fail."""

import sys
from typing import Annotated

import typer

from runbook.cli.options import Checks, Runbooks


def test(
    runbooks: Runbooks = None,
    only: Annotated[list[str] | None, typer.Option("--only", metavar="CHECK", help="Only this check.")] = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Also name the cases that are right.")] = False,
    checks: Checks = None,
) -> int:
    """Judge the stored cases of checks (tests/cases/RUNBOOK/CHECK.yaml). Contacts nothing."""
    from pathlib import Path

    from runbook.cli.sources import compile_all, locate, read_all
    from runbook.engine.case import case_file, try_cases
    from runbook.engine.catalog import add_user_checks

    for folder in checks or []:
        add_user_checks(folder)
    passed = failed = 0
    without: list[str] = []
    for book, compiled in compile_all(read_all(runbooks or [])):
        path, _ = locate(book.path if Path(book.path).exists() else book.name)
        for one in compiled:
            if only and one.placed.name not in only and one.check.id not in only:
                continue
            file = case_file(path, one.check)
            if not file.exists():
                without.append(one.placed.name)
                continue
            for tried in try_cases(book, one, file, str(file)):
                passed, failed = passed + (not tried.wrong), failed + bool(tried.wrong)
                if tried.wrong:
                    print(f"WRONG  {tried.check}: {tried.case}\n       expected {tried.expect}, {tried.wrong}")
                elif verbose:
                    print(f"right  {tried.check}: {tried.case} ({tried.expect})")
    for name in without:
        print(f"no cases: {name}", file=sys.stderr)
    print(f"{passed} cases right, {failed} wrong, {len(without)} checks without cases")
    if failed:
        return 1
    return 0 if passed else 4
