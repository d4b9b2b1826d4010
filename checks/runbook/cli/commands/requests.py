"""`runbook requests`: every request the tool can make, and what to set so that systems refuse all else."""

from typing import Annotated

import typer

from runbook.cli.completion import one_of
from runbook.cli.options import Checks, one_format

ARTEFACTS = ("kafka-acls", "kafka-canary-acls", "kubernetes-role", "ssh-allow-list")
"""Those of our own connections: to ask each for its own takes longer than a prompt may."""
EXAMPLES = ("runbook requests kafka", "runbook requests --format json", "runbook requests --for kafka-acls")


def command(
    connections: Annotated[
        list[str] | None,
        typer.Argument(metavar="[CONNECTION]...", help="Only these connections. Default: all.", show_default=False),
    ] = None,
    artefact: Annotated[
        str,
        typer.Option(
            "--for",
            metavar="NAME",
            help=f"Print the rights in the form that an administrator applies: {', '.join(ARTEFACTS)}.",
            autocompletion=one_of(*ARTEFACTS),
        ),
    ] = "",
    format_: Annotated[str, one_format("console, json or yaml.", "console", "json", "yaml")] = "console",
    checks: Checks = None,
) -> int:
    """List every request that may be made of a system, and which probes make it.

    A test of this project records what is sent, and fails on any other request. --for prints the rights that allow
    these requests and no others. Requests under "canary" change something; only `runbook drill --allow-canary` and
    `runbook measure --allow-measure` make them. Contacts no system.
    """
    from runbook.cli.project_code import tell_left_out
    from runbook.model.errors import UsageError
    from runbook.plugins import request
    from runbook.plugins.catalog import add_user_checks, catalog
    from runbook.show.catalogs import refuse_unknown
    from runbook.show.request_list import written

    refuse_unknown("--format", format_, ("console", "json", "yaml"))
    for folder in checks or []:
        add_user_checks(folder)
    for name in connections or []:
        refuse_unknown("connection", name, [*catalog("connections").names(), request.CANARY])
    if artefact:
        if connections or format_ != "console":
            raise UsageError("--for prints one text: leave connections and --format away")
        known = request.artefacts()
        refuse_unknown("--for", artefact, list(known))
        print(known[artefact], end="")
    else:
        tell_left_out(checks or [])
        print(written(request.requests(connections or None), format_))
    return 0
