"""Code of users that is to be loaded, and can't be: whatever asks for it would be unknown."""

from collections.abc import Iterator
from typing import Final

from runbook.model.errors import FilePosition, Problem, UsageError
from runbook.plugins.catalog import catalog
from runbook.run.sources import shown_path

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
