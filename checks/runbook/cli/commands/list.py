"""`runbook list`: what there is."""

from typing import Annotated

import typer

from runbook.cli.completion import complete_listed, complete_objectives
from runbook.cli.options import Checks, Format, Severity

EXAMPLES = (
    "runbook list ha",
    "runbook list --severity critical",
    "runbook list --probes",
    "runbook list --probes kafka_topic",
    "runbook list --blocks check",
)


def command(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME]...",
            help="Runbooks: files, or names of built-in ones. With --probes, --views or --blocks: their names.",
            show_default=False,
            autocompletion=complete_listed,
        ),
    ] = None,
    probes: Annotated[
        bool, typer.Option("--probes", help="List probes instead; for named probes, their columns and parameters.")
    ] = False,
    views: Annotated[
        bool, typer.Option("--views", help="List views instead; for named views, their columns and parameters.")
    ] = False,
    kinds: Annotated[
        bool, typer.Option("--blocks", help="List kinds of block instead; for named kinds, all fields.")
    ] = False,
    all_: Annotated[bool, typer.Option("--all", help="Every block of every runbook.")] = False,
    severity: Severity = "info",
    objective: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Only checks for this objective.",
            autocompletion=complete_objectives,
        ),
    ] = "",
    format_: Format = "console",
    checks: Checks = None,
) -> int:
    """List runbooks and their blocks, probes, views or fields.

    Without names, one line per runbook. With --severity or --objective, only checks are listed. Contacts no system.
    """
    import sys

    from runbook.cli.project_code import tell_left_out
    from runbook.cli.severity_option import read_severity
    from runbook.model.block import OBJECTIVES, SEVERITIES
    from runbook.model.errors import Problem, UsageError
    from runbook.plugins.catalog import add_user_checks
    from runbook.run.sources.runbooks import read_sound
    from runbook.show import declarations
    from runbook.show.catalogs import as_json, as_text, block_kinds, blocks, modules, overview, refuse_unknown

    read_severity("--severity", severity)
    refuse_unknown("--objective", objective, ("", *OBJECTIVES))
    refuse_unknown("--format", format_, ("console", "json"))
    if probes + views + kinds > 1:
        raise UsageError("--probes, --views and --blocks: choose one of them")
    for folder in checks or []:
        try:
            add_user_checks(folder)
        except UsageError as error:
            raise UsageError(f"{error}" if folder.is_dir() else f"{error}; without it all checks are listed") from error
    if names and names[0] in ("probes", "views", "blocks") and not (probes or views or kinds):
        raise UsageError(f"{names[0]} is an option here: runbook list {' '.join(['--' + names[0], *names[1:]])}")
    if names and (probes or views or kinds):
        cards = declarations.kinds(names) if kinds else declarations.sources("probes" if probes else "views", names)
        print(declarations.as_json(cards) if format_ == "json" else declarations.as_text(cards))
        return 0
    mistakes: list[Problem] = []
    brief = False
    if kinds:
        listed = block_kinds()
    elif probes or views:
        listed = modules("probes" if probes else "views")
        tell_left_out(checks or [])
    else:
        books, mistakes = read_sound(names or [])
        listed = blocks(books, severity, objective)
        brief = not (names or all_ or objective or severity != SEVERITIES[0] or format_ == "json")
    print(overview(books) if brief else as_json(listed) if format_ == "json" else as_text(listed))
    if brief:
        print("the blocks of one: runbook list NAME; of all: runbook list --all", file=sys.stderr)
    for mistake in mistakes:
        print(mistake, file=sys.stderr)
    return 2 if mistakes else 0
