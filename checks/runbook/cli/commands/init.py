"""`runbook init`: begin a knowledge base of one's own."""

from pathlib import Path
from typing import Annotated

import typer

EXAMPLES = ("runbook init our-runbooks",)


def command(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="Where; here without it.")] = Path(),
) -> int:
    """Begin a knowledge base of your own that runs.

    Writes runbook.yaml, runbooks/, tests/, checks/, environments.yaml, docs/, weekly.sh and a job for CI; overwrites
    nothing.
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
what it says        runbook show first
what is wrong       runbook lint
proved to fail      runbook test
your clusters       write them into environments.yaml, then: runbook env
is it true there    runbook check first
all of it, weekly   sh weekly.sh
published           runbook publish web
a probe of yours    runbook probe kafka_advertised_host --checks checks"""
    )
    return 0
