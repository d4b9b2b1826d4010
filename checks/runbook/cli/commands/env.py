"""`runbook env`: the environments, whether they can be reached, and what we may see there."""

from typing import Annotated

import typer

from runbook.cli.completing import complete_environments
from runbook.cli.options import Deadline, InventoryFile

EXAMPLES = ("runbook env", "runbook env 'prod-*' --offline")


def command(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME]...", help="Names or globs; all without.", autocompletion=complete_environments),
    ] = None,
    inventory: InventoryFile = None,
    deadline: Deadline = "10s",
    offline: Annotated[bool, typer.Option("--offline", help="List only; contact nothing.")] = False,
) -> int:
    """List environments and test their connections.

    Says of each connection what the credentials may not see, and which rights that needs.

    Exit codes: 0 all of it can be seen, 3 not all.
    """
    from runbook.cli.asking import ask_all
    from runbook.cli.reach import describe, summarize
    from runbook.plugins.catalog import catalog
    from runbook.run.sources import choose, load_inventory

    book = load_inventory(inventory)
    targets = choose(book, names or ["*"])
    print(summarize(targets, book))
    answers = {} if offline else ask_all(targets, book, catalog("probes").names(), deadline)
    seen_all = True
    for target in targets:
        facts = None if offline else {probe: fact for (name, probe), fact in answers.items() if name == target.name}
        text, complete = describe(target, facts)
        print(f"\n{text}")
        seen_all = seen_all and complete
    return 0 if seen_all else 3
