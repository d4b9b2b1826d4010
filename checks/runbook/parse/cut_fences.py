"""Blocks that end too early: at the fence of an example within them, and what follows would be prose."""

import re
from collections.abc import Sequence
from typing import Final

from markdown_it.token import Token

from runbook.model.errors import FilePosition, Problem

_CLOSING: Final = re.compile(r"[\s>]*(?=(?:`{3,}|~{3,})\s*$)")
_TAB: Final = 4  # columns, in Markdown


def cut_in_half(token: Token, kind: str, lines: Sequence[str], file: str) -> Problem | None:
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


def _columns(before: str) -> int:
    return len(before.expandtabs(_TAB))
