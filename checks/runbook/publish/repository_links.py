"""Pages of `docs/` as the repository shows them, turned into pages of the site.

In the repository a link may lead to a runbook, which on the site is a page beside; and pages that only the site has are
named there without a link, as it would lead nowhere.
"""

import re
from collections.abc import Collection
from posixpath import dirname, join, normpath

_TO_RUNBOOK = re.compile(r"(\]\((?:\.\./)*)\.\./(runbooks/[\w-]+\.md)")
_LINK = re.compile(r"(?<!!)\[([^\[\]]+)\]\(([^)#:\s]+\.(?:md|ipynb|yaml))(?:#[^)]*)?\)")
_NAMED = re.compile(r"^- \*\*([A-Z][a-z ]+)\*\*:", re.MULTILINE)


def of_site(markdown: str, page: str, pages: Collection[str]) -> str:
    """Write a page for the site.

    Args:
        markdown: as it stands in the repository.
        page: its path below `docs/`.
        pages: the paths of all pages of the site.
    """

    def linked(entry: re.Match[str]) -> str:
        name = f"{entry[1].lower().replace(' ', '-')}.md"
        there = f"{dirname(page)}/{name}".lstrip("/") in pages
        return f"- [{entry[1]}]({name}):" if there else entry[0]

    return _NAMED.sub(linked, _TO_RUNBOOK.sub(r"\1\2", markdown))


def without_dead_links(markdown: str, page: str, pages: Collection[str]) -> str:
    """Leave the words of links to pages that this site does not have: `page` came along with the tool, they did not."""

    def kept(link: re.Match[str]) -> str:
        return link[0] if normpath(join(dirname(page), link[2])) in pages else link[1]

    return _LINK.sub(kept, markdown)
