"""Names of blocks in a page, such as `ha#bring-a-broker-back` or a command that shows one, as links to their cards."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from html import unescape
from posixpath import dirname, relpath
from typing import Final

from runbook.parse.runbook import Runbook

# In a link, in code to copy, in a heading or a line to unfold, and beside its own card a name stays as it is.
_LEFT: Final = r'<(a|pre|h[1-6]|summary)\b.*?</\1>|<p class="rb-facts">.*?</p>'
_CODE: Final = re.compile(rf"{_LEFT}|<code>([^<]+)</code>", re.DOTALL)
_BLOCK: Final = re.compile(r"(runbook [a-z -]*?)?((?:[\w-]+[#/])?[\w-]*-[\w-]+)(?(1)(?: .*)?)")


def places_of(books: Sequence[Runbook]) -> dict[str, str]:
    """Where each block is on the site, by every name that it has.

    A block is called `RUNBOOK#ID` and `RUNBOOK/ID`; one whose id no other runbook has, `ID` too.
    """
    ids = Counter(placed.block.id for book in books for placed in book.placed())
    places: dict[str, str] = {}
    for book in books:
        for placed in book.placed():
            name = placed.block.id
            place = f"runbooks/{book.name}.html#{name}"
            alone = [name] if ids[name] == 1 else []
            places |= dict.fromkeys([f"{book.name}#{name}", f"{book.name}/{name}", *alone], place)
    return places


def with_block_links(html: str, page: str, places: Mapping[str, str]) -> str:
    """Make links of the names of blocks that stand as code.

    Args:
        html: the content of a page.
        page: its path below the root of the site, as in `runbooks/ha.md`.
        places: where each block is (`places_of`).
    """
    own = page.removeprefix("runbooks/").removesuffix(".md") if page.startswith("runbooks/") else ""

    def linked(found: re.Match[str]) -> str:
        block = _BLOCK.fullmatch(unescape(found[2])) if found[2] else None
        if block is None:
            return found[0]
        place = places.get(f"{own}#{block[2]}") or places.get(block[2])
        return f'<a href="{relpath(place, dirname(page))}">{found[0]}</a>' if place else found[0]

    return _CODE.sub(linked, html)
