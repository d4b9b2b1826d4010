"""`runbook what-if`: what would stop if brokers, racks or controllers were lost, or by a change, from live metadata."""

from pathlib import Path
from typing import Annotated

import typer

from runbook.cli.completion import complete_losses
from runbook.cli.options import Deadline, Environments, Format, InventoryFile

EXAMPLES = (
    "runbook what-if --env prod-eu",
    "runbook what-if --env prod-eu --topic 'payments-*' --lose broker:2,rack:az-b",
    "runbook what-if --env prod-eu --lose broker:2 --lose broker:3",
    "runbook what-if --env prod-eu --lose 'rack:fra-*'",
    "runbook what-if --env prod-eu --reassign plan.json --throttle 50000000",
    "runbook what-if --env prod-eu --set-topic 'payments-*:min.insync.replicas=2'",
    "runbook what-if --env prod-eu --reassign plan.json --remove-broker 4",
    "runbook what-if --from facts.json --format json",
)


def command(
    inventory: InventoryFile = None,
    env: Environments = None,
    topic: Annotated[
        list[str] | None, typer.Option("--topic", metavar="GLOB", help="Only topics of such names. Repeatable.")
    ] = None,
    lose: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WHAT",
            help="Only this loss: broker:2,rack:fra-*,controller:101. Repeatable: all of it is lost together.",
            autocompletion=complete_losses,
        ),
    ] = None,
    reassign: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="After this plan, as kafka-reassign-partitions.sh --execute takes it."),
    ] = None,
    throttle: Annotated[
        int | None,
        typer.Option(metavar="BYTES", min=1, help="Bytes a second of copies, of each broker and way, as of --execute."),
    ] = None,
    set_topic: Annotated[
        list[str] | None,
        typer.Option(
            "--set-topic", metavar="TOPIC:KEY=VALUE", help="With this setting; KEY: min.insync.replicas. Repeatable."
        ),
    ] = None,
    remove_broker: Annotated[
        list[int] | None,
        typer.Option("--remove-broker", metavar="NUMBER", help="Without this broker, for good. Repeatable."),
    ] = None,
    rows: Annotated[str, typer.Option(metavar="N", help="Rows shown: a number, or all.")] = "12",
    format_: Format = "console",
    from_: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="Take a bundle's facts; nothing is contacted.")
    ] = None,
    deadline: Deadline = "10s",
) -> int:
    """Say what the loss of brokers or racks would stop, or a change.

    From live metadata, for the loss of any broker, rack or controller, and of one more with it: which topics would
    refuse acks=all writes, go offline or lose data, and whether the controllers keep their majority. Where they lose it
    no leader is elected, and what the lost brokers led is offline. acks=1 at risk: partitions led by what is lost, of
    which records that only the leader had are gone. Losses of one kind that harm the least are one line. Read-only.

    A change is foretold before it is made: --reassign, --set-topic and --remove-broker say which partitions refuse
    acks=all writes while copies are made and afterwards, what can't be done or is left behind, and how much is copied;
    then what losses would stop when it is done. Several are taken together, the settings first.

    What is not known is ? in the table and null in JSON, with the reason above the table; ≥ is of what could be seen.

    Exit codes: 0 all of it was worked out, whatever it says of losses; 1 the change would stop what works, can't be
    done, or leaves something on a broker that is taken out; 3 something could not be found out, or it is another
    cluster than the inventory pins; 4 there is no Kafka.
    """
    from runbook.model.errors import UsageError, did_you_mean
    from runbook.run.planning.deadline import read_deadline
    from runbook.show.loss_table import as_json, as_text
    from runbook.terminal.progress import shown_progress
    from runbook.what_if.change_request import read_change
    from runbook.what_if.environments import what_if

    if format_ not in ("console", "json"):
        raise UsageError(f"--format {format_}: {did_you_mean(format_, ['console', 'json'])}")
    if rows != "all" and not rows.isdecimal():
        raise UsageError(f"--rows {rows}: write a number, or all")
    seconds = read_deadline(deadline)
    change = read_change(reassign, set_topic or [], remove_broker or [], throttle)
    with shown_progress() as follow:
        found = what_if(
            lose=lose or [],
            topics=topic or [],
            inventory=inventory,
            environments=env or [],
            bundle=from_,
            change=change,
            seconds=seconds,
            follow=follow,
        )
    if format_ == "json":
        print(as_json(found))
    else:
        print("\n\n".join(as_text(analysis, None if rows == "all" else int(rows)) for analysis in found))
    if all(analysis.inapplicable for analysis in found):
        return 4
    if any(analysis.change and analysis.change.harms for analysis in found):
        return 1
    unsure = any(analysis.missing or (analysis.change and analysis.change.unsure) for analysis in found)
    return 3 if unsure else 0
