"""`runbook drill`: walk a procedure to show that it can be done, timed, and on the record."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from runbook.canary import LinkCanary, SingleClusterCanary
    from runbook.parse.inventory import Inventory

from runbook.cli.completion import complete_environments, complete_procedures, complete_unended
from runbook.cli.options import By, Checks, Color, GateDeadline, InventoryFile, NoTerminal, Records, Rehearse, Set

EXAMPLES = ("runbook drill ours.md#failover --env prod-eu --to prod-us", "runbook drill ha#rolling-restart --env stage")


def command(
    what: Annotated[
        str,
        typer.Argument(
            metavar="[RUNBOOK#PROCEDURE]",
            help="Procedure, such as dr#fail-over or ours.md#move; not needed with --resume.",
            autocompletion=complete_procedures,
            show_default=False,
        ),
    ] = "",
    inventory: InventoryFile = None,
    env: Annotated[
        str,
        typer.Option(
            "--env", "-e", metavar="NAME", help="Environment that clients leave.", autocompletion=complete_environments
        ),
    ] = "",
    to: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Environment that takes over, on a link of the inventory. Without it, the drill concerns --env alone.",
            autocompletion=complete_environments,
        ),
    ] = "",
    resume: Annotated[
        str,
        typer.Option(metavar="ID|FILE", help="Continue a paused drill.", autocompletion=complete_unended),
    ] = "",
    record: Records = None,
    set_: Set = None,
    by: By = "",
    deadline: GateDeadline = "",
    from_: Rehearse = None,
    no_terminal: NoTerminal = False,
    allow_canary: Annotated[
        bool,
        typer.Option(
            "--allow-canary",
            help="Write and read numbered records over the link, or in the one environment, to measure losses; "
            "its inventory entry must allow it too (canary:).",
        ),
    ] = False,
    checks: Checks = None,
    color: Color = "auto",
) -> int:
    """Drill a procedure: walk it like `runbook procedure walk`, and record that it was proved.

    The record goes to the folder in the inventory (`records: {drills: FOLDER}` of the environment that takes over),
    else to the user's state folder.

    Only with --allow-canary does a drill write to Kafka: numbered records to a separate topic at each end, or in the
    one environment; the topic is removed at the end. They show how many acknowledged records are lost (RPO) and how
    long writes and reads were impossible (RTO).

    Exit codes: 0 completed with every gate open and no step skipped, 1 given up or completed otherwise, 2 usage error,
    3 paused, 130 interrupted (and paused), 143 ended by SIGTERM (and paused).
    """
    from runbook.cli.walk_dialog import walk_here
    from runbook.procedure.walk_start import WalkOptions
    from runbook.run.planning.deadline import given_deadline

    if allow_canary:
        _refuse_canary(resume, from_)
    return walk_here(
        WalkOptions(
            what=what,
            inventory=inventory,
            environment=env,
            to=to,
            drill=True,
            resume=resume,
            record=record,
            set=set_ or [],
            by=by,
            deadline=given_deadline(deadline),
            bundle=from_,
            attended=not no_terminal,
            user_checks=checks or [],
            canary=_canary if allow_canary else None,
        ),
        color,
    )


def _refuse_canary(resume: str, bundle: Path | None) -> None:
    """Say where a canary makes no sense.

    Raises:
        UsageError: it makes none.
    """
    from runbook.model.errors import UsageError

    if resume:
        raise UsageError("--allow-canary: a pause ends the canary; go on without it, or drill anew")
    if bundle is not None:
        raise UsageError("--allow-canary: a rehearsal contacts nothing; leave one of --from and --allow-canary out")


def _canary(inventory: "Inventory", source: str, target: str) -> "LinkCanary | SingleClusterCanary":
    """The canary that the inventory allows on a link, or in one environment. Nothing else here reaches that room.

    Raises:
        UsageError: it allows none, or there is no Kafka connection at an end.
    """
    from runbook.canary import LinkCanary, SingleClusterCanary
    from runbook.model.errors import UsageError

    if not source:
        here = inventory.targets[target].environment.canary
        if here is None:
            raise UsageError(
                f"--allow-canary: {inventory.file} does not allow one in {target}. If its owners agree, add to that "
                "entry of environments: canary: {topic: runbook-canary}; or name the environment that takes over with "
                "--to, to measure a link; runbook drill -h says what it writes"
            )
        return SingleClusterCanary(here, target, _kafka(inventory, target))
    mirror = next(mirror for mirror in inventory.mirrors if (mirror.from_, mirror.to) == (source, target))
    if mirror.canary is None:
        raise UsageError(
            f"--allow-canary: {inventory.file} does not allow one on {mirror.name}. If its owners agree, add to that "
            "entry of mirrors: canary: {topic: runbook-canary}; runbook drill -h says what it writes"
        )
    ends = [(name, _kafka(inventory, name)) for name in (source, target)]
    return LinkCanary(mirror.canary, *ends)


def _kafka(inventory: "Inventory", name: str) -> dict[str, Any]:
    """The Kafka settings of an environment.

    Raises:
        UsageError: it has none.
    """
    from runbook.model.errors import UsageError

    settings = inventory.targets[name].connections.get("kafka")
    if settings is None:
        raise UsageError(f"--allow-canary: {name} has no kafka connection in {inventory.file}")
    return settings
