"""The places of a runbook's page that a link may name: blocks, questions of diagnostics, and headings in prose."""

import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise

from markdown_it import MarkdownIt

from runbook.model.block import Diagnostic
from runbook.parse.runbook import Prose, Runbook


def anchors(book: Runbook) -> list[str]:
    """Every block and heading of a runbook's page, under the name that the site gives it."""
    found = dict.fromkeys(placed.block.id for placed in book.placed())
    for heading in (book.front.title, *_headings(book)):
        found[unique(slug(heading), found)] = None
    return list(found)


def questions(book: Runbook) -> list[str]:
    """Every question of its diagnostics: they are numbered."""
    return [place for block in book.diagnostics() for place in questions_of(block)]


def questions_of(block: Diagnostic) -> list[str]:
    """Every question of a diagnostic."""
    return [f"{block.id}-{number}" for number, _ in enumerate(block.causes, 1)]


def slug(heading: str) -> str:
    """The name of a heading's place, as Python-Markdown's table of contents makes it."""
    plain = unicodedata.normalize("NFKD", heading).encode("ascii", "ignore").decode("ascii")
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip().lower())


def unique(name: str, taken: dict[str, None]) -> str:
    """The name, with a number where it is taken or empty."""
    number, free = 0, name
    while not free or free in taken:
        number += 1
        free = f"{name}_{number}"
    return free


def _headings(book: Runbook) -> Iterator[str]:
    """The text of each heading in prose; the first one may repeat the page's title, and is no second place then."""
    for part in book.parts:
        if not isinstance(part, Prose):
            continue
        tokens = MarkdownIt("commonmark", {"html": False}).enable("table").parse(part.text)
        for opened, inside in pairwise(tokens):
            if opened.type == "heading_open" and opened.level == 0:
                text = "".join(child.content or " " for child in inside.children or () if _is_said(child.type))
                if opened.tag != "h1" or text != book.front.title:
                    yield text


def _is_said(kind: str) -> bool:
    return not kind.endswith(("_open", "_close"))
