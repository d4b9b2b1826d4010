"""`runbook find`: from an alert's name or an error's text to the place that helps."""

from typing import Annotated

import typer

from runbook.cli.completing import complete_runbooks

EXAMPLES = ("runbook find NotEnoughReplicas", "runbook find OurKafkaBrokerDown --in runbooks/first.md")


def command(
    words: Annotated[list[str], typer.Argument(metavar="TEXT...", help="An alert's name, or a line of an error.")],
    within: Annotated[
        list[str] | None,
        typer.Option(
            "--in",
            metavar="RUNBOOK",
            help="Search this runbook, a file or a built-in one; else all built-in ones. Repeatable.",
            autocompletion=complete_runbooks,
        ),
    ] = None,
    limit: Annotated[int, typer.Option(metavar="N", min=1, help="Places shown.")] = 10,
) -> int:
    """Find help for an alert or an error text.

    Searches diagnostics, checks, procedures and the heads of runbooks; contacts nothing.

    Exit codes: 0 found, 4 nothing found.
    """
    from runbook.parse.index import search
    from runbook.run.sources import read_all
    from runbook.safety.sanitize import sanitize

    runbooks = read_all(within or [])
    found = search(runbooks, " ".join(words))
    if not found:
        print("nothing found: try fewer words, or runbook list")
        return 4
    for hit in found[:limit]:
        print(sanitize(f"{hit.name:46} {hit.title}"))
        print(f"    {sanitize(hit.why)}")
    if len(found) > limit:
        print(f"… {len(found) - limit} more: --limit {len(found)}")
    name, _, identifier = found[0].name.partition("/")
    book = next(book for book in runbooks if book.name == name)
    where = name if book.origin == "built-in" else book.path
    print(f"\nread: runbook show {sanitize(where)}{'#' if identifier else ''}{identifier}")
    return 0
