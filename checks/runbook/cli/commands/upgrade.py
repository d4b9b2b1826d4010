"""`runbook upgrade`: what a new version of the tool changes in built-in checks, and of what one says about them."""

from pathlib import Path
from typing import Annotated

import typer

from runbook.cli.options import Format, InventoryFile

EXAMPLES = (
    "runbook upgrade",
    "runbook upgrade --accept",
    "runbook upgrade --owner payments-team",
    "runbook upgrade runbooks/ours.md",
)


def command(
    runbooks: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[FILE]...", help="Convert only these runbooks. Default: those of the project."),
    ] = None,
    inventory: InventoryFile = None,
    accept: Annotated[
        bool, typer.Option("--accept", help="Record the present state in runbook.lock, if nothing has to be fixed.")
    ] = False,
    owner: Annotated[
        str,
        typer.Option(metavar="TEAM", help="Who decided that hosts, JVMs or files called absent are not observed."),
    ] = "",
    until: Annotated[
        str, typer.Option(metavar="DATE", help="The last day of that decision, in UTC. Default: in 90 days.")
    ] = "",
    format_: Format = "console",
) -> int:
    """Convert your runbooks to this version; report changes of built-in checks that affect your runbooks.

    Converts what older versions wrote differently: inputs of views that are bound by position (`of: [src, dst]`) get
    names, the field `covers` is removed, renamed blocks get their present names (also in the inventory), and with
    --owner the inventory lists as unobserved what it called absent although every cluster has it. Changes of built-in
    checks are reported for your waivers, parameters and amendments, compared with runbook.lock beside runbook.yaml,
    which only --accept writes. Contacts no system.

    Exit codes: 0 nothing of yours has to be changed, 1 something has, 2 usage error, 4 nothing was accepted yet.
    """
    import sys

    from runbook.model.errors import UsageError, did_you_mean
    from runbook.parse.old_names import old_names
    from runbook.run.sources.built_in import BUILT_IN, builtin_names
    from runbook.run.sources.inventories import find_inventory, load_inventory
    from runbook.run.sources.project import NAME, find_project
    from runbook.run.sources.runbooks import extending, read_all, wanted_built_in
    from runbook.show.upgrade_report import as_json, as_text, rewritten_as_json, rewritten_as_text
    from runbook.upgrade.accepted import RECORD, as_built_in, read_accepted, write_accepted
    from runbook.upgrade.check_changes import changes, to_bind_by_name, touched
    from runbook.upgrade.named_inputs import rewrite_files
    from runbook.upgrade.renamed_blocks import rewrite_names
    from runbook.upgrade.unobserved import left_unobserved

    if format_ not in ("console", "json"):
        raise UsageError(f"--format {format_}: {did_you_mean(format_, ['console', 'json'])}")
    project = find_project()
    file = None if runbooks else find_inventory(inventory)
    left = [] if file is None else left_unobserved(file, owner, until)
    if project is None and not (runbooks or left):
        raise UsageError(f"there is no {NAME} here, beside which {RECORD} would stand: runbook init begins one")
    files = [*(runbooks or (project.runbooks().values() if project else ()))]
    bound, problems = rewrite_files(files)
    names = old_names(read_all([f"{BUILT_IN}{name}" for name in builtin_names()]))
    renamed = [*bound, *rewrite_names([*files, *([file] if file and file.is_file() else [])], names)]
    own = [*to_bind_by_name(problems), *left]
    if runbooks or problems or project is None:
        print(rewritten_as_json(renamed, own) if format_ == "json" else rewritten_as_text(renamed, own))
        return 1 if problems else 0
    folder = project.file.parent
    now = as_built_in(wanted_built_in(project))
    before = read_accepted(folder)
    given = load_inventory(inventory) if find_inventory(inventory) else None
    found = changes(before, now, names) if before else []
    own = [*touched(found, now, given, extending(project)), *left]
    if format_ == "json":
        print(as_json(before, now, found, own, renamed))
    else:
        print(as_text(before, now, found, own, renamed))
    if any(touched.broken for touched in own):
        if accept:
            print("nothing was recorded: first fix what is listed above", file=sys.stderr)
        return 1
    if accept:
        written = write_accepted(folder, now)
        if format_ == "console":
            print(f"accepted, and recorded in {written}: commit it")
        return 0
    return 0 if before else 4
