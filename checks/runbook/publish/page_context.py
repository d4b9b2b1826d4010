"""What pages of runbooks show beside the runbook, and how runbooks of one's own are marked."""

from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta

from msgspec import Struct

from runbook.parse.runbook import LocatedBlock, Runbook
from runbook.publish.evidence import EnvironmentEvidence
from runbook.publish.versions import VersionHistory

_MARKED = "---\nsubtitle: {0}\ntags: [{0}]\n---\n\n"
"""The head of a page that the navigation, and each hit in the search box, marks as one's own."""


class PageContext(Struct, frozen=True):
    """What pages of runbooks show beside the runbook.

    Attributes:
        environments: the last results of each.
        stale_after: the age above which a result is marked as old.
        blocks: every block of all published runbooks, by its global name.
        history: the versions that releases had.
        own: names of runbooks that are marked as one's own, beside built-in ones.
    """

    environments: Sequence[EnvironmentEvidence]
    stale_after: timedelta
    blocks: Mapping[str, LocatedBlock]
    history: VersionHistory
    own: Collection[str] = frozenset()

    def head(self, runbook: Runbook) -> str:
        """The head of a page of a runbook, which says whether it is one's own; empty for the others."""
        mark = mark_of(runbook, self.own)
        return _MARKED.format(mark) if mark else ""


def mark_of(runbook: Runbook, own: Collection[str]) -> str:
    """What marks a runbook of one's own beside built-in ones, or a built-in one that is changed; "" for the others."""
    return "" if runbook.name not in own else "built-in, amended" if runbook.front.extends else "our own"


def marks(runbooks: Sequence[Runbook], own: Collection[str]) -> dict[str, str]:
    """What marks each runbook that is not built in as it is, by its name."""
    return {book.name: mark for book in runbooks if (mark := mark_of(book, own))}
