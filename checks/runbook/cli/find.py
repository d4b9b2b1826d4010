"""`runbook find`: from an alert's name or an error's text to the place that helps."""

from typing import Annotated

import typer


def find(
    words: Annotated[list[str], typer.Argument(metavar="TEXT...", help="An alert's name, or a line of an error.")],
) -> int:
    """Find the diagnostics, checks and runbooks for an alert or an error text. Contacts nothing."""
    from runbook.cli.sources import read_all
    from runbook.engine.index import search

    found = search(read_all([]), " ".join(words))
    for hit in found[:10]:
        print(f"{hit.name:46} {hit.title}")
        print(f"    {hit.why}")
    if not found:
        print("nothing found: try fewer words, or runbook list")
        return 4
    print(f"\nread: runbook show {found[0].name.replace('/', '#')}")
    return 0
