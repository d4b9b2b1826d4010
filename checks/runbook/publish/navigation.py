"""Patterns in the navigation, such as `runbooks/*` and `team/**`: a page is found by where it lies, no list is kept."""

import html
import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from mkdocs.utils.meta import get_data

MANY = 25  # our judgement: a list of more is not read; every page repeats the navigation, so that it would weigh, too
_HEADING = re.compile(r"^# +(.+?)(?: *\{[^}]*\})? *$", re.MULTILINE)


def expand(nav: Sequence[Any], titles: Mapping[str, str], first: Collection[str] = ()) -> list[Any]:
    """Replace each pattern by the pages of exactly that folder which no other entry names, as they are to be read.

    That is: its index, the pages of `first`, those whose file is numbered, the rest by title. Of a folder with many
    pages and an index the index alone is named: it lists the others. With two stars the folder is a section, called as
    its index or as itself, with all of its pages and the folders below it as sections of the same kind. A section that
    ends up empty is dropped, so that `nav` may name folders which nothing fills yet.

    Args:
        nav: the navigation as MkDocs takes it.
        titles: page -> its title.
        first: the pages that come before others of their folder.
    """

    def reading_order(page: str) -> tuple[bool, bool, bool, str, str]:
        name = PurePosixPath(page).name
        numbered = name[0].isdigit()
        return name != "index.md", page not in first, not numbered, name if numbered else titles[page].casefold(), page

    known = {page: titles[page] for page in sorted(titles, key=reading_order)}
    taken = set(_named(nav))
    return [entry for item in nav for entry in _entry(item, known, taken)]


def title_of(page: str, text: str) -> str:
    """The title of a page, Markdown or a notebook, as the navigation will show it; else the file's name."""
    if page.endswith(".ipynb"):
        text = "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"])
    body, head = get_data(text)
    found = _HEADING.search(body)
    return str(head.get("title") or (html.unescape(found[1]) if found else PurePosixPath(page).stem))


def _named(nav: Sequence[Any]) -> Iterable[str]:
    for item in nav:
        if isinstance(item, str):
            yield item
        else:
            for value in item.values():
                yield from _named(value if isinstance(value, list) else [value])


def _entry(item: Any, known: Mapping[str, str], taken: set[str]) -> list[Any]:
    if isinstance(item, str):
        if item.endswith("/**"):
            return _section(PurePosixPath(item).parent, known, taken)
        if not item.endswith("*"):
            return [item]
        folder = item.removesuffix("*").removesuffix("/") or "."
        found = [page for page in known if str(PurePosixPath(page).parent) == folder and page not in taken]
        taken.update(found)
        index = f"{folder}/index.md"
        if len(found) > MANY and index in known:
            return [page for page in found if page == index]
        return found
    entries: list[Any] = []
    for title, value in item.items():
        if isinstance(value, str) and not value.endswith("*"):
            entries.append({title: value})
            continue
        below = [
            entry for part in (value if isinstance(value, list) else [value]) for entry in _entry(part, known, taken)
        ]
        if below:
            entries.append({title: below})
    return entries


def _section(folder: PurePosixPath, known: Mapping[str, str], taken: set[str]) -> list[Any]:
    """A folder with all that lies in it, as a section; nothing where no page is left."""
    within = {page: PurePosixPath(page).relative_to(folder) for page in known if page.startswith(f"{folder}/")}
    entries: list[Any] = [page for page, place in within.items() if len(place.parts) == 1 and page not in taken]
    taken.update(entries)
    for name in sorted({place.parts[0] for place in within.values() if len(place.parts) > 1}):
        entries += _section(folder / name, known, taken)
    return [{known.get(f"{folder}/index.md", folder.name): entries}] if entries else []
