"""`runbook upgrade`: what a new version of the tool changes in built-in checks, and of what one says about them."""

from typing import Annotated

import typer

from runbook.cli.options import Format, InventoryFile

EXAMPLES = ("runbook upgrade", "runbook upgrade --accept")


def command(
    inventory: InventoryFile = None,
    accept: Annotated[
        bool, typer.Option("--accept", help="Record what is there now in runbook.lock, if nothing has to be mended.")
    ] = False,
    format_: Format = "console",
) -> int:
    """Say what changed in built-in checks since they were accepted, and what that does to yours.

    To your waivers, parameters and amendments, that is. It compares with runbook.lock beside runbook.yaml, writes
    nothing without --accept, and contacts nothing.

    Exit codes: 0 nothing of yours has to be mended, 1 something has, 2 usage, 4 nothing was accepted yet.
    """
    import sys

    from runbook.cli.upgrade_report import as_json, as_text
    from runbook.model.errors import UsageError, did_you_mean
    from runbook.run.accepted import RECORD, as_built_in, read_accepted, write_accepted
    from runbook.run.project import NAME, find_project
    from runbook.run.sources import extending, find_inventory, load_inventory, wanted_built_in
    from runbook.run.upgrading import changes, touched

    if format_ not in ("console", "json"):
        raise UsageError(f"--format {format_}: {did_you_mean(format_, ['console', 'json'])}")
    project = find_project()
    if project is None:
        raise UsageError(f"there is no {NAME} here, beside which {RECORD} would stand: runbook init begins one")
    folder = project.file.parent
    now = as_built_in(wanted_built_in(project))
    before = read_accepted(folder)
    given = load_inventory(inventory) if find_inventory(inventory) else None
    found = changes(before, now) if before else []
    own = touched(found, now, given, extending(project))
    print(as_json(before, now, found, own) if format_ == "json" else as_text(before, now, found, own))
    if any(touched.broken for touched in own):
        if accept:
            print("nothing was recorded: first mend what is told above to be mended", file=sys.stderr)
        return 1
    if accept:
        written = write_accepted(folder, now)
        if format_ == "console":
            print(f"accepted, and recorded in {written}: commit it")
        return 0
    return 0 if before else 4
