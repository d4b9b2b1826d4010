"""`runbook probe`: run one probe and print its rows and types, for authors."""

from typing import Annotated

import typer

from runbook.cli.completion import complete_probes
from runbook.cli.options import Checks, Deadline, Environments, Format, InventoryFile

EXAMPLES = (
    "runbook probe",
    "runbook probe kafka_topic --env lab --with internal=false --limit 5",
    "runbook probe kafka_advertised_host --checks checks",
)


def command(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[PROBE]",
            help="Probe to run. Without it, the probes are listed.",
            show_default=False,
            autocompletion=complete_probes,
        ),
    ] = None,
    inventory: InventoryFile = None,
    env: Environments = None,
    with_: Annotated[
        list[str] | None, typer.Option("--with", metavar="NAME=VALUE", help="A parameter of the probe. Repeatable.")
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=0, help="Rows shown; 0 for all. Default: 20, or all in JSON.", show_default=False
        ),
    ] = None,
    format_: Format = "console",
    deadline: Deadline = "10s",
    checks: Checks = None,
) -> int:
    """Run one probe and print its rows, for authors.

    Prints the columns that checks can use, with their types, and what could not be observed.

    Exit codes: 0 everything was observed, 3 something was not, 4 the probe does not apply there.
    """
    import sys

    from runbook.cli.project_code import tell_left_out
    from runbook.model.errors import UsageError, did_you_mean
    from runbook.plugins.catalog import add_user_checks
    from runbook.run.sources.chosen_environments import choose
    from runbook.run.sources.inventories import load_inventory
    from runbook.show.declarations import declared
    from runbook.show.probe_rows import ROWS, as_json, as_text, left_out, parameters, probe_list
    from runbook.terminal.progress import ask_all

    if format_ not in ("console", "json"):
        raise UsageError(f"--format {format_}: {did_you_mean(format_, ['console', 'json'])}")
    for folder in checks or []:
        add_user_checks(folder)
    if name is None:
        print(probe_list())
        tell_left_out(checks or [])
        return 0
    given = parameters(name, declared("probes", name), with_ or [])
    book = load_inventory(inventory)
    user = [str(folder.resolve()) for folder in checks or []]
    answers = ask_all(choose(book, env or []), [name], deadline, given=given, user_checks=user)
    facts = {environment: fact for (environment, _), fact in answers.items()}
    if format_ == "json":
        print(as_json(facts, limit or 0))
        print(left_out(facts, limit or 0), end="", file=sys.stderr)
    else:
        print(as_text(name, facts, ROWS if limit is None else limit))
    if all(fact.inapplicable for fact in facts.values()):
        return 4
    return 0 if all(fact.complete for fact in facts.values()) else 3
