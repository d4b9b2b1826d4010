"""What a majority is, and which of those that have a vote give it: KRaft's controllers, ZooKeeper without groups."""

from collections.abc import Collection, Mapping
from typing import NamedTuple


def majority(voters: int) -> int:
    """Votes that decide, of so many, the dead ones included (KIP-595; ZooKeeper Administrator's Guide)."""
    return voters // 2 + 1


class Standing(NamedTuple):
    """How the voters are.

    Attributes:
        ages: voter → milliseconds since it had all that the leader had; None where that is not known.
        alive: those that vote.
        unsure: those of which nobody is sure.
    """

    ages: Mapping[int, int | None]
    alive: frozenset[int]
    unsure: frozenset[int]

    @property
    def needed(self) -> int:
        """Votes that make a majority."""
        return majority(len(self.ages))

    def without(self, gone: Collection[int], placeless: Collection[int]) -> tuple[int | None, bool | None]:
        """Voters left after a loss and whether they decide; None where it hangs on the unsure, or on the placeless.

        Args:
            gone: nodes that are lost.
            placeless: nodes that may be lost too, as nobody knows where they stand.
        """
        best = len((self.alive | self.unsure) - set(gone))
        worst = len(self.alive - set(gone) - set(placeless))
        survives = True if worst >= self.needed else False if best < self.needed else None
        return best if best == worst else None, survives
