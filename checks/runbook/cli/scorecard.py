"""`runbook scorecard`: roll results up into weekly scores."""

from pathlib import Path
from typing import Annotated

import typer

from runbook.cli.options import InventoryFile


def scorecard(
    store: Annotated[str, typer.Argument(metavar="[STORE]", help="Results; else where the inventory says.")] = "",
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="Where the tables go.")] = Path("scorecard"),
    master: Annotated[str, typer.Option(metavar="URL", help="The Spark master.")] = "local[2]",
    inventory: InventoryFile = None,
) -> int:
    """Roll results up into weekly scores per environment, runbook and severity, with Spark."""
    from runbook.cli.sources import load_inventory
    from runbook.cli.terminal import Steps
    from runbook.connections.java import spark_java_home
    from runbook.engine.errors import UsageError
    from runbook.lab.places import cache_home
    from runbook.scorecard.job import roll_up

    where = store or load_inventory(inventory).results
    if not where:
        raise UsageError("which results? runbook scorecard STORE, or results: in the inventory")
    summary = roll_up(where, out, master=master, progress=Steps(), java_home=spark_java_home(cache_home()))
    print(summary)
    return 0
