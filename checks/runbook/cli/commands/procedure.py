"""`runbook procedure`: walk through a procedure with its gates, and read what happened."""

from typing import Annotated

import typer

from runbook.cli.completion import complete_environments, complete_procedures, complete_unended, complete_walks
from runbook.cli.options import (
    By,
    Checks,
    Color,
    Format,
    GateDeadline,
    InventoryFile,
    NoTerminal,
    Records,
    Rehearse,
    Runbooks,
    Set,
)

EXAMPLES = {
    "list": ("runbook procedure list ha",),
    "walk": (
        "runbook procedure walk ha#rolling-restart --env prod-eu",
        "runbook procedure walk dr#fail-over --env prod-eu --to prod-us --set TOPIC=orders",
        "runbook procedure walk --resume 20261122T021500Z",
        "runbook procedure walk ha#rolling-restart --from facts.json",
    ),
    "walks": ("runbook procedure walks",),
    "show": ("runbook procedure show 20261122T021500Z",),
}

group = typer.Typer(help="Walk through procedures step by step, with gates and a record.", no_args_is_help=True)


@group.command(name="list")
def list_(runbooks: Runbooks = None) -> int:
    """List the procedures of runbooks, with how many steps and checks each has. Contacts no system."""
    from runbook.show.procedure_list import list_procedures

    return list_procedures(runbooks or [])


@group.command()
def walk(
    what: Annotated[
        str,
        typer.Argument(
            metavar="[RUNBOOK#PROCEDURE]",
            help="Procedure, such as ha#rolling-restart or ours.md#move; not needed with --resume.",
            autocompletion=complete_procedures,
            show_default=False,
        ),
    ] = "",
    inventory: InventoryFile = None,
    env: Annotated[
        str, typer.Option("--env", "-e", metavar="NAME", help="Environment.", autocompletion=complete_environments)
    ] = "",
    to: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Environment that takes over from --env, on a link of the inventory.",
            autocompletion=complete_environments,
        ),
    ] = "",
    resume: Annotated[
        str,
        typer.Option(metavar="ID|FILE", help="Continue a paused walk.", autocompletion=complete_unended),
    ] = "",
    record: Records = None,
    set_: Set = None,
    by: By = "",
    deadline: GateDeadline = "",
    from_: Rehearse = None,
    no_terminal: NoTerminal = False,
    checks: Checks = None,
    color: Color = "auto",
) -> int:
    """Walk through a procedure: read a step, do it, confirm it; gates between the steps check the environment.

    Commands are shown, never run. A gate stays closed if one of its checks fails or is unknown; to continue anyway, you
    must write down why. Everything is recorded as it happens. n adds a note, p pauses, --resume continues.

    Exit codes: 0 completed with every gate open and no step skipped, 1 given up or completed otherwise, 2 usage error,
    3 paused, 130 interrupted (and paused), 143 ended by SIGTERM (and paused).
    """
    from runbook.cli.walk_dialog import walk_here
    from runbook.procedure.walk_start import WalkOptions
    from runbook.run.planning.deadline import given_deadline

    return walk_here(
        WalkOptions(
            what=what,
            inventory=inventory,
            environment=env,
            to=to,
            resume=resume,
            record=record,
            set=set_ or [],
            by=by,
            deadline=given_deadline(deadline),
            bundle=from_,
            attended=not no_terminal,
            user_checks=checks or [],
        ),
        color,
    )


@group.command()
def walks(record: Records = None) -> int:
    """List recorded walks, the newest first: procedure, environment, person, state and duration."""
    from runbook.show.procedure_list import list_walks

    return list_walks(record)


@group.command()
def show(
    walk: Annotated[
        str,
        typer.Argument(metavar="ID|FILE", help="Id of a recorded walk, or its file.", autocompletion=complete_walks),
    ],
    record: Records = None,
    format_: Format = "console",
) -> int:
    """Print a recorded walk: who did what when, what the gates found, which were overruled and why.

    First shows whether the record is unchanged. Exit codes: 0 unchanged, 1 changed.
    """
    from runbook.show.recorded_walk import show_walk

    return show_walk(walk, record, format_)
