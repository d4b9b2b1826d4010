"""`runbook results`: what the results store holds, whether it is as it was written, and what is expected in it."""

import sys
from typing import Annotated

import typer

from runbook.cli.options import Environments, InventoryFile, Runbooks

EXAMPLES = {
    "verify": ("runbook results verify", "runbook results verify s3://kafka-evidence/results"),
    "list": ("runbook results list --env 'prod-*' --limit 3",),
    "import": ("runbook results import kafka://broker-1:9092/runbook-results /var/lib/runbook",),
    "expect": ("runbook results expect ha", "runbook results expect ha --env 'prod-*' --add"),
}

group = typer.Typer(help="Manage the results store: list, verify, import, expect.", no_args_is_help=True)

StoreGiven = Annotated[
    str,
    typer.Argument(
        metavar="[STORE]", help="Folder or address. Default: as in the inventory or the project.", show_default=False
    ),
]


@group.command()
def verify(
    store: StoreGiven = "",
    receipt: Annotated[
        str,
        typer.Option(metavar="HASH", help="Also find the result with this hash, as its page of evidence shows it."),
    ] = "",
    inventory: InventoryFile = None,
) -> int:
    """Check that no result was changed: report every line that was changed, dropped, moved or added.

    Exit codes: 0 nothing was changed, 1 something was or no result has the hash of --receipt, 4 the store is empty.
    """
    from runbook.cli.results_verification import verify_store
    from runbook.incident.results_store import store_to_read

    return verify_store(store_to_read(store, inventory), receipt)


@group.command(name="list")
def list_(
    store: StoreGiven = "",
    env: Environments = None,
    limit: Annotated[int, typer.Option(metavar="N", min=1, help="Number of runs shown per environment.")] = 10,
    inventory: InventoryFile = None,
) -> int:
    """List runs per environment, the newest first: their trigger and their counts of pass, fail and unknown."""
    from runbook.incident.results_store import store_to_read
    from runbook.show.results_list import list_runs

    return list_runs(store_to_read(store, inventory), env or [], limit)


@group.command(name="import")
def import_(
    source: Annotated[str, typer.Argument(metavar="SOURCE", help="A Kafka topic, or another store.")],
    store: StoreGiven = "",
    inventory: InventoryFile = None,
) -> int:
    """Import the complete and unchanged runs of another store, such as a Kafka topic.

    Runs that are there already are not imported again. Exit codes: 0 all runs are there, 1 some were left out, 4 the
    source is empty.
    """
    from runbook.cli.results_verification import bring
    from runbook.incident.results_store import choose_store, store_to_read

    return bring(store_to_read(source, inventory), choose_store(store, inventory))


@group.command()
def expect(
    runbooks: Runbooks = None,
    env: Environments = None,
    store: Annotated[
        str, typer.Option(metavar="STORE", help="Results store. Default: as in the inventory or the project.")
    ] = "",
    add: Annotated[bool, typer.Option("--add", help="Add to what is expected already.")] = False,
    inventory: InventoryFile = None,
) -> int:
    """Record which environments should be checked against which runbooks from now on.

    Without --env, all environments of the inventory. The scorecard shows expected results that do not arrive as silent
    or missing. To retire an environment, leave it out the next time.
    """
    from msgspec.structs import replace

    from runbook.incident.results_store import choose_store
    from runbook.judge.summary import counted
    from runbook.run.planning.expected_snapshot import write_expected
    from runbook.show.results_list import change_lines
    from runbook.terminal.status import meanwhile

    to = choose_store(store, inventory)
    with meanwhile("reading runbooks and inventory") as reading:

        def passed_over(text: str) -> None:
            reading.clear()
            print(text, file=sys.stderr)

        written = write_expected(to, runbooks or [], env or ["*"], inventory, add=add, passed_over=passed_over)
    changed = written.changed if written.before else replace(written.changed, added_checks=[])  # then all are new
    for line in change_lines(changed):
        print(line)
    of = written.snapshot
    counts = f"{counted(len(of.environments), 'environment')}, {counted(len(of.checks), 'check')}"
    if written.path:
        print(f"expected from now on: {counts}; kept in {to.name}/{written.path}")
    else:
        print(f"expected since {written.before[:10]}: {counts}; nothing changed, nothing written")
    return 0
