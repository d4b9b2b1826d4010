"""`runbook lint-clients`: review the settings of Kafka clients in a repository."""

from pathlib import Path
from typing import Annotated

import typer

from runbook.cli.completion import complete_reports
from runbook.cli.options import Color, FailOn, InventoryFile

EXAMPLES = (
    "runbook lint-clients .",
    "runbook lint-clients src/main config --format github --base origin/main",
    "runbook lint-clients services/ --format sarif --out clients.sarif",
    "runbook lint-clients . --env prod-eu --exclude '*/src/test/*'",
)


def command(
    paths: Annotated[list[str], typer.Argument(metavar="PATH...", help="Files or folders of a repository.")],
    base: Annotated[str, typer.Option(metavar="REF", help="Only what this commit of git does not have fails.")] = "",
    exclude: Annotated[
        list[str] | None, typer.Option(metavar="PATTERN", help="Leave out paths that match. Repeatable.")
    ] = None,
    library: Annotated[
        str,
        typer.Option(metavar="NAME", help="Library of all clients, as java-4.3, librdkafka-2.12 or spring-3.1."),
    ] = "",
    inventory: InventoryFile = None,
    env: Annotated[
        str,
        typer.Option(
            "--env", "-e", metavar="NAME", help="Judge by labels, objectives, parameters and waivers of an environment."
        ),
    ] = "",
    fail_on: FailOn = "low",
    format_: Annotated[
        str,
        typer.Option(
            "--format",
            "-f",
            metavar="NAME",
            help="Report format: lines, json, github, sarif, or another. Default: by the ending of --out, or lines.",
            autocompletion=complete_reports,
        ),
    ] = "",
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write the report to this file.")
    ] = None,
    rows: Annotated[str, typer.Option(metavar="N", help="Rows shown per check: a number, or all.")] = "all",
    full: Annotated[bool, typer.Option("--full", help="Also list what passed and what did not apply.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="List each file that was skipped, and why.")] = False,
    color: Color = "auto",
) -> int:
    """Review the settings of Kafka clients in a repository. Contacts no system, runs nothing.

    Reads properties files, application files of Spring Boot, Quarkus and Micronaut, connectors, JAAS files, and
    variables in .env and compose files, charts' values and manifests. Files are recognized by the settings in them,
    not by their names. The checks are those of `runbook check` that need only clients' settings. A value that is left
    to a variable is unknown. Exit codes as for check: 0 all true, 1 a check fails, 2 usage error, 3 none fails and
    something is unknown or can't be read, 4 no client's settings were found.
    """
    import sys

    from runbook.cli.followed_run import CheckDone
    from runbook.cli.report_output import Output, write_report
    from runbook.lint.client_repository import as_of, look_through
    from runbook.lint.client_review import check_library, review
    from runbook.run.judgement.known_findings import excuse_known
    from runbook.run.sources.chosen_environments import choose_one
    from runbook.run.sources.inventories import load_inventory
    from runbook.safety.sanitize import sanitize
    from runbook.terminal.status import meanwhile

    output = Output(format_ or ("" if out else "lines"), out, rows, color, fail_on, full, inventory)
    output.check()
    if library:
        check_library(library)
    named = env or inventory
    target = choose_one(load_inventory(inventory), [env] if env else [], "clients are judged by one") if named else None
    with meanwhile("reading files"):
        repository = look_through(paths, exclude or [])
        done = review(repository, target, library)
        if base:
            excuse_known(done.run, review(as_of(base, paths, exclude or []), target, library).run, base)
    unread = [skipped for skipped in repository.skipped if skipped.unread]
    for skipped in repository.skipped if verbose else unread if format_ or out else ():  # else the report has them
        print(sanitize(f"skipped {skipped.path}: {skipped.why}"), file=sys.stderr)
    code = write_report(CheckDone(done.run, done.runbooks, "", {}), output, "")
    return 3 if unread and code in (0, 4) else code
