"""A part of the build: what is kept of the built-in runbooks is made, so that nobody who installs them parses them.

Hatchling loads this file; it comes with the sources, and is not in the wheel.
"""

import os
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_PLACE: Final = "runbook/content/kept"  # in the wheel: where runbook.plugins.kept_files looks


class KeptBuiltin(BuildHookInterface[Any]):
    """Adds to a wheel what is kept of the runbooks that it ships."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the files; not for an editable install, whose runbooks and code change."""
        if version == "editable":
            return
        self._folder = tempfile.TemporaryDirectory()
        sys.path.insert(0, str(Path(self.root, "checks")))
        os.environ["RUNBOOK_CACHE"] = self._folder.name
        _keep_all()
        for file in sorted(Path(self._folder.name).rglob("*.*")):
            build_data["force_include"][str(file)] = f"{_PLACE}/{file.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Take the files away again."""
        if version != "editable":
            self._folder.cleanup()


def _keep_all() -> None:
    """Have all kept that commands look for.

    Raises:
        ValueError: a runbook has a mistake, and must not be shipped.
    """
    from runbook.run.sources.built_in import BUILT_IN, builtin_names  # noqa: PLC0415 - of the sources that are built
    from runbook.run.sources.compiled_causes import known_causes  # noqa: PLC0415
    from runbook.run.sources.compiled_runbooks import compile_all  # noqa: PLC0415
    from runbook.run.sources.runbooks import read_all  # noqa: PLC0415
    from runbook.search.kept_entries import kept_entries  # noqa: PLC0415

    books = read_all([f"{BUILT_IN}{name}" for name in builtin_names()])
    compile_all(books)
    if notes := known_causes(books).notes:
        raise ValueError("\n".join(notes))
    for book in books:
        kept_entries(book)
