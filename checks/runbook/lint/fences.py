"""Fences that read like a block and are none: without `{.check}` nothing executes them, and nobody would notice."""

import re
from collections.abc import Collection, Iterator
from typing import Final

from markdown_it import MarkdownIt

from runbook.model.block import AMEND, BLOCKS
from runbook.model.errors import FilePosition, Problem
from runbook.parse.runbook import Prose, Runbook

_LANGUAGES: Final = ("", "yaml", "yml", *BLOCKS, AMEND)
_FIRST: Final = re.compile(r"[a-z]*")
_KEY: Final = re.compile(r"^([a-z]+):", re.MULTILINE)
_ID: Final = re.compile(r"^id: *([a-z0-9-]+)", re.MULTILINE)
_BLOCK: Final = re.compile(r"^```.*\{\.", re.MULTILINE)
_ALIKE: Final = 3  # fields of a block, beside which at most one is none: our judgement


def unmarked_fences(book: Runbook) -> Iterator[Problem]:
    """Yield a problem for each fence of YAML in prose that has the fields of a block."""
    for line, kind, text in _unmarked(book):
        article = "an" if kind in ("effect", AMEND) else "a"
        message = f"this reads like {article} {kind} and is prose: nothing executes it"
        remedy = f"write ```yaml {{.{kind}}} in its first line; ```text if it is there to be read"
        if within := _BLOCK.search(text):
            begins = line + 1 + text.count("\n", 0, within.start())
            remedy = f"close this fence before line {begins}, where the {kind} begins"
        yield Problem(FilePosition(book.path, line), message, remedy)


def unmarked_ids(book: Runbook) -> list[str]:
    """The ids that stand in such fences: what names them is no further mistake."""
    return [found[1] for _, _, text in _unmarked(book) if (found := _ID.search(text))]


def _unmarked(book: Runbook) -> Iterator[tuple[int, str, str]]:
    """The line, the kind and the text of each fence that reads like a block."""
    markdown = MarkdownIt("commonmark").disable("inline")
    amendable = {placed.block.id for placed in book.placed()} if book.own else set()
    for part in (book.own or book).parts:
        if not isinstance(part, Prose):
            continue
        for token in markdown.parse(part.text):
            if (
                token.type == "fence"
                and _language(token.info) in _LANGUAGES
                and (kind := _kind(token.content, amendable))
            ):
                yield part.line + (token.map or [0])[0], kind, token.content


def _language(info: str) -> str:
    """What a fence says of its content: yaml of "yaml .check", "" of "{#check}"."""
    found = _FIRST.match(info.strip())
    return found[0] if found else ""


def _kind(text: str, amendable: Collection[str]) -> str:
    """The kind of block that a text has the fields of, with its id one that can be amended; "" if it is like none."""
    named = _ID.search(text)
    if named and named[1] in amendable:
        return AMEND
    keys = {*_KEY.findall(text)}
    shared = {kind: len(keys & {*record.__struct_fields__}) for kind, record in BLOCKS.items()}
    kind = max(shared, key=lambda one: shared[one])
    return kind if shared[kind] >= _ALIKE and len(keys) - shared[kind] <= 1 else ""
