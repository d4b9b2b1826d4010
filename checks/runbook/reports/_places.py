"""Where a code host shows a finding: a line of a file, named as seen from the working directory."""

from collections.abc import Iterable
from typing import Final

from runbook.model.errors import FilePosition

_NOWHERE: Final = FilePosition("environments.yaml")
"""Where a finding stands of which nothing says where, such as one of a bundle."""


def first_place(places: Iterable[str], folder: str) -> FilePosition:
    """The first of these places that is one; a file below the folder as seen from there, as code hosts want it."""
    found = next(filter(None, map(FilePosition.read, places)), _NOWHERE)
    return found._replace(file=found.file.removeprefix(f"{folder}/")) if folder else found
