"""`runbook init`: begin a knowledge base of one's own."""

from pathlib import Path
from typing import Annotated

import typer

from runbook.cli.options import Deadline

EXAMPLES = ("runbook init our-runbooks", "runbook init our-runbooks --from kafka-1:9092")


def command(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="Folder. Default: the current one.")] = Path(),
    from_: Annotated[
        str, typer.Option("--from", metavar="HOST:PORT", help="Write the inventory from what this cluster reports.")
    ] = "",
    deadline: Deadline = "10s",
) -> int:
    """Start a project with your own runbooks and an inventory.

    Writes runbook.yaml, runbook.lock, runbooks/, tests/, checks/, environments.yaml, docs/, weekly.sh and a CI job.
    Overwrites nothing: an existing environments.yaml stays. With --from, environments.yaml describes the cluster at
    that address. If the file exists already, the lines that add this cluster are printed; if only that file is missing,
    only that file is written.
    """
    import shlex
    import sys

    from runbook.cli.scaffold_files import INVENTORY, lay_out, write_new
    from runbook.run.sources.built_in import builtin_names
    from runbook.run.sources.project import NAME
    from runbook.upgrade.accepted import RECORD, as_built_in, write_accepted

    inventory = {}
    if from_:
        from runbook.show.inventory_draft import seen, seen_beside

        there = folder / INVENTORY
        if there.exists():
            name, lines = seen_beside(from_, deadline, there)  # asked before anything is promised
            message = (
                f"This cluster is in {there} already, as {name}. Only if you want it by a second name, write"
                if name
                else f"{there} is there already. To add this cluster, write"
            )
            # What is redirected into the file is lines of it only.
            print(f"{message} below environments:, and call it as you do:\n", file=sys.stderr)
            print(lines)
            return 0
        inventory = {there.name: seen(from_, deadline)}
        if (folder / NAME).is_file():  # all the rest is there
            write_new(there, inventory[there.name])
            print(f"wrote {there}")
            return 0
    written = lay_out(folder, inventory)
    if not (folder / RECORD).exists():
        written.append(write_accepted(folder, as_built_in(builtin_names())))
    for file in written:
        print(f"wrote {file}")
    if (kept := folder / INVENTORY) not in written:
        print(f"kept  {kept}, as it is")
    if folder != Path():
        print(f"\ncd {shlex.quote(str(folder))}")
    clusters = "runbook env" if from_ or kept not in written else "write them into environments.yaml, then: runbook env"
    print(
        f"""
what it says        runbook show first
what is wrong       runbook lint
proved to fail      runbook test
your clusters       {clusters}
one more of them    runbook init --from HOST:PORT prints the lines to add
is it true there    runbook check first
and all the rest    runbook check ha
all of it, weekly   sh weekly.sh (keeps results and scorecard in site-data/, or in $RUNBOOK_DATA; publishes into web/)
published           runbook publish web (for these two, the extras scorecard and site)
built-in checks     runbook upgrade says what a new version of the tool changes
a probe of yours    runbook probe kafka_advertised_host --checks checks"""
    )
    return 0
