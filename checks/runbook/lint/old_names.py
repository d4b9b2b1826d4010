"""Mistakes in the old names of blocks: names that would mean two blocks."""

from collections.abc import Iterator

from runbook.lint.neighbours import Neighbour
from runbook.model.errors import Problem
from runbook.parse.runbook import Runbook


def mistaken_old_names(book: Runbook, neighbour: Neighbour) -> Iterator[Problem]:
    """Yield a problem for each old name that a block has now, and for each that another block claims, too."""
    claimed: dict[str, str] = {}
    for placed in book.placed():
        for i, old in enumerate(placed.old_names):
            name = old.partition("/")[0]
            there = book if name == book.name else neighbour(name)
            others = [*there.placed()] if there else []
            owner = claimed.setdefault(old, placed.name)
            if there is not book:
                owner = next((other.name for other in others if old in other.old_names), owner)
            place = placed.document.place(("was", i))
            if any(other.name == old for other in others):
                yield Problem(place, f"{old} is the name of a block today", f"take it out of was: of {placed.name}")
            elif owner != placed.name:
                yield Problem(place, f"{old} is an old name of {owner} already", "leave it in was: of one of them")
