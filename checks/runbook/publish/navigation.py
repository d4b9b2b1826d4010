"""Patterns in the navigation, such as `runbooks/*`: a page is found by where it lies, no list is kept by hand."""

from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath
from typing import Any

MANY = 25  # our judgement: a list of more is not read; every page repeats the navigation, so that it would weigh, too


def expand(nav: Sequence[Any], pages: Iterable[str]) -> list[Any]:
    """Replace each pattern by the pages of exactly that folder which no other entry names, its index first.

    Of a folder with many pages and an index the index alone is named: it lists the others. A section that ends up
    empty is dropped, so that `nav` may name folders which nothing fills yet.
    """
    known = sorted(pages, key=lambda page: (PurePosixPath(page).name != "index.md", page))
    taken = set(_named(nav))
    return [entry for item in nav for entry in _entry(item, known, taken)]


def _named(nav: Sequence[Any]) -> Iterable[str]:
    for item in nav:
        if isinstance(item, str):
            yield item
        else:
            for value in item.values():
                yield from _named(value if isinstance(value, list) else [value])


def _entry(item: Any, known: Sequence[str], taken: set[str]) -> list[Any]:
    if isinstance(item, str):
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
