"""`runbook init`: begin a knowledge base of one's own."""

from pathlib import Path
from typing import Annotated

import typer

EXAMPLES = ("runbook init our-runbooks",)


def command(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="Where; here without it.")] = Path(),
) -> int:
    """Begin a knowledge base of your own that runs.

    Writes runbooks/, checks/, tests/ and environments.yaml; overwrites nothing.
    """
    import shlex

    from runbook.cli.scaffolding import lay_out

    written = lay_out(folder)
    for file in written:
        print(f"wrote {file}")
    if folder != Path():
        print(f"\ncd {shlex.quote(str(folder))}")
    print(
        """
what it says        runbook show runbooks/first.md
what is wrong       runbook lint runbooks/*.md
proved to fail      runbook test runbooks/*.md
your clusters       write them into environments.yaml, then: runbook env
is it true there    runbook check runbooks/first.md
a probe of yours    runbook probe kafka_advertised_host --checks checks"""
    )
    return 0
