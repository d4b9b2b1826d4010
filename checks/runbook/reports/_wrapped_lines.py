"""Text in lines of so many columns: a name that takes more than one breaks after one of its marks, not amid a word."""

import re
import textwrap
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import Final

from runbook.judge.first_step import Wording

_MARKS: Final = "-/."
_SOLID: Final = "\0"  # stands for a space at which no line breaks; no text that was made inert has it
_GLUED: Final = re.compile(r"\S*")
_AFTER_CODE: Final = re.compile(r"\A[.,;:]?(\s+|\Z)")  # a mark after code on a line of its own would be pasted with it


class _Wrapper(textwrap.TextWrapper):
    def _split(self, text: str) -> list[str]:
        """The words of a text and the space between them; a number and the sign of percent are one word."""
        chunks: list[str] = []
        for chunk in super()._split(text):
            whole = "".join([*chunks[-2:], chunk])
            if chunk.startswith("%") and re.fullmatch(r"\S*\d %\S*", whole) and len(whole) <= self.width:
                chunks[-2:] = [whole]
            else:
                chunks.append(chunk)
        return chunks

    def _handle_long_word(self, reversed_chunks: list[str], cur_line: list[str], cur_len: int, width: int) -> None:
        """Begin a word that is longer than a line: on this line if a part of it fits there, else on the next one."""
        word = reversed_chunks[-1]
        room = max(width - cur_len, 0)
        end = max(word.rfind(mark, 0, room) for mark in _MARKS) + 1
        if end == 0 and not cur_line:
            end = max(room, 1)
        if end:
            cur_line.append(word[:end])
            reversed_chunks[-1] = word[end:]


def lines_of(text: str, room: int) -> list[str]:
    """A text in lines of so many columns at most; one empty line for no text."""
    return _Wrapper(room, break_on_hyphens=False).wrap(text) or [""]


def lines_with_code(pieces: Sequence[Wording], room: int) -> list[str]:
    """Words in lines of so many columns; code that finds no room among them has a line of its own, however long."""
    lines: list[str] = []
    flowing, alone = "", False
    for piece, after in pairwise([*_words_together(pieces), Wording("")]):
        if piece.kind == "words":
            flowing += _AFTER_CODE.sub("", piece.text, count=1) if alone and not flowing else piece.text
        elif piece.kind == "code" and _finds_room(flowing, piece.text, after, room):
            flowing += piece.text.replace(" ", _SOLID)
        else:
            lines += _filled(flowing, room)
            lines.append(f"  {piece.text}" if lines else piece.text)
            flowing, alone = "", True
    return [*lines, *_filled(flowing, room)] or [""]


def _words_together(pieces: Sequence[Wording]) -> Iterator[Wording]:
    """The pieces, words that follow each other as one: all that sticks to code has to find room behind it."""
    for kind, group in groupby(pieces, key=lambda piece: piece.kind):
        alike = [*group]
        yield from [Wording("".join(piece.text for piece in alike))] if kind == "words" else alike


def _filled(flowing: str, room: int) -> list[str]:
    return [line.replace(_SOLID, " ") for line in lines_of(flowing, room)] if flowing.strip() else []


def _finds_room(flowing: str, code: str, after: Wording, room: int) -> bool:
    """Whether code goes on where words have got to, with the mark behind it; one word may begin the next line."""
    mark = _GLUED.match(after.text) if after.kind == "words" else None
    wide = len(code) + len(mark[0] if mark else "")
    if " " not in code:
        return len(re.split(r"\s", flowing)[-1]) + wide <= room
    begun = _filled(flowing, room)[-1:]
    return len("".join(begun)) + flowing.endswith(" ") + wide <= room


def breaks_in(text: str, room: int) -> list[int]:
    """Where those lines begin in the text, but for the first."""
    wrapper = _Wrapper(room, break_on_hyphens=False, expand_tabs=False, replace_whitespace=False)
    begins, at = [], 0
    for line in wrapper.wrap(text):
        begins.append(text.index(line, at))
        at = begins[-1] + len(line)
    return begins[1:]
