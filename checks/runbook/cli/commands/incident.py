"""`runbook incident`: one page of what is on record between two moments."""

from pathlib import Path
from typing import Annotated

import typer

from runbook.cli.options import InventoryFile, OneEnvironment

EXAMPLES = (
    "runbook incident --env prod-eu --from 2h",
    "runbook incident --env prod-eu --from 17:02 --to 18:30",
    "runbook incident --env prod-eu --from 2026-11-24T06:00 --to 2026-11-24T08:30 --out incident.md",
)

_ENDINGS = ("", ".md", ".markdown", ".txt")


def command(
    env: OneEnvironment = None,
    from_: Annotated[
        str,
        typer.Option(
            "--from",
            metavar="TIME",
            help="A moment in UTC, as 2026-11-24T06:00; a time of the last 24 hours, as 06:00; or how long ago: 2h.",
        ),
    ] = "2h",
    to: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="TIME",
            help="The end, written as --from is. A time alone is the next such time after --from; the default is now.",
        ),
    ] = "",
    inventory: InventoryFile = None,
    results: Annotated[
        str, typer.Option(metavar="STORE", help="Where results are kept; else where the inventory or the project says.")
    ] = "",
    walks: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where walks are kept; else the user's state folder.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write the page there, as Markdown: .md or .txt.")
    ] = None,
) -> int:
    """Gather what was looked at, walked and decided between two moments into one Markdown page. Asks no system.

    From the results store: every run of the environment, its causes, what failed, passed or was unknown, and when that
    turned; from walks and drills: what was done, left out and overruled, by whom, what gates saw and how it ended; from
    kept facts: what changed. What failed even on the day before is kept apart.

    Exit codes: 0 the page is made, 2 usage, 4 nothing is on record.
    """
    import sys

    from runbook.evidence.named_file import write_named
    from runbook.incident.stored_records import read_incident, read_span
    from runbook.model.errors import UsageError
    from runbook.show.incident_page import incident_page

    if out is not None and out.suffix.lower() not in _ENDINGS:
        raise UsageError(f"--out {out}: the page is Markdown: name it .md or .txt")
    span = read_span(env or [], inventory, from_, to)
    record = read_incident(span, results, inventory, walks)
    page = incident_page(record)
    if out is None:
        print(page, end="")
    else:
        try:
            write_named(out, page.encode())
        except OSError as error:
            raise UsageError(f"the page could not be written to {out}: {error.strerror}") from error
        print(f"kept: record of the incident in {out}", file=sys.stderr)
    return 0 if record.seen.looks or record.seen.walks else 4
