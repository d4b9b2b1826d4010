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
            help="A bundle, as `runbook check --save` keeps it; or a run whose facts are kept: `last`, or its id.",
        ),
    ],
    new: Annotated[
        str | None, typer.Argument(metavar="[NEW]", help="Another; else the systems as they are now.")
    ] = None,
    inventory: InventoryFile = None,
    env: Environments = None,
    rows: Annotated[str, typer.Option(metavar="N", help="Changes shown: a number, or all.")] = "12",
    format_: Format = "console",
    moving: Annotated[
        bool, typer.Option("--moving", help="Also what moves by nature: offsets, sizes, ages, rates, counters.")
    ] = False,
    results: Annotated[
        str,
        typer.Option(
            metavar="STORE", help="Where facts of runs are kept; else where the inventory or the project says."
        ),
    ] = "",
    deadline: Deadline = "10s",
    checks: Checks = None,
) -> int:
    """Say what changed between two looks, the most telling first. Read-only.

    By entity, what went, came and changed: brokers, pods, settings, certificates, ACLs, versions, topics, replicas.
    What changed alike in several is one line; what went or came with its topic is counted there. Without NEW the
    questions of OLD are put again. What one look did not see is never said to have gone: it stands apart, with the
    reason.

    Exit codes: 0 nothing changed, 1 something did, 2 usage, 3 nothing that was seen twice changed, but not all was seen
    twice, 4 there was nothing to compare.
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
