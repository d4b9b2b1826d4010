"""What a runbook says to do first about a failing check or a cause, in one sentence."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from runbook.model.block import Cause, Check
from runbook.parse.runbook import Runbook
from runbook.publish.page import short
from runbook.publish.site_paths import block_page
from runbook.publish.without_values import without_values

_KEY = re.compile(r"\{\w+\.(\w+)\}")
"""A value of a cause's sentence that may be one of its keys: FACT.COLUMN."""


class FirstStep(Struct, frozen=True):
    """What to do first, and the place of the block that says more, seen from the root of the site.

    Attributes:
        text: a few paragraphs of Markdown; of a cause with the places of its values.
        href: of the block.
    """

    text: str
    href: str

    def says(self, keys: Mapping[str, list[Any]] | None = None) -> str:
        """Its first sentence, cut where it is long; about what the keys name, column -> values."""
        known = {column: ", ".join(map(str, values)) for column, values in (keys or {}).items() if values}
        told = _KEY.sub(lambda place: known.get(place[1], place[0]), self.text)
        return short(without_values(told).replace("`", "").replace("**", ""))


def first_steps(runbooks: Iterable[Runbook]) -> dict[str, FirstStep]:
    """The first step of each check and cause, by its name RUNBOOK/ID."""
    return {
        placed.name: FirstStep(text, block_page(placed.name))
        for runbook in runbooks
        for placed in runbook.placed()
        if (text := _text(placed.block)) is not None
    }


def _text(block: object) -> str | None:
    match block:
        case Check():
            return block.remedy
        case Cause():
            return block.first
    return None
