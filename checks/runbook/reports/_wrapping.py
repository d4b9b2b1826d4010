"""Text in lines of so many columns: a name that takes more than one breaks after one of its marks, not amid a word."""

import re
import textwrap
from typing import Final

_MARKS: Final = "-/."


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


def breaks_in(text: str, room: int) -> list[int]:
    """Where those lines begin in the text, but for the first."""
    wrapper = _Wrapper(room, break_on_hyphens=False, expand_tabs=False, replace_whitespace=False)
    begins, at = [], 0
    for line in wrapper.wrap(text):
        begins.append(text.index(line, at))
        at = begins[-1] + len(line)
    return begins[1:]
