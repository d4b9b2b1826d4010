"""Links of a runbook, in prose and blocks, to files or places of a page that are not there: they lead nowhere."""

from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt

from runbook.lint.neighbours import Neighbour, ids_of
from runbook.lint.texts import texts
from runbook.model.errors import FilePosition, Problem, did_you_mean
from runbook.parse.anchors import anchors, questions
from runbook.parse.runbook import Runbook
from runbook.run.sources.runbooks import every_name

_MARKDOWN: Final = frozenset(
    {"", "avoid", "do", "effort", "first", "look", "remedy", "risk", "says", "sources", "symptom", "undo", "why"}
)
"""The fields of blocks that pages show as Markdown, and prose. Brackets elsewhere are of commands and expressions."""


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
        return (
            ([*anchors(there), *ids_of(there, book), *(unread if there is book else ())], questions(there))
            if there
            else ([], [])
        )

    for place, target in _links(book.own or book):
        href = urlsplit(target)
        file = Path(unquote(href.path))
        if href.scheme or href.netloc or file.is_absolute() or "docs" in file.parts:
            continue
        beside = file.parent == Path() and file.suffix == ".md"
        if href.path and not (beside and file.stem in names) and not (folder / file).exists():
            remedy = did_you_mean(file.stem, names, "name a file that is beside the runbook")
            yield Problem(place, f'the link to "{file}" leads nowhere', remedy)
        elif href.fragment and (beside or not href.path):
            name, named = file.stem or book.name, unquote(href.fragment)
            known, asked = places(name)
            if known and named not in known and named not in asked:
                remedy = did_you_mean(named, known, f"runbook show {name}")
                yield Problem(place, f'the link to "{target}" leads nowhere', remedy)


def _links(book: Runbook) -> Iterator[tuple[FilePosition, str]]:
    """Every link, with the beginning of the line on which its paragraph begins."""
    for text in texts(book):
        if text.field not in _MARKDOWN:
            continue
        lines = text.words.split("\n")
        for token in MarkdownIt("commonmark").enable("table").parse(text.words):
            for child in token.children or ():
                if child.type == "link_open":
                    before = sum(len(line) + 1 for line in lines[: (token.map or [0])[0]])
                    yield text.place(before), str(child.attrGet("href") or "")
