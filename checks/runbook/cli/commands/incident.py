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
            help="A time in UTC (2026-11-24T06:00), a time of the last 24 hours (06:00), or how long ago (2h).",
        ),
    ] = "2h",
    to: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="TIME",
            help="The end, in the same format. A time without a date is the next one after --from. Default: now.",
        ),
    ] = "",
    inventory: InventoryFile = None,
    results: Annotated[
        str, typer.Option(metavar="STORE", help="Results store. Default: as in the inventory or the project.")
    ] = "",
    walks: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Folder of walks. Default: the user's state folder.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write the page to this file: .md or .txt.")
    ] = None,
) -> int:
    """Make a Markdown page of the runs, walks and decisions between two times. Contacts no system.

    From the results store: every run of the environment, its causes, which checks failed, passed or were unknown, and
    when that changed. From walks and drills: what was done, skipped and overruled, by whom, what gates found, and how
    it ended. From kept facts: what changed. Checks that already failed the day before are listed separately.

    Exit codes: 0 the page is made, 2 usage error, 4 nothing is recorded.
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
