"""`runbook list`: what there is."""

from typing import Annotated

import typer

from runbook.cli.options import Checks, Runbooks

EXAMPLES = ("runbook list --severity critical", "runbook list --probes")


def command(
    runbooks: Runbooks = None,
    probes: Annotated[bool, typer.Option("--probes", help="List the probes instead.")] = False,
    views: Annotated[bool, typer.Option("--views", help="List the views instead.")] = False,
    severity: Annotated[str, typer.Option(metavar="LEVEL", help="Only checks of this severity and above.")] = "info",
    objective: Annotated[str, typer.Option(metavar="NAME", help="Only checks for this objective.")] = "",
    format_: Annotated[str, typer.Option("--format", "-f", "-o", metavar="NAME", help="console or json.")] = "console",
    checks: Checks = None,
) -> int:
    """List runbooks and their blocks, probes or views.

    With --severity or --objective, only checks are listed. Contacts nothing.
    """
    import sys

    from runbook.cli.catalogs import as_json, as_text, blocks, modules, refuse_unknown
    from runbook.model.block import OBJECTIVES, SEVERITIES
    from runbook.model.errors import Problem, UsageError
    from runbook.plugins.catalog import add_user_checks
    from runbook.run.sources import read_sound

    refuse_unknown("--severity", severity, SEVERITIES)
    refuse_unknown("--objective", objective, ("", *OBJECTIVES))
    refuse_unknown("--format", format_, ("console", "json"))
    if probes and views:
        raise UsageError("--probes and --views: choose one of them")
    for folder in checks or []:
        add_user_checks(folder)
    mistakes: list[Problem] = []
    if probes or views:
        listed = modules("probes" if probes else "views")
    else:
        books, mistakes = read_sound(runbooks or [])
        listed = blocks(books, severity, objective)
    print(as_json(listed) if format_ == "json" else as_text(listed))
    for mistake in mistakes:
        print(mistake, file=sys.stderr)
    return 2 if mistakes else 0
