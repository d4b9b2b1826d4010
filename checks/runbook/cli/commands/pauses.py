"""`runbook pauses`: a picture of the long stops of brokers' JVMs over time, against their session timeouts."""

from pathlib import Path
from typing import Annotated

import typer

from runbook.cli.options import Deadline, InventoryFile, OneEnvironment

EXAMPLES = (
    "runbook pauses --env prod-eu --out pauses.svg",
    "runbook pauses 1=/var/log/kafka/kafkaServer-gc.log --timeout 9s --out pauses.svg",
)


def command(
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="File for the picture (SVG).")],
    logs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[BROKER=LOG]...",
            help="Local GC logs, each with the broker's id: 1=/var/log/kafka/gc.log. Default: those of an environment.",
            show_default=False,
        ),
    ] = None,
    inventory: InventoryFile = None,
    env: OneEnvironment = None,
    timeout: Annotated[
        str, typer.Option("--timeout", metavar="TIME", help="Session timeout for local GC logs, such as 9s.")
    ] = "",
    window: Annotated[
        str, typer.Option("--window", metavar="TIME", help="How far to look back. Default for local GC logs: all.")
    ] = "",
    at_least: Annotated[
        float,
        typer.Option("--at-least", metavar="MS", min=0, help="Show only stops of at least this many milliseconds."),
    ] = 100.0,
    dark: Annotated[bool, typer.Option("--dark", help="Draw for a dark background.")] = False,
    deadline: Deadline = "30s",
) -> int:
    """Draw the long GC pauses and other stops of brokers' JVMs over time, against their session timeouts.

    A stop is a GC pause, time to safepoint, or any other time in which no application thread ran.

    Reads the GC logs in the inventory and the timeouts in force. With local GC logs, it needs neither an inventory nor
    a cluster. It also prints what the picture shows, and what could not be read.

    Exit codes: 0 drawn and complete; 3 drawn, but something could not be read; 4 there is no GC log.
    """
    import sys
    from functools import partial

    from runbook.incident.pause_facts import from_environment, from_logs
    from runbook.model.errors import UsageError
    from runbook.publish.pause_chart import draw_pauses
    from runbook.publish.trend_chart import PALETTES
    from runbook.terminal.progress import ask_all

    if logs and (env or inventory):
        raise UsageError("give logs, or an environment with --env and --inventory: not both")
    if timeout and not logs:
        raise UsageError("--timeout goes with logs that are named; an environment's brokers tell theirs")
    ask = partial(ask_all, deadline=deadline)
    if logs:
        found = from_logs(logs, timeout, window, at_least, ask)
    else:
        found = from_environment(inventory, env or [], window, at_least, ask)
    if (nothing := found.nothing_there()) is not None:
        print(nothing, file=sys.stderr)
        return 4
    chart = draw_pauses(found.pauses, found.timeouts, PALETTES["dark" if dark else "light"])
    _write(out, chart.svg)
    print(f"{chart.words}\n{out}")
    for gap in found.gaps:
        print(f"not seen: {gap}", file=sys.stderr)
    return 3 if found.gaps else 0


def _write(out: Path, svg: str) -> None:
    from runbook.evidence.named_file import write_named
    from runbook.model.errors import UsageError

    try:
        write_named(out, svg.encode())
    except OSError as error:
        raise UsageError(f"--out {out}: it can't be written ({(error.strerror or str(error)).lower()})") from None
