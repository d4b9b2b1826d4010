"""`runbook probe`: run one probe and print its rows and types, for authors."""

import json
from typing import Annotated

import typer

from runbook.cli.options import Checks, Deadline, Environments, InventoryFile, Probe


def probe(
    name: Probe = None,
    inventory: InventoryFile = None,
    env: Environments = None,
    with_: Annotated[
        list[str] | None, typer.Option("--with", metavar="NAME=VALUE", help="A parameter of the probe. Repeatable.")
    ] = None,
    limit: Annotated[int, typer.Option(min=0, help="Rows shown; 0 for all.")] = 20,
    format_: Annotated[str, typer.Option("--format", "-f", metavar="NAME", help="console or json.")] = "console",
    deadline: Deadline = "10s",
    checks: Checks = None,
) -> int:
    """Run a probe against an environment and print the rows one may judge, with their types."""
    import msgspec

    from runbook.cli.asking import ask_all
    from runbook.cli.sources import choose, load_inventory
    from runbook.engine.catalog import add_user_checks, catalog
    from runbook.engine.errors import UsageError
    from runbook.engine.template import show
    from runbook.engine.yaml_document import read_yaml
    from runbook.reports import inert

    for folder in checks or []:
        add_user_checks(folder)
    if name is None:
        for known in catalog("probes").names():
            print(f"{known:26} {catalog('probes').load(known).PROBE.help}")
        return 0
    declared = catalog("probes").load(name).PROBE
    given = {key: read_yaml(value, "--with").value for key, _, value in (w.partition("=") for w in with_ or [])}
    for key, value in given.items():
        if key not in declared.parameters:
            raise UsageError(f"{name} has no parameter {key}; it has: {', '.join(declared.parameters) or 'none'}")
        if fault := declared.parameters[key].fault(value):
            raise UsageError(f"--with {key}: {fault}")
    book = load_inventory(inventory)
    user = [str(folder.resolve()) for folder in checks or []]
    answers = ask_all(choose(book, env or []), book, [name], deadline, given=given, user_checks=user)
    complete = all(fact.complete for fact in answers.values())
    if format_ == "json":
        document = {environment: msgspec.to_builtins(fact) for (environment, _), fact in answers.items()}
        print(json.dumps(document, indent=2))
        return 0 if complete else 3
    for (environment, _), fact in answers.items():
        state = "complete" if fact.complete else "NOT complete"
        print(f"{name} of {environment}: {len(fact)} rows, {state}, {fact.took_ms} ms")
        for column in declared.columns:
            mark = "key" if column.key else ""
            unit = f" ({column.unit})" if column.unit else ""
            print(f"  {column.name:28} {column.type:12} {mark:4} {column.help}{unit}")
        for gap in fact.gaps:
            print(f"  missing: {inert(gap.reason)}")
        if fact.inapplicable:
            print(f"  not applicable: {inert(fact.inapplicable)}")
        for i, row in enumerate(fact.rows()):
            if limit and i >= limit:
                print(f"  … {len(fact) - limit} more: --limit 0")
                break
            print("  - " + inert("  ".join(f"{key}={show(value)}" for key, value in row.items())))
    return 0 if complete else 3
