"""`runbook recommend`: settings of clients, topics and brokers that follow from measured rates and from objectives."""

from pathlib import Path
from typing import Annotated

import typer

from runbook.cli.options import Environments, Format, InventoryFile, RunDeadline

EXAMPLES = (
    "runbook recommend --env prod-eu",
    "runbook recommend 'orders*' --env prod-eu",
    "runbook recommend --env prod-eu --objective latency --format json",
    "runbook recommend --from facts.json",
)


def command(
    topics: Annotated[
        list[str] | None,
        typer.Argument(metavar="[TOPIC]...", help="Only members and partitions of such topics: names or globs."),
    ] = None,
    inventory: InventoryFile = None,
    env: Environments = None,
    objective: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="throughput or latency. Default: the one that the environment ranks higher."),
    ] = None,
    format_: Format = "console",
    from_: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="Use the facts of a bundle of runbook check throughput-latency --save FILE; contact no system.",
        ),
    ] = None,
    deadline: RunDeadline = "",
) -> int:
    """Compute settings from measured rates: batches, waiting, compression, fetches, partitions, fetchers.

    For each setting: the value in force and where it is read, the value that a formula gives, the numbers of this run
    that went in, what the change costs, and what it may harm. What is right already is left; where a number is not
    known, nothing is recommended, and the number is named. Read-only: nothing is applied.

    Producers and consumers are those whose metrics are known (`applications` of jolokia or prometheus); settings in
    force come from their files (`clients` of the inventory). Formulas and limits: the checks `recommended-*` of the
    runbook throughput-latency, whose parameters the inventory may set.

    Exit codes: 0 everything was computed, whatever is recommended; 3 something is unknown; 4 nothing applies there.
    """
    from runbook.cli.followed_run import judged
    from runbook.model.errors import UsageError, did_you_mean
    from runbook.run.check_run import Options
    from runbook.run.planning.deadline import read_deadline
    from runbook.show.recommendation_lines import as_json, as_text
    from runbook.what_if.recommendations import CHECKS, COMPARED, recommendations

    if format_ not in ("console", "json"):
        raise UsageError(f"--format {format_}: {did_you_mean(format_, ['console', 'json'])}")
    decides = next((one for one in COMPARED if one == objective), None)
    if objective is not None and decides is None:
        raise UsageError(f"--objective {objective}: {did_you_mean(objective, COMPARED)}")
    options = Options(
        runbooks=["throughput-latency"],
        only=[CHECKS],
        inventory=inventory,
        environments=env or [],
        bundle=from_,
        deadline=read_deadline(deadline) if deadline else None,
    )
    found = recommendations(judged(options), topics or [], decides)
    print(as_json(found) if format_ == "json" else "\n\n".join(map(as_text, found)))
    if all(of.inapplicable and not of.found for of in found):
        return 4
    return 3 if any(of.missing or any(one.change is None for one in of.found) for of in found) else 0
