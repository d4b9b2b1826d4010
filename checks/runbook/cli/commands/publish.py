"""`runbook publish`: build the site and show it at once."""

from pathlib import Path
from typing import Annotated

import typer

EXAMPLES = ("runbook publish /srv/www/runbooks --site-data .demo",)


def command(
    destination: Annotated[
        Path, typer.Argument(metavar="DEST", help="Folder whose link `current` a web server shows; made if missing.")
    ],
    data: Annotated[
        Path, typer.Option("--site-data", metavar="DIR", help="Folder that holds results/ and scorecard/.")
    ] = Path("site-data"),
    keep: Annotated[int, typer.Option("--keep", metavar="N", help="How many releases stay.")] = 3,
) -> int:
    """Build the site aside, strictly, with an archive for offline reading; then show it. Run it beside mkdocs.yml."""
    from runbook.cli.terminal import Steps
    from runbook.publish.build import build_site, check_sources
    from runbook.publish.release import release

    root = Path.cwd()
    check_sources(root)
    progress = Steps()
    finished = release(destination, lambda folder: build_site(root, data, folder, progress), keep)
    print(f"published: {destination / 'current'} is now {finished.name}")
    return 0
