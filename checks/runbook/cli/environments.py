"""`runbook env`: the environments, whether they can be reached, and what we may see there."""

from typing import Annotated

import typer

from runbook.cli.options import Deadline, InventoryFile


def env(
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME]...", help="Names or globs; all without.")] = None,
    inventory: InventoryFile = None,
    deadline: Deadline = "10s",
    offline: Annotated[bool, typer.Option("--offline", help="List only; contact nothing.")] = False,
) -> int:
    """List environments, test their connections, and say what the credentials may not see."""
    from runbook.cli.asking import ask_all
    from runbook.cli.sources import choose, load_inventory
    from runbook.engine.catalog import catalog

    book = load_inventory(inventory)
    targets = choose(book, names or ["*"])
    print(f"{len(targets)} environments in {book.file}")
    probes = {n: catalog("probes").load(n).PROBE for n in catalog("probes").names()}
    answers = {} if offline else ask_all(targets, book, list(probes), deadline)
    worst = 0
    for target in targets:
        labels = ", ".join(f"{key}={value}" for key, value in target.environment.labels.items()) or "no labels"
        print(f"\n{target.name}  {labels}  objectives: {' > '.join(target.environment.ranking().default)}")
        for kind, why in target.environment.absent.items():
            print(f"  absent   {kind:16} {why}")
        for kind in target.connections:
            asked = {probe: fact for (name, probe), fact in answers.items() if name == target.name}
            seen = {probe: fact for probe, fact in asked.items() if probes[probe].connection == kind}
            gaps = list(dict.fromkeys(gap.reason for fact in seen.values() for gap in fact.gaps))
            if offline:
                print(f"  given    {kind}")
            elif gaps and not any(len(fact) for fact in seen.values()):
                print(f"  FAILS    {kind:16} {gaps[0]}")
                worst = 3
            else:
                print(
                    f"  works    {kind:16} {sum(fact.complete for fact in seen.values())} of {len(seen)} probes see all"
                )
                for probe, fact in seen.items():
                    for gap in fact.gaps[:1]:
                        print(f"    {probe:24} {gap.reason}; needs {', '.join(probes[probe].rights)}")
                worst = 3 if gaps else worst
    return worst
