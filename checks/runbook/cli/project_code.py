"""The code of the project that a command works in: loaded where a person named it, else left out, which is said."""

import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from runbook.model.errors import UsageError
from runbook.plugins.catalog import CODE, add_user_checks, leave_out_user_checks
from runbook.run.sources.project import VARIABLE, Project, find_project

_USUAL: Final = "checks"
"""Where `runbook init` puts code of one's own, and its settings name it behind a #."""


def use_code() -> None:
    """Let probes, views and connections of the project be found, in this process and in those it starts.

    Raises:
        UsageError: the settings can't be used, or name a folder that is not there.
    """
    project = find_project()
    if project is None:
        return
    folder = project.code()
    named = _export(project)
    if folder is None:
        then = "" if project.named else f", then: {named}"
        leave_out_user_checks(
            project.place(_USUAL).resolve(), f"to have it loaded, write checks: {_USUAL} into {project.file}{then}"
        )
        return
    if not project.named:
        leave_out_user_checks(folder, f"to have it loaded: {named}")
        return
    if not folder.is_dir():
        raise UsageError(f"{project.file} names checks: {project.settings.checks}, and there is no folder {folder}")
    add_user_checks(folder)
    known = [part for part in os.environ.get(CODE, "").split(os.pathsep) if part]
    if str(folder) not in known:
        os.environ[CODE] = os.pathsep.join([*known, str(folder)])


def tell_left_out(given: Sequence[Path] = ()) -> None:
    """Say on standard error that what is listed lacks the code of a project that nobody named.

    Where something of it is asked for by its name, the answer says so by itself.

    Args:
        given: folders of code that are loaded, as --checks names them.
    """
    project = find_project()
    folder = project.code() if project and not project.named else None
    if project and folder and folder not in {path.resolve() for path in given}:
        said = f"the code in {folder} is not loaded, as this project was not named"
        print(f"{said}: {_export(project)}", file=sys.stderr)


def _export(project: Project) -> str:
    """The line for a shell that names a project, as pages write it: by its folder."""
    return f"export {VARIABLE}={shlex.quote(str(project.file.resolve().parent))}"
