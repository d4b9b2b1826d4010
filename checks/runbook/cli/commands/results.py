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

group = typer.Typer(help="Look after the results store: list, verify, bring together, expect.", no_args_is_help=True)

StoreGiven = Annotated[
    str,
    typer.Argument(
        metavar="[STORE]", help="Folder or address; else where the inventory or the project says.", show_default=False
    ),
]


@group.command()
def verify(store: StoreGiven = "", inventory: InventoryFile = None) -> int:
    """Say of every file whether it is as it was written: which line was changed, dropped, moved or added.

    Exit codes: 0 all is as it was written, 1 something is not, 4 there is nothing.
    """
    from runbook.cli.results_verification import verify_store
    from runbook.incident.results_store import store_to_read

    return verify_store(store_to_read(store, inventory))


@group.command(name="list")
def list_(
    store: StoreGiven = "",
    env: Environments = None,
    limit: Annotated[int, typer.Option(metavar="N", min=1, help="Runs shown per environment.")] = 10,
    inventory: InventoryFile = None,
) -> int:
    """List runs per environment, the newest first: why they ran, and how many checks came out how."""
    from runbook.incident.results_store import store_to_read
    from runbook.show.results_list import list_runs

    return list_runs(store_to_read(store, inventory), env or [], limit)


@group.command(name="import")
def import_(
    source: Annotated[str, typer.Argument(metavar="SOURCE", help="A Kafka topic, or another store.")],
    store: StoreGiven = "",
    inventory: InventoryFile = None,
) -> int:
    """Bring the runs of another store, such as a Kafka topic, into a store; whole and unchanged ones only.

    A second time nothing is left to do. Exit codes: 0 all is there, 1 something was left out, 4 the source is empty.
    """
    from runbook.cli.results_verification import bring
    from runbook.incident.results_store import choose_store, store_to_read

    return bring(store_to_read(source, inventory), choose_store(store, inventory))


@group.command()
def expect(
    runbooks: Runbooks = None,
    env: Environments = None,
    store: Annotated[str, typer.Option(metavar="STORE", help="Else where the inventory or the project says.")] = "",
    add: Annotated[bool, typer.Option("--add", help="On top of what is expected already.")] = False,
    inventory: InventoryFile = None,
) -> int:
    """Write down which environments are expected to be checked against which runbooks, from now on.

    Without --env, all of the inventory. The scorecard shows as silent or missing what is expected and does not come. To
    retire an environment, leave it out the next time.
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
