"""`runbook diff`: what changed between two looks, by entity."""

from typing import Annotated

import typer

from runbook.cli.options import Checks, Deadline, Environments, Format, InventoryFile

EXAMPLES = (
    "runbook diff monday.json --env prod-eu",
    "runbook diff monday.json now.json",
    "runbook diff last --env prod-eu",
    "runbook diff 20261123T060000Z last --env prod-eu --results /var/lib/kafka-runbook/results",
    "runbook diff before.json after.json --format json --moving",
)


def command(
    old: Annotated[
        str,
        typer.Argument(
            metavar="OLD",
            help="A bundle of `runbook check --save`, or a run with kept facts: `last`, or its id.",
        ),
    ],
    new: Annotated[
        str | None, typer.Argument(metavar="[NEW]", help="Another bundle or run. Default: the systems as they are now.")
    ] = None,
    inventory: InventoryFile = None,
    env: Environments = None,
    rows: Annotated[str, typer.Option(metavar="N", help="Changes shown: a number, or all.")] = "12",
    format_: Format = "console",
    moving: Annotated[
        bool, typer.Option("--moving", help="Also values that always change: offsets, sizes, ages, rates, counters.")
    ] = False,
    results: Annotated[
        str,
        typer.Option(
            metavar="STORE", help="Results store with the facts of runs. Default: as in the inventory or the project."
        ),
    ] = "",
    deadline: Deadline = "10s",
    checks: Checks = None,
) -> int:
    """Show what changed between two observations, the most important first. Read-only.

    Lists by entity what disappeared, appeared or changed: brokers, pods, settings, certificates, ACLs, versions,
    topics, replicas. The same change of several entities is one line; what came or went with its topic is counted with
    the topic. Without NEW, the systems are asked the same again. What could not be observed one time is not reported as
    gone: it is listed separately, with the reason.

    Exit codes: 0 nothing changed, 1 something changed, 2 usage error, 3 no change in what was observed both times, but
    something was observed only once, 4 nothing to compare.
    """
    from runbook.incident.kept_observations import look_at
    from runbook.model.errors import UsageError, did_you_mean
    from runbook.plugins.catalog import add_user_checks
    from runbook.run.diagnosis.comparison import Differing, compare
    from runbook.run.planning.deadline import read_deadline
    from runbook.show.diff import as_json, as_text, exit_code
    from runbook.terminal.progress import shown_progress

    if format_ not in ("console", "json"):
        raise UsageError(f"--format {format_}: {did_you_mean(format_, ['console', 'json'])}")
    if rows != "all" and not rows.isdecimal():
        raise UsageError(f"--rows {rows}: write a number, or all")
    for folder in checks or []:
        add_user_checks(folder)
    wanted = Differing(
        old=look_at(old, results, inventory, env or []),
        old_name=old,
        new=look_at(new, results, inventory, env or []) if new else None,
        new_name=new or "",
        inventory=inventory,
        environments=env or [],
        seconds=read_deadline(deadline),
        moving=moving,
        user_checks=checks or [],
    )
    with shown_progress() as follow:
        found = compare(wanted, follow)
    if format_ == "json":
        print(as_json(found))
    else:
        print("\n\n".join(as_text(comparison, None if rows == "all" else int(rows)) for comparison in found))
    return exit_code(found)
