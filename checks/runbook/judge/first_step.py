"""What is to be done first: words, and the code among them, which nobody can paste once it is wrapped."""

import re
from collections.abc import Iterator, Sequence
from textwrap import dedent
from typing import TYPE_CHECKING, Final, Literal

from msgspec import Struct

if TYPE_CHECKING:
    from markdown_it.token import Token

_FENCED: Final = ("fence", "code_block")
_WORDS: Final = ("inline", "html_block")
_GOES_ON: Final = re.compile(r"[ \t]*\\\n[ \t]*")
_ID: Final = re.compile(r"(?:[a-z][a-z0-9-]*#)?[a-z0-9]+(?:-[a-z0-9]+)*")
_BEFORE_ID: Final = re.compile(r"\bprocedure $", re.IGNORECASE)
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

    With the commands that stand in code of their own, and the words that lead to them; a list's first item has its own.
    """
    told: list[list[Wording]] = []
    until = 1
    for token in _tokens(remedy):
        if token.type == "list_item_close" and told:
            break
        if token.type in _FENCED:
            told.append(_commands(token.content))
            until = len(told) if told[-1] else until
        elif token.type in _WORDS:
            told.append([Wording(" "), *_words(token)] if told else _words(token))
    return [piece for part in told[:until] for piece in part]


def procedures_named(pieces: Sequence[Wording], runbook: str) -> list[str]:
    """The procedures that a remedy tells to walk, as ha#rolling-restart; each once, in its order.

    One is named by code behind the word procedure, with its runbook where that is another one; lint sees to it
    that there is one.

    Args:
        pieces: of the remedy.
        runbook: that the remedy stands in.
    """
    named: list[str] = []
    words = ""
    for piece in pieces:
        if piece.kind == "code" and _BEFORE_ID.search(words) and _ID.fullmatch(piece.text):
            named.append(piece.text if "#" in piece.text else f"{runbook}#{piece.text}")
        words = words + piece.text if piece.kind == "words" else ""
    return list(dict.fromkeys(named))


def whole(remedy: str) -> list[list[Wording]]:
    """All of a remedy, its Markdown taken off: paragraphs and list items, each with the code that follows it."""
    parts: list[list[Wording]] = []
    mark = ""
    for token in _tokens(remedy):
        if token.type == "list_item_open":
            mark = f"{token.info}{token.markup} "
        elif token.type in _FENCED:
            lines = [Wording(line, "block") for line in _lines(token.content)]
            parts = [*parts[:-1], [*parts[-1], *lines]] if parts else [lines]
        elif token.type in _WORDS:
            parts.append([Wording(mark), *_words(token)] if mark else _words(token))
            mark = ""
    return list(filter(None, parts))


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


def _tokens(remedy: str) -> "list[Token]":
    from markdown_it import MarkdownIt  # noqa: PLC0415 - many commands show no remedy

    return MarkdownIt("commonmark").parse(remedy)


def _words(token: "Token") -> list[Wording]:
    """A paragraph, its code told from its words; HTML in it is shown as it stands."""
    return [
        Wording(part.content, "code")
        if part.type == "code_inline"
        else Wording(" " if part.type in {"softbreak", "hardbreak"} else part.content)
        for part in token.children or [token]
    ]


def _commands(code: str) -> list[Wording]:
    """The lines of some code that are no comments."""
    return [Wording(line, "block") for line in _lines(code) if not line.lstrip().startswith("#")]


def _lines(code: str) -> Iterator[str]:
    """The lines of some code, each with those that it goes on in; what is inset against the others stays so."""
    lines = (line.rstrip() for line in _GOES_ON.sub(" ", dedent(code)).splitlines())
    return filter(None, lines)
