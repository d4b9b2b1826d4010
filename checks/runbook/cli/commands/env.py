"""`runbook env`: the environments, whether they can be reached, and what we may see there."""

from typing import TYPE_CHECKING, Annotated

import typer

from runbook.cli.completion import complete_environments
from runbook.cli.options import Deadline, Environments, Format, InventoryFile

if TYPE_CHECKING:
    from runbook.model.fact import Fact
    from runbook.run.collection.single_questions import Answers

EXAMPLES = ("runbook env", "runbook env 'prod-*' --offline", "runbook env prod-eu --report", "runbook env -f json")


def command(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME]...", help="Names or globs. Default: all.", autocompletion=complete_environments),
    ] = None,
    env: Environments = None,
    inventory: InventoryFile = None,
    deadline: Deadline = "10s",
    offline: Annotated[bool, typer.Option("--offline", help="List only; contact nothing.")] = False,
    report: Annotated[
        bool,
        typer.Option("--report", help="Print what to send with a bug report; it contains no name of yours."),
    ] = False,
    format_: Format = "console",
) -> int:
    """List environments and test their connections.

    Shows for each connection what its credentials can't see and which rights that needs, the inventory lines that
    would add missing connections, the waivers with their last days, and waivers and parameters that match nothing.
    --report prints what helps us to find a bug, without any of your names, addresses or values. Environments can also
    be given with `--env`, as in all other commands.

    Exit codes: 0 everything is visible, 3 something is not.
    """
    import datetime as dt
    from pathlib import Path

    from runbook.cli.project_code import tell_left_out
    from runbook.model.errors import UsageError, did_you_mean
    from runbook.plugins.catalog import catalog
    from runbook.run.planning.inventory_mistakes import expired_waivers, mistakes_here
    from runbook.run.planning.unknown_labels import read_labelled, unknown_labels
    from runbook.run.sources.chosen_environments import choose
    from runbook.run.sources.inventories import load_inventory
    from runbook.show.environment_report import report_of
    from runbook.show.not_configured import environments_json, not_configured
    from runbook.show.reachability import describe, reached, summarize
    from runbook.terminal.progress import ask_all

    if format_ not in ("console", "json"):
        raise UsageError(f"--format {format_}: {did_you_mean(format_, ['console', 'json'])}")
    book = load_inventory(inventory)
    targets = choose(book, [*(names or ()), *(env or ())] or ["*"])
    as_text = format_ == "console" and not report
    if as_text:
        print(summarize(targets, book))
    tell_left_out()
    answers = {} if offline else ask_all(targets, catalog("probes").names(), deadline)
    facts = {target.name: None if offline else _of(target.name, answers) for target in targets}
    if report:
        print(report_of(targets, None if offline else {name: seen or {} for name, seen in facts.items()}))
        return 0
    labelled = read_labelled()
    wrong = [*mistakes_here(Path(book.file)), *expired_waivers(book, dt.datetime.now(dt.UTC))]
    found = [reached(target, facts[target.name], [*unknown_labels(target, labelled)]) for target in targets]
    if as_text:
        for target, met in zip(targets, found, strict=True):
            print(f"\n{describe(met)}")
            for line in not_configured(target, facts[target.name]):
                print(line)
        if wrong:
            print("", *wrong, sep="\n")
    else:
        print(environments_json(book, targets, found, wrong))
    return 0 if all(reached.complete for reached in found) else 3


def _of(environment: str, answers: "Answers") -> "dict[str, Fact]":
    return {probe: fact for (name, probe), fact in answers.items() if name == environment}
