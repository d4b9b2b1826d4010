"""`runbook drill`: walk a procedure to show that it can be done, timed, and on the record."""

from pathlib import Path
from typing import Annotated

import typer

from runbook.cli.completing import complete_blocks, complete_environments
from runbook.cli.options import Checks, Color, InventoryFile
from runbook.cli.procedure import Records


def drill(
    what: Annotated[
        str,
        typer.Argument(
            metavar="[RUNBOOK#PROCEDURE]",
            help="As in dr#failover or ours.md#move; not needed with --resume.",
            autocompletion=complete_blocks,
            show_default=False,
        ),
    ] = "",
    inventory: InventoryFile = None,
    env: Annotated[
        str,
        typer.Option(
            "--env", "-e", metavar="NAME", help="Environment that is left.", autocompletion=complete_environments
        ),
    ] = "",
    to: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Environment that takes over, over a link of the inventory; without it the drill is of --env alone.",
            autocompletion=complete_environments,
        ),
    ] = "",
    resume: Annotated[str, typer.Option(metavar="ID|FILE", help="Go on with a drill that was paused.")] = "",
    record: Records = None,
    by: Annotated[str, typer.Option(metavar="NAME", help="Who walks; else the login name.")] = "",
    deadline: Annotated[str, typer.Option(metavar="TIME", help="When a gate stops waiting: 6s, 2m.")] = "10s",
    from_: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="Rehearse: gates look at a bundle's facts only.")
    ] = None,
    no_terminal: Annotated[
        bool, typer.Option("--no-terminal", help="Read answers as lines of standard input, from no terminal.")
    ] = False,
    checks: Checks = None,
    color: Color = "auto",
) -> int:
    """Drill a procedure: walk it as `runbook procedure walk` does, so that its record shows when it was last proved.

    The record goes where the inventory looks for drills (`records: {drills: FOLDER}` of the environment that takes
    over), else to the user's state folder.

    Exit codes: 0 completed with every gate open and nothing skipped, 1 given up or completed otherwise, 2 usage,
    3 paused, 130 interrupted (and paused).
    """
    from runbook.cli.walk_start import WalkRequest, start

    return start(
        WalkRequest(
            what=what,
            inventory=inventory,
            environment=env,
            to=to,
            drill=True,
            resume=resume,
            record=record,
            by=by,
            deadline=deadline,
            bundle=from_,
            attended=not no_terminal,
            color=color,
            user_checks=checks or [],
        )
    )
