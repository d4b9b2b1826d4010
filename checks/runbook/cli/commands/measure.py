"""`runbook measure`: throughput and latency by producer settings, and what clients feel, with consent."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from runbook.model.canary import Load
    from runbook.model.measurement import Measurement, Trial
    from runbook.parse.inventory import Target

from runbook.cli.options import Format, InventoryFile, OneEnvironment

EXAMPLES = (
    "runbook measure --env stage --allow-measure",
    "runbook measure --env stage --allow-measure --acks 1,all --linger-ms 0,5 --compression none,lz4",
    "runbook measure --env stage --allow-measure --while 60s --keep",
    "runbook measure --read writes.txt --read reads.txt",
)


def _values(help_: str, metavar: str = "A,B") -> Any:
    return typer.Option(metavar=metavar, help=f"{help_} Several: comma-separated.")


def command(
    context: typer.Context,
    inventory: InventoryFile = None,
    env: OneEnvironment = None,
    allow_measure: Annotated[
        bool,
        typer.Option(
            "--allow-measure",
            help="Write to a topic of its own in this environment; its inventory entry must allow it too (measure:).",
        ),
    ] = False,
    acks: Annotated[str, _values("0, 1 or all.")] = "all",
    linger_ms: Annotated[str, _values("Milliseconds that a batch waits for more records.")] = "5",
    batch_size: Annotated[str, _values("Bytes of a batch at most.")] = "16384",
    compression: Annotated[str, _values("none, gzip, snappy, lz4 or zstd.")] = "none",
    record_size: Annotated[str, _values("Bytes of a record.")] = "1000",
    partitions: Annotated[str, _values("Partitions of the topic.")] = "3",
    rate: Annotated[
        str, typer.Option(metavar="N|max", help="Records a second; max: as many as the inventory allows.")
    ] = "",
    seconds: Annotated[float, typer.Option(metavar="S", help="How long each measurement writes.")] = 5,
    repeat: Annotated[int, typer.Option(metavar="N", min=1, max=100, help="Repetitions of each setting.")] = 5,
    while_: Annotated[
        str,
        typer.Option(
            "--while",
            metavar="TIME",
            help="Write numbered records for so long (60s, 5m), while you move a leader or stop a broker.",
        ),
    ] = "",
    keep: Annotated[
        bool,
        typer.Option(
            "--keep",
            help="Keep the result: where the environment has records: {measurements: FOLDER}, or in the user's state.",
        ),
    ] = False,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw end-to-end latency by setting (SVG); takes the extra site."),
    ] = None,
    read: Annotated[
        list[Path] | None,
        typer.Option(
            "--read", metavar="FILE", help="Show what Kafka's own perf tests printed into this file. Repeatable."
        ),
    ] = None,
    format_: Format = "console",
) -> int:
    """Measure throughput and end-to-end latency of a cluster by producer settings, with consent.

    Writes JSON records at a steady rate to a topic of its own, reads them, and removes the topic at the end. Nothing is
    written without --allow-measure and an entry `measure:` of the environment in the inventory, which also bounds
    bytes, rate and time. Settings are measured in turn, each several times; a winner is named only where the
    difference is beyond the spread between repetitions.

    With --while, it counts lost, duplicated and disordered records and the longest gap that the producer and the
    consumer felt. It moves and stops nothing itself.

    With --read, nothing is measured: it shows what kafka-producer-perf-test, kafka-consumer-perf-test and
    EndToEndLatency printed, in one table.

    Exit codes: 0 measured, 1 acknowledged records were lost, 2 usage error or no consent, 3 not all could be measured,
    130 interrupted.
    """
    import sys

    from runbook.canary.load import longest, planned, steady
    from runbook.cli.measure_options import (
        allowed,
        announced,
        as_settings,
        each_seconds,
        rate_of,
        refuse_beside,
        while_seconds,
    )
    from runbook.cli.measure_output import keep_measurement, plot_measurement, print_perf_tests
    from runbook.model.errors import UsageError, did_you_mean
    from runbook.run.sources.chosen_environments import choose_one
    from runbook.run.sources.inventories import load_inventory
    from runbook.show.measurement_text import told

    if format_ not in ("console", "json"):
        raise UsageError(f"--format {format_}: {did_you_mean(format_, ['console', 'json'])}")
    if read:
        refuse_beside(context, "--read measures nothing", _OF_MEASUREMENTS)
        return print_perf_tests(read, format_)
    settings = as_settings(
        acks=acks,
        linger_ms=linger_ms,
        batch_size=batch_size,
        compression=compression,
        size=record_size,
        partitions=partitions,
    )
    if while_:
        refuse_beside(context, "--while writes once, for as long as it says", ("seconds", "repeat"))
    if while_ and len(settings) > 1:
        raise UsageError("--while writes with one setting: give one value of each option")
    lasts = each_seconds(seconds)
    book = load_inventory(inventory)
    name = choose_one(book, env or [], "a measurement is of one").name
    consent = allowed(book, name, flag=allow_measure)
    if while_:
        trials = [steady(settings[0], rate_of(rate or str(WHILE_RATE), consent, settings[0]), while_seconds(while_))]
    else:
        trials = planned(settings, repeat, lambda setting: rate_of(rate, consent, setting), lasts)
    print(announced(trials, longest(trials), consent, name, str(book.file)), file=sys.stderr)
    measured, stopped = _measure(consent, book.targets[name], trials)
    if keep:
        print(f"kept: {keep_measurement(measured, book.targets[name].connections.get('records', {}))}", file=sys.stderr)
    if format_ == "json":
        import msgspec

        print(msgspec.json.format(msgspec.json.encode(measured)).decode())
    else:
        print(told(measured))
    if plot is not None:
        plot_measurement(measured, plot)
    return stopped or _code(measured)


_OF_MEASUREMENTS = command.__annotations__.keys() - {"context", "read", "format_", "return"}
WHILE_RATE = 100
"""Records a second with --while: a gap of 30 ms can be seen on three partitions."""


def _measure(consent: "Load", target: "Target", trials: "list[Trial]") -> "tuple[Measurement, int]":
    """Run the trials; what was seen until a Ctrl-C, a signal or a fault is kept. Gives the exit code of these too."""
    from confluent_kafka import libversion

    from runbook import __version__
    from runbook.canary.load import LoadRun
    from runbook.model import moment
    from runbook.model.errors import CannotLook
    from runbook.model.measurement import Measurement
    from runbook.terminal.end_signals import ended_by_signals
    from runbook.terminal.status import meanwhile

    at, done, why = moment.now(), [], ""
    load = LoadRun(consent, target.connections["kafka"], trials, target.environment.cluster_id)
    with ended_by_signals() as ended, meanwhile("making the topic") as status, load as run:
        try:
            run.begin()
            for repetition in run.repetitions(status.show):
                done.append(repetition)
                why = INTERRUPTED if run.interrupted else repetition.why
        except KeyboardInterrupt:
            why = INTERRUPTED
        except CannotLook as error:
            why = str(error)
        status.show("removing the topic")
        run.land()
    measured = Measurement(
        id=run.mark,
        at=at,
        environment=target.name,
        cluster=run.made.cluster,
        tool=__version__,
        client=f"librdkafka {libversion()[0]}",
        copies=run.made.copies,
        insisted=run.made.insisted,
        repetitions=done,
        interrupted=why,
        swept=run.made.swept,
        standing=run.made.standing,
        left=run.left,
    )
    return measured, ended.code(_INTERRUPTED) if why == INTERRUPTED else 0


INTERRUPTED = "interrupted"
_INTERRUPTED = 130  # docs/reference/exit-codes.md


def _code(measured: "Measurement") -> int:
    if any(repetition.lost() for repetition in measured.repetitions):
        return 1
    whole = all(repetition.lost() is not None for repetition in measured.repetitions)
    return 0 if whole and not measured.interrupted and not measured.left else 3
