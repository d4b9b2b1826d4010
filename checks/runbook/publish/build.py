"""Build the site, and the same site as an archive to open from a folder."""

import importlib.util
import re
import shutil
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

from runbook.model.errors import UsageError
from runbook.plugins.extras import install
from runbook.publish.site_code import named_by
from runbook.publish.site_links import refuse_links_outside
from runbook.run.sources.ownership import require_own_code
from runbook.run.sources.project import NAME
from runbook.safety.child_process import finish_text, for_children, python_module

OFFLINE = "offline.zip"
SETTINGS = "mkdocs.yml"
FOR_A_FOLDER = "RUNBOOK_SITE_OFFLINE"
"""The variable that has our hooks build the site to be opened from a folder: its search works there, too."""
_ENTRY = re.compile(r"(?:DEBUG|INFO|WARNING|ERROR|CRITICAL) +-  ")
"""How MkDocs begins what it logs; what follows on further lines belongs to it."""
_DATED = (2000, 1, 1, 0, 0, 0)  # the same pages make the same archive


def build_site(
    root: Path, data: Path, site: Path, progress: Callable[[str], None], variables: Mapping[str, str] | None = None
) -> None:
    """Fill a folder with the site and `offline.zip`.

    Args:
        root: the folder that holds mkdocs.yml.
        data: the folder that holds `results/` and `scorecard/`.
        site: an empty folder.
        progress: told of every step.
        variables: of the environment in which it is built, over those of this process.

    Raises:
        UsageError: MkDocs is not installed, or a build ended with an error or a warning; with what it said.
    """
    if importlib.util.find_spec("mkdocs") is None:
        raise UsageError(f"the site is built by MkDocs, which is not installed: {install('site')}")
    progress("Building the site")
    _mkdocs(root, data, site, variables or {})
    progress("Building the site for offline reading")
    offline = site.with_name(f"{site.name}-offline")
    try:
        _mkdocs(root, data, offline, {**(variables or {}), FOR_A_FOLDER: "1"})
        pack(offline, site / OFFLINE)
    finally:
        shutil.rmtree(offline, ignore_errors=True)


def check_sources(root: Path) -> None:
    """Refuse a folder that is no site of ours, in which others may have written what is run, or links lead outside.

    Raises:
        UsageError: a file that the build needs is not there, may be of others, or is a link to elsewhere.
    """
    settings = root / SETTINGS
    if not settings.is_file():
        where = f"beside a {NAME}, which runbook init writes, or in a checkout"
        raise UsageError(f"{settings} is missing: run this {where}")
    require_own_code(root, [settings])
    code = [*named_by(settings)]
    require_own_code(root, code)
    refuse_links_outside(root, code)


def _mkdocs(root: Path, data: Path, site: Path, variables: Mapping[str, str]) -> None:
    settings = root / SETTINGS
    # Not --quiet: it hides warnings from --strict, too, which then counts none.
    places = ("--config-file", str(settings), "--site-dir", str(site.resolve()))
    told = {"RUNBOOK_SITE_DATA": str(data.resolve()), "NO_MKDOCS_2_WARNING": "1"}
    command = python_module("mkdocs", "build", "--strict", *places)
    done = finish_text(command, folder=root, environment=for_children({**variables, **told}))
    if done.returncode:
        raise UsageError(f"the site could not be built from {settings}:\n{_complaints(done.stdout, done.stderr)}")


def _complaints(out: str, log: str) -> str:
    """What MkDocs said of why it ended: errors, then warnings, then how it ended; all of it where there are none."""
    entries: list[str] = []
    for line in log.splitlines():
        if _ENTRY.match(line) or not entries:
            entries.append(line)
        else:
            entries[-1] += f"\n{line}"
    wrong = [entry for entry in entries if not entry.startswith(("INFO", "DEBUG"))]
    wrong.sort(key=lambda one: one.startswith("WARNING"))
    return "\n".join([*(wrong or entries), *out.strip().splitlines()])


def pack(folder: Path, archive: Path) -> None:
    """Pack a folder into an archive that depends on its files alone."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as packed:
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = zipfile.ZipInfo(f"kafka-runbooks/{file.relative_to(folder).as_posix()}", _DATED)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            packed.writestr(entry, file.read_bytes())
