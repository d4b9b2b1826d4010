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
        list[str] | None, typer.Option("--topic", metavar="GLOB", help="Only topics with such names. Repeatable.")
    ] = None,
    lose: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WHAT",
            help="Only this loss: broker:2,rack:fra-*,controller:101. Repeatable: all are lost together.",
            autocompletion=complete_losses,
        ),
    ] = None,
    reassign: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Predict this plan, in the format of kafka-reassign-partitions.sh --execute."
        ),
    ] = None,
    throttle: Annotated[
        int | None,
        typer.Option(
            metavar="BYTES",
            min=1,
            help="Throttle of the copying, in bytes a second per broker and direction, as --throttle of --execute.",
        ),
    ] = None,
    set_topic: Annotated[
        list[str] | None,
        typer.Option(
            "--set-topic", metavar="TOPIC:KEY=VALUE", help="Predict this setting; KEY: min.insync.replicas. Repeatable."
        ),
    ] = None,
    remove_broker: Annotated[
        list[int] | None,
        typer.Option("--remove-broker", metavar="NUMBER", help="Predict the removal of this broker. Repeatable."),
    ] = None,
    rows: Annotated[str, typer.Option(metavar="N", help="Rows shown: a number, or all.")] = "12",
    format_: Format = "console",
    from_: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="Use the facts of a bundle; contact no system.")
    ] = None,
    deadline: Deadline = "10s",
) -> int:
    """Show what the loss of brokers or racks, or a planned change, would stop.

    From live metadata, for the loss of any broker, rack or controller, and of one more with it: which topics would
    refuse acks=all writes, go offline or lose data, and whether the controllers keep their majority. Without a majority
    no leader is elected, so the partitions that the lost brokers led are offline. acks=1 at risk: partitions whose
    leader is lost; records that only the leader had are lost with it. The least harmful losses of one kind share a
    line. Read-only.

    --reassign, --set-topic and --remove-broker predict a change before you make it: which partitions refuse acks=all
    writes during and after the copying, what can't be done or is left behind, how much is copied, and what a loss would
    stop after the change. Several changes are combined, settings first.

    Unknown values are ? in the table and null in JSON, with the reason above the table; ≥ marks a minimum.

    Exit codes: 0 everything was computed, whatever the losses cost; 1 the change would stop something that works, can't
    be done, or leaves something on a removed broker; 3 something is unknown, or the cluster is not the one that the
    inventory names; 4 there is no Kafka connection.
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
