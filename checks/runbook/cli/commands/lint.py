"""`runbook lint`: everything that is wrong with runbooks, at once."""

from pathlib import Path
from typing import Annotated

import typer

from runbook.cli.options import Checks, Runbooks

EXAMPLES = (
    "runbook lint runbooks/*.md --checks checks",
    "runbook lint ha --since v1.0.0",
    "runbook lint --inventory environments.yaml",
    "runbook lint runbooks/*.md --release 1.0.0",
)


def command(
    runbooks: Runbooks = None,
    since: Annotated[
        str, typer.Option(metavar="TAG", help="Compare with this Git tag or commit. Default: the last release.")
    ] = "",
    release: Annotated[
        str,
        typer.Option(
            metavar="VERSION", help="If there is no mistake, record this release in releases.json beside the runbooks."
        ),
    ] = "",
    inventory: Annotated[
        Path | None,
        typer.Option(
            "--inventory", "-i", metavar="FILE", help="Also check this inventory, with its parameters and waivers."
        ),
    ] = None,
    checks: Checks = None,
) -> int:
    """Report every mistake in runbooks.

    Form, names, types, references, cases, versions: all mistakes of all files at once. Contacts no system.
    Without RUNBOOK, the runbooks and the inventory of the current project, else the built-in runbooks.
    Versions are compared with the newest release in releases.json beside the runbooks, else with Git's last tag.

    Exit codes: 0 no mistake, 2 a mistake.
    """
    import sys

    from runbook.judge.summary import counted
    from runbook.lint.linting import lint_all
    from runbook.lint.releases import record
    from runbook.model.errors import FilePosition, Problem
    from runbook.run.planning.inventory_mistakes import mistakes_here, remarks_of
    from runbook.run.planning.unknown_labels import read_labelled
    from runbook.run.sources.inventories import find_inventory, own_inventory
    from runbook.run.sources.project import NAME, above
    from runbook.run.sources.runbooks import every_name, own_names, read_all
    from runbook.safety.sanitize import sanitize
    from runbook.terminal.status import meanwhile

    inventory = inventory and find_inventory(inventory)
    words = runbooks or own_names()
    remarks: list[Problem] = []
    with meanwhile("reading runbooks"):
        problems, seen = lint_all(words, checks or [], since)
    if inventory is None and not runbooks and (inventory := own_inventory()) and not inventory.exists():
        remarks, inventory = [Problem(FilePosition(NAME), f"remark: inventory: {inventory} is not there")], None
    if inventory is not None:
        problems += mistakes_here(inventory, runbooks or [])
        remarks = remarks_of(inventory, read_labelled([*every_name(), *(runbooks or ())]))
    for problem in [*problems, *remarks]:
        print("\n".join(sanitize(line) for line in str(problem).splitlines()))
    said = counted(len(problems), "problem") if problems else "nothing wrong"
    said += f", {counted(len(remarks), 'remark')}" if remarks else ""
    print(f"{counted(seen.runbooks, 'runbook')}, {counted(seen.checks, 'check')}: {said}", file=sys.stderr)
    if not runbooks and (there := above()):
        print(f"these are the built-in runbooks; {there}", file=sys.stderr)
    if problems:
        return 2
    if inventory is not None:
        print(f"nothing in {inventory} was asked or tried: runbook env does that", file=sys.stderr)
    if release:
        for file in record(read_all(words), release):
            print(f"release {release} is recorded in {file}", file=sys.stderr)
    return 0
