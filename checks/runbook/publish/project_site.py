"""The sources of a project's site: what the tool ships of a site, and the project's own pages over it."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import yaml

from runbook.model.errors import UsageError
from runbook.plugins.catalog import PACKAGE
from runbook.plugins.content import site_sources
from runbook.publish.site_links import refuse_links_outside
from runbook.run.sources.project import Project

SHIPPED: Final = ("explanation", "how-to", "reference", "tutorial", "images", "stylesheets", "scripts")
"""Folders of the tool's own docs/ that every site has: what generated pages lead to and look like."""

_GENERATED: Final = ("alerts", "evidence", "runbooks", "scorecard")
"""Folders of the pages that are made of what the project keeps."""

_NEED: Final = "mkdocs.yml"
_NOTEBOOKS: Final = "mkdocs-jupyter"
_OF_THE_TOOL: Final = {"Home", "Learn", "Project"}
"""Sections of the tool's own site that a project's has in words of its own."""


@contextmanager
def sources(project: Project) -> Iterator[Path]:
    """Lay out, in a folder for as long as it is needed, what MkDocs builds the project's site from.

    Raises:
        UsageError: the project has no first page, or a link in it leads outside; and what is raised while the folder is
            used, which is told of the project's own files.
    """
    own = project.place(project.settings.site.docs)
    first = own / "index.md"
    if not first.is_file():
        raise UsageError(f"{first} is missing, the first page of the site: write it, or name docs: under site:")
    refuse_links_outside(project.file.parent, [own, project.place(project.settings.runbooks)])
    with TemporaryDirectory(prefix="runbook-site-") as folder:
        root = Path(folder)
        for name in SHIPPED:
            shutil.copytree(site_sources() / "docs" / name, root / "docs" / name)
        shipped = [str(file.relative_to(root / "docs")) for file in sorted((root / "docs").rglob("*.md"))]
        shutil.copytree(own, root / "docs", dirs_exist_ok=True)
        settings = _settings(project, [name for name in shipped if not (own / name).exists()])
        (root / _NEED).write_text(yaml.safe_dump(settings, sort_keys=False), encoding="utf-8")
        try:
            yield root
        except UsageError as error:
            raise UsageError(_in_project(str(error), root, project)) from error


def _in_project(told: str, root: Path, project: Project) -> str:
    """What was told of the folder that is laid out, of what the project has in its place: nobody else sees that one."""
    told = told.replace(str(root / _NEED), str(project.file))
    docs = project.place(project.settings.site.docs)
    return told.replace(str(root / "docs"), str(docs)).replace(str(root), str(project.file.parent))


def _settings(project: Project, shipped: list[str]) -> dict[str, Any]:
    """The settings of MkDocs: those of the tool's own site, with what the project says of its own."""
    settings: dict[str, Any] = yaml.safe_load((site_sources() / _NEED).read_text(encoding="utf-8"))
    site = project.settings.site
    rest = [entry for entry in settings["nav"] if not _OF_THE_TOOL & set(entry)]
    help_ = {"Help": [{"Tutorial": "tutorial/*"}, {"How to": "how-to/*"}]}
    settings |= {
        "site_name": site.name,
        "site_description": site.name,
        "watch": [],
        "hooks": [str(PACKAGE / "publish" / "mkdocs_hooks.py")],
        "plugins": {name: value for name, value in settings["plugins"].items() if name != _NOTEBOOKS},
        "nav": [{"Home": ["index.md", *site.nav, "*", *([] if site.nav else _folders(project))]}, *rest, help_],
    }
    shown = {"project": True, "shipped": shipped, "stale_after_days": site.stale_after_days}
    settings["extra"]["runbook"] = shown
    return settings


def _folders(project: Project) -> list[str]:
    """Each folder of the project's own pages, as a pattern for a section: no other page leads to what lies there."""
    own = sorted(place.name for place in project.place(project.settings.site.docs).iterdir() if place.is_dir())
    return [f"{name}/**" for name in own if name not in {*SHIPPED, *_GENERATED}]
