"""The fences of blocks: how far they are indented; and those that end too early, at that of an example within."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from runbook.model.errors import FilePosition, Problem

if TYPE_CHECKING:
    from markdown_it.token import Token

_CLOSING: Final = re.compile(r"[\s>]*(?=(?:`{3,}|~{3,})\s*$)")
_TAB: Final = 4  # columns, in Markdown


def cut_in_half(token: "Token", kind: str, lines: Sequence[str], file: str) -> Problem | None:
    """What is wrong with a block that is closed by a fence further to the right than the one that opens it.

    Markdown lets such a fence close it, so that one of a command in a remedy does; no field would say what is lost.

    Args:
        token: the fence that is the block.
        kind: of the block.
        lines: of the file, as Markdown counts them.
        file: how messages name it.
    """
    first, last = token.map or (0, 0)
    closing = _CLOSING.match(lines[last - 1])
    if closing is None or _columns(closing[0]) <= _columns(lines[first].partition(token.markup)[0]):
        return None
    message = f"this fence ends the {kind} that begins in line {first + 1}"
    remedy = f"open and close the {kind} with four backticks (````); if it is to end here, do not indent this fence"
    return Problem(FilePosition(file, last), message, remedy)


def indent_of(token: "Token", lines: Sequence[str]) -> int:
    """How far a block is moved to the right, in a list or a quotation."""
    inner, _, _ = token.content.partition("\n")
    below = (token.map or (0, 0))[0] + 1
    outer = lines[below] if below < len(lines) else ""
    return len(outer) - len(inner) if outer.endswith(inner) else 0


def _columns(before: str) -> int:
    return len(before.expandtabs(_TAB))
