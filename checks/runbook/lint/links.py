"""Links in the prose of a runbook to files, or places of a page, that are not there: on the site they lead nowhere."""

from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt

from runbook.lint.anchors import anchors, questions
from runbook.lint.neighbours import Neighbour
from runbook.model.errors import FilePosition, Problem, did_you_mean
from runbook.parse.runbook import Prose, Runbook
from runbook.run.sources import every_name


def dead_links(book: Runbook, unread: Collection[str], neighbour: Neighbour) -> Iterator[Problem]:
    """Yield a problem for each link of a runbook to a file, or to a place of a runbook's page, that there is not.

    What leads elsewhere (an address, a page of the tool's documentation) is left alone.

    Args:
        book: the runbook; of one that extends another, what stands in the file is looked at.
        unread: ids of its blocks that can't be read: they are there.
        neighbour: the runbook of a name; None where there is none that can be read.
    """
    folder, names = Path(book.path).parent, every_name()

    @cache
    def places(name: str) -> tuple[list[str], list[str]]:
        there = book if name == book.name else neighbour(name)
        return ([*anchors(there), *(unread if there is book else ())], questions(there)) if there else ([], [])

    for line, target in _links(book.own or book):
        href = urlsplit(target)
        file = Path(unquote(href.path))
        if href.scheme or href.netloc or file.is_absolute() or "docs" in file.parts:
            continue
        beside = file.parent == Path() and file.suffix == ".md"
        if href.path and not (beside and file.stem in names) and not (folder / file).exists():
            remedy = did_you_mean(file.stem, names, "name a file that is beside the runbook")
            yield Problem(FilePosition(book.path, line), f'the link to "{file}" leads nowhere', remedy)
        elif href.fragment and (beside or not href.path):
            name, place = file.stem or book.name, unquote(href.fragment)
            known, asked = places(name)
            if known and place not in known and place not in asked:
                remedy = did_you_mean(place, known, f"runbook show {name}")
                yield Problem(FilePosition(book.path, line), f'the link to "{target}" leads nowhere', remedy)


def _links(book: Runbook) -> Iterator[tuple[int, str]]:
    """Every link in prose, with the line on which its paragraph begins."""
    for part in book.parts:
        if not isinstance(part, Prose):
            continue
        for token in MarkdownIt("commonmark").enable("table").parse(part.text):
            for child in token.children or ():
                if child.type == "link_open":
                    yield part.line + (token.map or [0])[0], str(child.attrGet("href") or "")
