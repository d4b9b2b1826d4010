"""Links to blocks: of names such as `ha#bring-a-broker-back` that stand as code, and of Markdown to `ha.md#ID`."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from html import unescape
from posixpath import dirname, join, normpath, relpath
from typing import Final

from runbook.parse.old_names import old_names
from runbook.parse.runbook import Runbook
from runbook.publish.site_paths import block_page, built

# In a link, in code to copy, in a heading or a line to unfold, and beside its own card a name stays as it is.
_LEFT: Final = r'<(a|pre|h[1-6]|summary)\b.*?</\1>|<p class="rb-facts">.*?</p>'
_CODE: Final = re.compile(rf"{_LEFT}|<code>([^<]+)</code>", re.DOTALL)
_BLOCK: Final = re.compile(r"(runbook [a-z -]*?)?((?:[\w-]+[#/])?[\w-]*-[\w-]+)(?(1)(?: .*)?)")
_HREF: Final = re.compile(r'(?<=<a href=")([^"#:]*)#([\w-]+)(?=")')
_RUNBOOK: Final = re.compile(r"runbooks/([^/]+)\.html")


def places_of(books: Sequence[Runbook]) -> dict[str, str]:
    """Where each block is on the site, by every name that it has.

    A block is called `RUNBOOK#ID` and `RUNBOOK/ID`; one whose id no other runbook has, `ID` too.
    """
    ids = Counter(placed.block.id for book in books for placed in book.placed())
    places: dict[str, str] = {}
    for book in books:
        for placed in book.placed():
            name = placed.block.id
            page = block_page(f"{book.name}/{name}")
            alone = [name] if ids[name] == 1 else []
            places |= dict.fromkeys([f"{book.name}#{name}", f"{book.name}/{name}", *alone], page)
    for old, now in old_names(books).items():
        places |= dict.fromkeys([old.replace("/", "#"), old], block_page(now))
    return places


def with_block_links(html: str, page: str, places: Mapping[str, str]) -> str:
    """Make links of the names of blocks that stand as code, and lead links to a runbook's block to the block's page.

    Args:
        html: the content of a page.
        page: its path below the root of the site, as in `runbooks/ha.md`.
        places: where each block is (`places_of`).
    """
    here = built(page)
    own = re.split(r"[/.]", page)[1] if page.startswith("runbooks/") else ""

    def led(found: re.Match[str]) -> str:
        runbook = _RUNBOOK.fullmatch(normpath(join(dirname(here), found[1])) if found[1] else here)
        place = places.get(f"{runbook[1]}#{found[2]}") if runbook else None
        return relpath(place, dirname(here)) if place else found[0]

    def linked(found: re.Match[str]) -> str:
        block = _BLOCK.fullmatch(unescape(found[2])) if found[2] else None
        place = block and (places.get(f"{own}#{block[2]}") or places.get(block[2]))
        if not place or place == here:
            return found[0]
        return f'<a href="{relpath(place, dirname(page))}">{found[0]}</a>'

    return _CODE.sub(linked, _HREF.sub(led, html))
