"""`runbook env`: the environments, whether they can be reached, and what we may see there."""

from typing import TYPE_CHECKING, Annotated

import typer

from runbook.cli.completing import complete_environments
from runbook.cli.options import Deadline, Environments, InventoryFile

if TYPE_CHECKING:
    from runbook.model.fact import Fact
    from runbook.run.asking import Answers

EXAMPLES = ("runbook env", "runbook env 'prod-*' --offline", "runbook env prod-eu --report")


def command(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME]...", help="Names or globs; all without.", autocompletion=complete_environments),
    ] = None,
    env: Environments = None,
    inventory: InventoryFile = None,
    deadline: Deadline = "10s",
    offline: Annotated[bool, typer.Option("--offline", help="List only; contact nothing.")] = False,
    report: Annotated[
        bool,
        typer.Option("--report", help="What to send with a report of a mistake; it names nothing of yours."),
    ] = False,
) -> int:
    """List environments and test their connections.

    Says of each connection what the credentials may not see, and which rights that needs; and of those that the
    inventory is silent about, the lines that would give them. With --report, what helps to find a mistake of the tool:
    no name, address or value of yours is in it. `--env`, as all other commands have it, names environments too.

    Exit codes: 0 all of it can be seen, 3 not all.
    """
    from runbook.cli.environment_report import report_of
    from runbook.cli.not_configured import not_configured
    from runbook.cli.reach import describe, summarize
    from runbook.cli.shown_answers import ask_all
    from runbook.plugins.catalog import catalog
    from runbook.run.sources import choose, load_inventory
    from runbook.run.strange_labels import read_labelled, strange_labels

    book = load_inventory(inventory)
    targets = choose(book, [*(names or ()), *(env or ())] or ["*"])
    if not report:
        print(summarize(targets, book))
    answers = {} if offline else ask_all(targets, catalog("probes").names(), deadline)
    facts = {target.name: _of(target.name, answers) for target in targets}
    if report:
        print(report_of(targets, None if offline else facts))
        return 0
    labelled = read_labelled()
    labels = {target.name: [*strange_labels(target, labelled)] for target in targets}
    seen_all = True
    for target in targets:
        text, complete = describe(target, None if offline else facts[target.name], labels[target.name])
        print(f"\n{text}")
        for line in not_configured(target, None if offline else facts[target.name]):
            print(line)
        seen_all = seen_all and complete
    return 0 if seen_all else 3


def _of(environment: str, answers: "Answers") -> "dict[str, Fact]":
    return {probe: fact for (name, probe), fact in answers.items() if name == environment}
