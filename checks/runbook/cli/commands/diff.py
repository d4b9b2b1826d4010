"""`runbook diff`: what changed between two looks, by entity."""

from pathlib import Path
from typing import Annotated

import typer

from runbook.cli.options import Checks, Deadline, Environments, InventoryFile

EXAMPLES = (
    "runbook diff monday.json --env prod-eu",
    "runbook diff monday.json now.json",
    "runbook diff before.json after.json --format json --moving",
)


def command(
    old: Annotated[Path, typer.Argument(metavar="OLD", help="A bundle, as `runbook check --save` keeps it.")],
    new: Annotated[
        Path | None, typer.Argument(metavar="[NEW]", help="Another; else the systems as they are now.")
    ] = None,
    inventory: InventoryFile = None,
    env: Environments = None,
    rows: Annotated[str, typer.Option(metavar="N", help="Changes shown: a number, or all.")] = "12",
    format_: Annotated[str, typer.Option("--format", "-f", "-o", metavar="NAME", help="console or json.")] = "console",
    moving: Annotated[
        bool, typer.Option("--moving", help="Also what moves by nature: offsets, sizes, ages, rates, counters.")
    ] = False,
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
    from runbook.cli.diff_report import as_json, as_text, exit_code
    from runbook.cli.shown_answers import shown_answers, time_left
    from runbook.evidence.bundle import load_bundle
    from runbook.model.errors import UsageError, did_you_mean
    from runbook.plugins.catalog import add_user_checks
    from runbook.run.comparing import Differing, compare

    if format_ not in ("console", "json"):
        raise UsageError(f"--format {format_}: {did_you_mean(format_, ['console', 'json'])}")
    if rows != "all" and not rows.isdecimal():
        raise UsageError(f"--rows {rows}: write a number, or all")
    for folder in checks or []:
        add_user_checks(folder)
    wanted = Differing(
        old=load_bundle(old),
        old_name=str(old),
        new=load_bundle(new) if new else None,
        new_name=str(new),
        inventory=inventory,
        environments=env or [],
        seconds=time_left(deadline),
        moving=moving,
        user_checks=checks or [],
    )
    with shown_answers() as follow:
        found = compare(wanted, follow)
    if format_ == "json":
        print(as_json(found))
    else:
        print("\n\n".join(as_text(one, None if rows == "all" else int(rows)) for one in found))
    return exit_code(found)
