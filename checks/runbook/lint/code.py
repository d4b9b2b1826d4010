"""What a project holds and nothing loads or reads: code that can't be used, files that look like runbooks."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from runbook.model.errors import FilePosition, Problem, UsageError, nearest
from runbook.plugins.catalog import catalog
from runbook.run.sources.project import find_project
from runbook.run.sources.runbooks import shown_path

_DECLARE: Final = {"probes": "PROBE", "views": "VIEW", "recoveries": "", "connections": ""}
"""Room that users may add to → what a module there must define."""


def unloadable_code() -> Iterator[Problem]:
    """Yield a problem for each module of users' folders, as far as they were named, that can't be used."""
    for room, declared in _DECLARE.items():
        for name, file in catalog(room).of_users().items():
            place = FilePosition(shown_path(file))
            try:
                module = catalog(room).load(name)
            except UsageError as error:
                yield Problem(place, str(error).removeprefix(f"{file} "), "what rests on it is unknown until then")
                continue
            if declared and not hasattr(module, declared):
                yield Problem(place, f"defines no {declared}", f"see: runbook list --{room}")
    for folder in {folder.parent: None for room in _DECLARE for folder in catalog(room).folders_of_users()}:
        yield from _unread(folder)


def _unread(checks: Path) -> Iterator[Problem]:
    """A problem for each file and folder that is called as no module, or no room, is: nothing loads it."""
    for folder in sorted(path for path in checks.glob("*") if path.is_dir()):
        place = shown_path(folder)
        if folder.name in _DECLARE:
            for file in sorted(folder.glob("[!a-z_]*.py")):
                name = re.sub(r"\W+", "_", file.stem).lower()
                yield Problem(
                    FilePosition(f"{place}/{file.name}"),
                    "not read: its name begins with no small letter",
                    f"call it {name}.py",
                )
        elif (meant := nearest(folder.name, [*_DECLARE])) and any(folder.glob("*.py")):
            yield Problem(FilePosition(place), f"not read: {', '.join(_DECLARE)} are", f"call it {meant}")


def unread_runbooks() -> Iterator[Problem]:
    """Yield a problem for each of the project one is in."""
    project = find_project()
    for file, remedy in project.unread() if project else ():
        yield Problem(FilePosition(shown_path(file)), "not read, though it looks like a runbook", remedy)
