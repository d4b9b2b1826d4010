"""A knowledge base of one's own: one file, `runbook.yaml`, says what belongs to it.

It is found in the folder one is in, by the rules for an inventory that nobody named (`run.ownership`), or named by
`$RUNBOOK_PROJECT`. Its runbooks are text, and are taken either way. Its code is loaded only where a person named the
project or the folder: a checkout of somebody else's brings its settings along, and consent never comes out of those.
"""

import os
import re
from pathlib import Path
from typing import Annotated, Any, Final

from msgspec import Meta, Struct

from runbook.model.errors import Invalid, Problem, UsageError, did_you_mean
from runbook.parse.runbook import read_text
from runbook.parse.schema import mended
from runbook.parse.yaml_document import read_yaml
from runbook.plugins.content import builtin_runbooks
from runbook.run.sources.ownership import require_own

NAME: Final = "runbook.yaml"
VARIABLE: Final = "RUNBOOK_PROJECT"
"""Names the file, or the folder that holds it."""

_MARKDOWN: Final = {".md", ".markdown", ".mdown", ".mkd"}
_FRONT: Final = re.compile(r"---\r?\n")
_EXTENDS: Final = re.compile(r"^extends:", re.MULTILINE)
Place = Annotated[str, Meta(min_length=1)]


class SiteSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """What of the site is the project's own.

    Attributes:
        name: its title.
        docs: the folder of its other pages, Markdown; its index.md is the first page.
        data: the folder that holds `results/` and `scorecard/`.
        stale_after_days: the age above which a result is marked as old.
        nav: the project's own pages, as `nav` of MkDocs has them.
    """

    name: Place = "Runbooks"
    docs: Place = "docs"
    data: Place = "site-data"
    stale_after_days: Annotated[int, Meta(ge=1)] = 8
    nav: list[Any] = []


class ProjectSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """What `runbook.yaml` may say; folders are relative to it.

    Attributes:
        runbooks: the folder of its runbooks.
        checks: the folder of its code, with probes/, views/ and connections/; "" where there is none.
        builtin: whether the built-in runbooks are meant too where none is named; or which of them.
        inventory: the file of its environments.
        site: what of the site is its own.
    """

    runbooks: Place = "runbooks"
    checks: str = ""
    builtin: bool | list[Place] = True
    inventory: str = ""
    site: SiteSettings = SiteSettings()


class Project(Struct, frozen=True):
    """A knowledge base of one's own.

    Attributes:
        file: its settings.
        named: whether a person named it, and so lets its code be loaded.
        settings: what it says.
    """

    file: Path
    named: bool
    settings: ProjectSettings

    def place(self, name: str) -> Path:
        """A file or folder that the settings name."""
        return self.file.parent / name

    def runbooks(self) -> dict[str, Path]:
        """Its runbooks by their names."""
        return {file.stem: file for file in sorted(self.place(self.settings.runbooks).glob("*.md"))}

    def unread(self) -> list[tuple[Path, str]]:
        """Files that look like runbooks and are not read, for their ending or their place, each with the remedy."""
        folder, read = self.place(self.settings.runbooks), {*self.runbooks().values()}
        found = []
        for file in sorted(folder.rglob("*")):
            if file.suffix.lower() not in _MARKDOWN or file in read or not file.is_file():
                continue
            if file.parent == folder:
                found.append((file, f"call it {file.stem}.md"))
            elif _FRONT.match(read_text(file, str(file))):
                found.append((file, f"move it to {folder / file.stem}.md"))
        return found

    def builtin(self) -> list[str]:
        """The names of the built-in runbooks that are meant beside its own; one that it extends is its own."""
        every = sorted(file.stem for file in builtin_runbooks().glob("*.md"))
        meant = [name for name in every if self.settings.builtin is True or name in _listed(self.settings.builtin)]
        return [name for name in meant if name not in self.runbooks()]

    def code(self) -> Path | None:
        """The folder of its code, if it has any."""
        return self.place(self.settings.checks).resolve() if self.settings.checks else None


def is_there() -> bool:
    """Whether there is a project here; costs a look, and reads nothing."""
    return bool(os.environ.get(VARIABLE)) or Path(NAME).is_file()


def around(folder: Path) -> Path | None:
    """The next folder above an absolute one that holds a project; None where none does."""
    return next((parent for parent in folder.parents if (parent / NAME).is_file()), None)


def above() -> str:
    """Where the next project is, if there is none here and one in a folder above: a sentence, or ""."""
    found = None if is_there() else around(Path.cwd())
    return f"a project is in {found}: go there, or name it by {VARIABLE}={found}" if found else ""


def find_project() -> Project | None:
    """The project that is named, or the one in this folder.

    Raises:
        UsageError: it was found here, and others may have written it; or the one that is named is not there.
        Invalid: it has mistakes; with all of them.
    """
    if not is_there():
        return None
    given = os.environ.get(VARIABLE, "")
    file = Path(given or NAME)
    if file.is_dir():
        file /= NAME
    if given and not file.is_file():
        raise UsageError(f"{VARIABLE} names {given}, and there is no {NAME}: runbook init DIR begins one")
    if not given:
        require_own(file, f"{VARIABLE}={file.resolve()}")
    return Project(file, bool(given), _read(file))


def _read(file: Path) -> ProjectSettings:
    document = read_yaml(read_text(file, str(file)), str(file))
    problems: list[Problem] = []
    settings = ProjectSettings() if document.value is None else mended(document, ProjectSettings, "project", problems)
    if settings is None:
        raise Invalid(problems)
    known = sorted(path.stem for path in builtin_runbooks().glob("*.md"))
    for i, name in enumerate(_listed(settings.builtin)):
        if name not in known:
            place = document.place(("builtin", i))
            problems.append(Problem(place, f"no built-in runbook {name}", did_you_mean(name, known)))
    project = Project(file, named=False, settings=settings)
    folder = project.place(settings.runbooks)
    if not folder.is_dir():
        problems.append(
            Problem(document.place(("runbooks",)), f"there is no folder {folder}", "make it, or name yours")
        )
    meant = known if settings.builtin is True else _listed(settings.builtin)
    for name in sorted(project.runbooks().keys() & {*meant}):
        file = project.runbooks()[name]
        if not _EXTENDS.search(read_text(file, str(file)).partition("\n---")[0]):
            message = f"{file} has the name of a built-in runbook"
            remedy = (
                f"rename it, let it say extends: {name}, or list under builtin: only those that you want beside yours"
            )
            problems.append(Problem(document.start, message, remedy))
    if problems:
        raise Invalid(sorted(problems, key=lambda one: one.place))
    return settings


def _listed(builtin: bool | list[str]) -> list[str]:  # noqa: FBT001 - as the settings have it
    return builtin if isinstance(builtin, list) else []
