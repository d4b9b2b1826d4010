"""`runbook what-if`: what would stop working if brokers, racks or controllers were lost, from live metadata."""

from pathlib import Path
from typing import Annotated

import typer

from runbook.cli.completing import complete_losses
from runbook.cli.options import Deadline, Environments, InventoryFile


def what_if(
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
    rows: Annotated[str, typer.Option(metavar="N", help="Rows shown: a number, or all.")] = "12",
    format_: Annotated[str, typer.Option("--format", "-f", metavar="NAME", help="console or json.")] = "console",
    from_: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="Take a bundle's facts; nothing is contacted.")
    ] = None,
    deadline: Deadline = "10s",
) -> int:
    """Say what the loss of brokers or racks would stop.

    From live metadata, for the loss of any broker, rack or controller, and of one more with it: which topics would
    refuse acks=all writes, go offline or lose data, and whether the controllers keep their majority. Where they lose it
    nobody is elected, and what is led by what is lost is offline. acks=1 at risk: partitions led by what is lost, of
    which records that only the leader had are gone. Losses of one kind that harm the least are one line. Read-only.

    What is not known is ? in the table and null in JSON, with the reason above the table; ≥ is of what could be seen.

    Exit codes: 0 all of it was worked out, whatever it says; 3 something could not be found out, or it is another
    cluster than the inventory pins; 4 there is no Kafka.
    """
    from runbook.cli.asking import ask_all
    from runbook.cli.losing import PROBES, Analysis, analyze, not_looked_at
    from runbook.cli.loss_asked import read_lose
    from runbook.cli.loss_table import as_json, as_text
    from runbook.cli.pinned import CLUSTER, wrong_cluster
    from runbook.engine.bundle import inventory_of, load_bundle
    from runbook.engine.errors import UsageError
    from runbook.engine.inventory import Target
    from runbook.engine.schema import did_you_mean
    from runbook.run.asking import kept_answers
    from runbook.run.sources import choose, load_inventory

    if format_ not in ("console", "json"):
        raise UsageError(f"--format {format_}: {did_you_mean(format_, ['console', 'json'])}")
    if rows != "all" and not rows.isdecimal():
        raise UsageError(f"--rows {rows}: write a number, or all")
    wanted = read_lose(",".join(lose or []))
    bundle = load_bundle(from_) if from_ else None
    book = inventory_of(bundle, str(from_)) if bundle else load_inventory(inventory)
    targets = list(book.targets.values()) if bundle and not env else choose(book, env or [])
    probes = (*PROBES, CLUSTER) if any(target.environment.cluster_id for target in targets) else PROBES
    answers = kept_answers(bundle, targets, probes) if bundle else ask_all(targets, book, probes, deadline)

    def look(target: Target) -> Analysis:
        wrong = wrong_cluster(target, answers[target.name, CLUSTER]) if CLUSTER in probes else ""
        if wrong:
            return not_looked_at(target.name, wrong)
        return analyze(target.name, {probe: answers[target.name, probe] for probe in PROBES}, topic or [], wanted)

    found = [look(target) for target in targets]
    if format_ == "json":
        print(as_json(found))
    else:
        print("\n\n".join(as_text(one, None if rows == "all" else int(rows)) for one in found))
    if all(one.inapplicable for one in found):
        return 4
    return 3 if any(one.missing for one in found) else 0
