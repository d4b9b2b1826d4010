"""What is to be done first: words, and the code among them, which nobody can paste once it is wrapped."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, Literal

from markdown_it import MarkdownIt
from msgspec import Struct

_FENCED: Final = ("fence", "code_block")
_CODE: Final = re.compile(
    r"^[ \t]*(?P<fence>`{3,})(?!.*`).*\n(?P<block>(?:.*\n)*?)[ \t]*(?P=fence)[ \t]*$"
    r"|(?<!`)(?P<mark>`+)(?!`)(?P<inline>.+?)(?<!`)(?P=mark)(?!`)",
    re.MULTILINE,
)


class Wording(Struct, frozen=True):
    """A part of what is to be done first.

    Attributes:
        text: as it is read, without the marks of Markdown.
        kind: words; code in a line of them; or a line of code that stands alone.
    """

    text: str
    kind: Literal["words", "code", "block"] = "words"


def said(pieces: Sequence[Wording]) -> str:
    """All of it in one line."""
    texts = [f" {piece.text} " if piece.kind == "block" else piece.text for piece in pieces]
    return " ".join("".join(texts).split())


def first_step(remedy: str) -> list[Wording]:
    """The first paragraph or list item of a remedy, its Markdown taken off; nothing if there is none.

    With the first command of the code that follows, where it ends in a colon.
    """
    tokens = [token for token in MarkdownIt("commonmark").parse(remedy) if token.type in {"inline", *_FENCED}]
    if not tokens:
        return []
    first, follows = tokens[0], tokens[1:2]
    if first.type in _FENCED:
        return _first_command(first.content)
    pieces = [
        Wording(part.content, "code")
        if part.type == "code_inline"
        else Wording(" " if part.type in {"softbreak", "hardbreak"} else part.content)
        for part in first.children or ()
    ]
    leads = said(pieces).endswith(":") and follows and follows[0].type in _FENCED
    return [*pieces, *_first_command(follows[0].content)] if leads else pieces


def with_code(text: str) -> list[Wording]:
    """A text as it stands, but for the code in it: what facts have filled in must not be read as other Markdown."""
    pieces, at = [], 0
    for found in _CODE.finditer(text):
        pieces.append(Wording(text[at : found.start()]))
        block = found["block"]
        pieces += (
            [Wording(found["inline"], "code")] if block is None else [Wording(line, "block") for line in _lines(block)]
        )
        at = found.end()
    return [*pieces, Wording(text[at:])]


def _first_command(code: str) -> list[Wording]:
    """The first line of some code that is no comment, with those that it goes on in."""
    return [Wording(line, "block") for line in _lines(code) if not line.startswith("#")][:1]


def _lines(code: str) -> Iterator[str]:
    """The lines of some code, each with those that it goes on in."""
    lines = (" ".join(line.split()) for line in code.replace("\\\n", " ").splitlines())
    return filter(None, lines)
