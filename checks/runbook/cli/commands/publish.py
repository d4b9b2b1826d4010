"""`runbook publish`: build the site and show it at once."""

from pathlib import Path
from typing import Annotated

import typer

EXAMPLES = (
    "runbook publish /srv/www/runbooks --site-data .demo",
    "runbook publish /srv/www/public --redact",
)


def _refuse_mistakes() -> None:
    """Refuse runbooks of one's own that `check` would refuse, or with links that lead nowhere.

    A card would show what nobody can judge, and a page that is generated is not looked at for its links.

    Raises:
        Invalid: one has such mistakes, or can't be read; with all of them.
    """
    from runbook.lint.links import dead_links
    from runbook.lint.neighbours import neighbour_of
    from runbook.model.errors import Invalid
    from runbook.run.sources.compiled_causes import compile_causes
    from runbook.run.sources.compiled_runbooks import compile_checks
    from runbook.run.sources.runbooks import own_names, read_all

    books = read_all(names) if (names := own_names()) else []
    problems = [
        problem
        for book in books
        for found in (compile_checks(book)[1], compile_causes(book)[1], dead_links(book, [], neighbour_of(book)))
        for problem in found
    ]
    if problems:
        raise Invalid(problems)


def _key(data: Path) -> dict[str, str]:
    """What tells the build where the key of pseudonyms is; it is made where there is none.

    Raises:
        UsageError: it can't be read or written.
    """
    from runbook.model.errors import UsageError
    from runbook.publish.pseudonyms import KEY, key_of

    file = data / "redaction.key"
    try:
        key_of(file)
    except (OSError, ValueError) as error:
        raise UsageError(f"{file}, the key of pseudonyms, can't be used: {error}") from error
    return {KEY: str(file.resolve())}


def command(
    destination: Annotated[
        Path,
        typer.Argument(metavar="DEST", help="Folder whose link `current` a web server serves; created if missing."),
    ],
    data: Annotated[
        Path | None,
        typer.Option(
            "--site-data",
            metavar="DIR",
            help="Folder with results/ and scorecard/. Default: the project's, else site-data.",
            show_default=False,
        ),
    ] = None,
    keep: Annotated[int, typer.Option("--keep", metavar="N", help="Number of releases to keep.")] = 3,
    redact: Annotated[
        bool,
        typer.Option("--redact", help="Replace names of topics, groups, hosts, principals and the like by pseudonyms."),
    ] = False,
) -> int:
    """Build the site in a new folder, with an archive for offline reading, then switch to it if the build succeeded.

    The site has the runbooks, pages and results of the current project (runbook.yaml), and the built-in runbooks that
    it includes. Outside of a project, it is the site of the current checkout.
    """
    import sys

    from runbook.publish.build import build_site, check_sources
    from runbook.publish.project_site import sources
    from runbook.publish.release import release
    from runbook.publish.week_pages import keep_weeks
    from runbook.run.sources.project import VARIABLE, find_project
    from runbook.terminal.status import Steps

    project = find_project()
    with Steps() as progress:
        if project is None:
            root = Path.cwd()
            check_sources(root)
            shown = data or Path("site-data")
            named = _key(shown) if redact else {}
            finished = release(destination, lambda folder: build_site(root, shown, folder, progress, named), keep)
        else:
            shown = data or project.place(project.settings.site.data)
            with sources(project) as root:
                _refuse_mistakes()
                named = {VARIABLE: str(project.file.resolve())} | (_key(shown) if redact else {})
                finished = release(destination, lambda folder: build_site(root, shown, folder, progress, named), keep)
    try:
        if not redact:  # a week without names would stay so
            keep_weeks(finished, shown)
    except OSError as error:
        print(f"note: the week's summary is not kept in {shown}: {error.strerror}", file=sys.stderr)
    if not shown.is_dir():
        print(f"note: there is no folder {shown}, so that no scorecard and no evidence is shown", file=sys.stderr)
    current = destination / "current"
    print(f"published: {current} is now {finished.name}; open {current / 'index.html'}")
    return 0
