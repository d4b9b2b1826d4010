"""`runbook scorecard`: roll results up into weekly scores."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from runbook.cli.options import InventoryFile

EXAMPLES = ("runbook scorecard results --out scorecard",)


def command(
    store: Annotated[
        str, typer.Argument(metavar="[STORE]", help="Results store. Default: as in the inventory or the project.")
    ] = "",
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="DIR",
            help="Folder for the tables. Default: the project's data folder, else scorecard.",
        ),
    ] = None,
    master: Annotated[str, typer.Option(metavar="URL", help="The Spark master.")] = "local[2]",
    as_of: Annotated[
        str,
        typer.Option(
            "--as-of",
            metavar="TIME",
            help="Leave out runs after this time (RFC 3339). Default: the start of the newest run.",
        ),
    ] = "",
    weeks: Annotated[
        str,
        typer.Option("--weeks", metavar="DIR", help="Folder for compacted weeks. Default: in the store."),
    ] = "",
    inventory: InventoryFile = None,
) -> int:
    """Roll results up into weekly scores per environment, runbook and severity, with Spark."""
    from runbook.incident.results_store import results_of_project
    from runbook.model.errors import UsageError
    from runbook.run.sources.inventories import load_inventory
    from runbook.run.sources.project import find_project
    from runbook.terminal.status import Steps

    project = find_project()
    data = project.place(project.settings.site.data) if project else None
    where = store or load_inventory(inventory).results or results_of_project()
    if not where:
        raise UsageError("which results? runbook scorecard STORE, or results: in the inventory")
    tables = out or (data / "scorecard" if data else Path("scorecard"))  # where runbook publish looks for them
    with Steps() as progress:
        said = roll_up_store(where, tables, master, progress, as_of, weeks)
    print(said)
    return 0


def roll_up_store(
    store: str, out: Path, master: str, progress: Callable[[str], None], as_of: str = "", weeks: str = ""
) -> str:
    """Roll a store up with the Java this machine has; say in a sentence what came of it."""
    from runbook.folders import cache_folder
    from runbook.java import spark_java_home
    from runbook.judge.summary import counted
    from runbook.scorecard.job import roll_up

    cache = cache_folder()
    made = roll_up(
        store,
        out,
        master=master,
        progress=progress,
        as_of=as_of or None,
        java_home=spark_java_home(cache),
        weeks_dir=weeks or None,
        cache=cache,
    )
    counts = made.counts
    new = made.work["new_files"]
    done = f"{counted(new, 'file')} {'was' if new == 1 else 'were'} new; tables in {made.out}"
    if made.stands:
        done = f"nothing changed: the tables in {made.out} stand"
    silent = f"; silent: {', '.join(made.silent)}" if made.silent else ""
    return (
        f"{made.week}: {counted(made.environments, 'environment')}, {counted(made.failing, 'failing check')}{silent}\n"
        f"from {counts['scored_runs']} scored of {counted(counts['runs'], 'run')}, "
        f"{counted(counts['results'], 'result')}, {counted(counts['quarantined'], 'record')} set aside; {done}"
    )
