"""The headings of a runbook: what introduces which block, and that nothing is lost or said twice."""

import re
from datetime import timedelta
from html import unescape
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from runbook.parse.anchors import anchors
from runbook.parse.runbook import Prose, Runbook, parse_runbook, read_runbook
from runbook.plugins.content import builtin_runbooks
from runbook.publish.block_pages import block_pages
from runbook.publish.headings import headings
from runbook.publish.page_context import PageContext
from runbook.publish.runbook_page import runbook_page
from runbook.publish.versions import VersionHistory

LONG = 25  # characters: shorter texts may stand in others
HEADING = re.compile(r"<h\d.*?</h\d>", re.DOTALL)
BETWEEN = re.compile(r"</?(?:p|tr|li|pre|ul|ol)\b[^>]*>")
HEAD = "---\ntitle: The\nversion: 1.0.0\nchanges: [{version: 1.0.0, date: 2026-11-29, note: one}]\n---\n"


def _check(name: str) -> str:
    expect = "expect: {same: own, by: [name], value: [broker]}"
    facts = "facts: {own: {probe: a_probe_of_mine}}"
    return f"```yaml {{.check}}\nid: {name}\ntitle: It holds\nseverity: low\n{facts}\n{expect}\n```\n"


def _said(text: str) -> tuple[dict[str, str], str]:
    """Of a runbook what introduces each block, and the prose that stays on the map."""
    found, left = {}, []
    for heading in headings(parse_runbook(HEAD + text, "t", "t.md")):
        for one in heading.blocks():
            found[one.placed.block.id] = one.said.body()
        left += [] if heading.is_of_one_block else [heading.passage.body()]
        left += [part.body() for part in heading.parts if not hasattr(part, "placed")]
    return {name: _plain(body) for name, body in found.items()}, _plain(" ".join(left))


def _plain(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())


@pytest.mark.parametrize(
    ("text", "said", "left"),
    [
        (f"# The\n\nAbout.\n\n## A\n\nOf a.\n\n{_check('a')}", {"a": "Of a."}, "About."),
        (
            f"## A\n\nOf both.\n\n{_check('a')}\nOf b.\n\n{_check('b')}\nAt the end.",
            {"a": "", "b": "Of b."},
            "Of both. At the end.",
        ),
        (f"## A\n\nOf a.\n\n{_check('a')}\nAfter a.\n\n## B\n\nOf none.", {"a": ""}, "Of a. After a. Of none."),
        (f"No heading.\n\n{_check('a')}", {"a": "No heading."}, ""),
        (f"{_check('a')}{_check('b')}", {"a": "", "b": ""}, ""),
    ],
)
def test_what_introduces_a_block(text: str, said: dict[str, str], left: str) -> None:
    assert _said(text) == (said, left)


@pytest.mark.parametrize("file", sorted(builtin_runbooks().glob("*.md")), ids=lambda file: file.stem)
def test_each_block_and_each_paragraph_is_on_one_page(file: Path) -> None:
    book = read_runbook(file)
    blocks = {placed.name: placed for placed in book.placed()}
    context = PageContext([], timedelta(days=8), blocks, VersionHistory())
    pages = [*block_pages(book, context), runbook_page(book, context)]
    assert [page.path for page in pages] == [f"runbooks/{name}.md" for name in (*blocks, book.name)]
    texts = [_plain(page.text) for page in pages]
    paragraphs = _paragraphs(book)
    assert paragraphs
    assert {text: count for text in paragraphs if (count := sum(text in page for page in texts)) != 1} == {}


def _paragraphs(book: Runbook) -> set[str]:
    """The words of each paragraph, item of a list and row of a table of the prose."""
    found = set()
    for part in book.parts:
        html = MarkdownIt("commonmark").enable("table").render(part.text) if isinstance(part, Prose) else ""
        found |= {_plain(text) for text in BETWEEN.split(HEADING.sub("", html))}
    return {text for text in found if len(text) > LONG}


@pytest.mark.parametrize("file", sorted(builtin_runbooks().glob("*.md")), ids=lambda file: file.stem)
def test_headings_keep_their_addresses(file: Path) -> None:
    book = read_runbook(file)
    blocks = {placed.block.id for placed in book.placed()}
    found = [heading.anchor for heading in headings(book) if heading.anchor]
    assert found == [name for name in anchors(book) if name not in blocks][1:]  # the first one is the title's
