"""`runbook list`: what there is."""

import json
from typing import Annotated

import typer

from runbook.cli.options import Checks, Runbooks


def list_(
    runbooks: Runbooks = None,
    probes: Annotated[bool, typer.Option("--probes", help="List the probes instead.")] = False,
    views: Annotated[bool, typer.Option("--views", help="List the views instead.")] = False,
    severity: Annotated[str, typer.Option(metavar="LEVEL", help="Only checks of this severity and above.")] = "info",
    objective: Annotated[str, typer.Option(metavar="NAME", help="Only checks for this objective.")] = "",
    format_: Annotated[str, typer.Option("--format", "-f", metavar="NAME", help="console or json.")] = "console",
    checks: Checks = None,
) -> int:
    """List runbooks with their checks, diagnostics and procedures. Contacts nothing."""
    from runbook.cli.sources import read_all
    from runbook.engine.block import OBJECTIVES, SEVERITIES, Check
    from runbook.engine.catalog import add_user_checks, catalog
    from runbook.engine.errors import UsageError
    from runbook.engine.schema import did_you_mean

    for folder in checks or []:
        add_user_checks(folder)
    for word, known in ((severity, SEVERITIES), (objective, ("", *OBJECTIVES)), (format_, ("console", "json"))):
        if word not in known:
            raise UsageError(f"{word}: {did_you_mean(word, [*known])}")
    if probes or views:
        room = catalog("probes" if probes else "views")
        named = [(name, getattr(room.load(name), "PROBE" if probes else "VIEW").help) for name in room.names()]
        for name, text in named if format_ == "console" else []:
            print(f"{name:26} {text}")
        if format_ == "json":
            print(json.dumps([{"name": name, "help": text} for name, text in named], indent=2))
        return 0
    rows = []
    for book in read_all(runbooks or []):
        for placed in book.placed():
            block = placed.block
            if isinstance(block, Check):
                if SEVERITIES.index(block.severity) < SEVERITIES.index(severity):
                    continue
                if objective and block.objectives and objective not in block.objectives:
                    continue
            kind = type(block).__name__.lower()
            level = block.severity if isinstance(block, Check) else ""
            rows.append({"name": placed.name, "kind": kind, "severity": level, "title": block.title})
        if format_ == "console":
            print(f"{book.name} {book.front.version}  {book.front.title}  ({book.origin}: {book.path})")
            for row in (row for row in rows if row["name"].startswith(f"{book.name}/")):
                print(f"  {row['kind']:10} {row['severity']:8} {row['name']:44} {row['title']}")
    if format_ == "json":
        print(json.dumps(rows, indent=2))
    return 0
