"""What a runbook says to do first about a failing check or a cause, in one sentence."""

from collections.abc import Iterable

from msgspec import Struct

from runbook.model.block import Cause, Check
from runbook.parse.runbook import Runbook
from runbook.publish.cause_card import without_values
from runbook.publish.page import short
from runbook.publish.site_paths import block_page


class FirstStep(Struct, frozen=True):
    """What to do first, and the place of the block that says more, seen from the root of the site."""

    says: str
    href: str


def first_steps(runbooks: Iterable[Runbook]) -> dict[str, FirstStep]:
    """The first step of each check and cause, by its name RUNBOOK/ID."""
    return {
        placed.name: FirstStep(_shortly(text), block_page(placed.name))
        for runbook in runbooks
        for placed in runbook.placed()
        if (text := _text(placed.block)) is not None
    }


def _text(block: object) -> str | None:
    match block:
        case Check():
            return block.remedy
        case Cause():
            return without_values(block.first)
    return None


def _shortly(text: str) -> str:
    """The first sentence of a few paragraphs of Markdown; cut where it is long."""
    return short(text.replace("`", "").replace("**", ""))
