"""The code of the project that a command works in: loaded where a person named it, elsewhere said to be left out."""

import os
import sys

from runbook.model.errors import UsageError
from runbook.plugins.catalog import CODE, add_user_checks
from runbook.run.project import VARIABLE, find_project


def use_code() -> None:
    """Let probes, views and connections of the project be found, in this process and in those it starts.

    Raises:
        UsageError: the settings can't be used, or name a folder that is not there.
    """
    project = find_project()
    folder = project.code() if project else None
    if project is None or folder is None:
        return
    if not project.named:
        named = f"export {VARIABLE}={project.file.resolve()}"
        print(f"the code in {folder} is not loaded, as nobody named this project: {named}", file=sys.stderr)
        return
    if not folder.is_dir():
        raise UsageError(f"{project.file} names checks: {project.settings.checks}, and there is no folder {folder}")
    add_user_checks(folder)
    known = [one for one in os.environ.get(CODE, "").split(os.pathsep) if one]
    if str(folder) not in known:
        os.environ[CODE] = os.pathsep.join([*known, str(folder)])
