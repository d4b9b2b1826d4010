"""Runbooks that others name: beside them, or built-in ones."""

from collections.abc import Callable
from pathlib import Path

from runbook.model.errors import RunbookError
from runbook.parse.old_names import old_names
from runbook.parse.runbook import Runbook
from runbook.run.sources.runbooks import read_all

Neighbour = Callable[[str], Runbook | None]


def ids_of(book: Runbook, asking: Runbook) -> list[str]:
    """The ids by which a runbook finds the blocks of one: the present ones, and those of before in one of one's own."""
    names = old_names([book]) if asking.origin == "file" else {}
    return [*(placed.block.id for placed in book.placed()), *(old.rpartition("/")[2] for old in names)]


def neighbour_of(book: Runbook) -> Neighbour:
    """What finds a runbook beside this one, or a built-in one, by its name; None if it can't be read."""
    return lambda name: read_beside(name, Path(book.path).parent)


def read_beside(name: str, folder: Path) -> Runbook | None:
    """The runbook of a name in a folder, else a built-in one; None if it can't be read."""
    beside = folder / f"{name}.md"
    try:
        (book,) = read_all([str(beside) if beside.exists() else name])
    except RunbookError:
        return None
    return book
