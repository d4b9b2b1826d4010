"""How much of an answer is told on a screen of so many lines: as much as fits, and what is left out is counted.

What somebody on call acts on stays whatever else goes: the cause, what it does now, what to do first and what not to
do, how many checks came out how, and that there is more.
"""

import math
import re
from collections.abc import Callable, Iterator

from msgspec import Struct
from msgspec.structs import replace

LEAST = 23  # lines: a terminal of 24, but for the one of the next prompt. Our judgement: smaller ones scroll
_ROWS_AND_LEFT = ((2, 5), (1, 5), (1, 3), (1, 1), (1, 0))
"""Rows of a finding, and lines beside a cause: each finding that is told names one thing at least that it is about."""


class Brief(Struct, frozen=True):
    """What is left out.

    Attributes:
        tight: of head and tail, what stands in --full too, and empty lines.
        bare: of causes after the first and of what no cause explains, all but the sentence and what to do; and of
            that last, what to do, too.
        proof: whether the first cause has its proof.
        causes: so many are told.
        left: failing checks that no cause explains, and changes, a line each; the others are counted.
        rows: of a finding, so many are listed; None: as many as was asked for.
        findings: so many are told where they are listed; None: all.
        environments: of several, so many have a line; None: all.
        read: whether a cause says where it is read on, which has its id.
        walking: the procedure that whoever reads is walking, as ha/rolling-restart: nobody is advised to walk that.
        inventory: the file that --inventory gave, which commands that are offered need as well; "" where it gave none.
        explained: why nothing could be looked at is told already, with what to do first.
        picked: only some checks are meant, as those of a symptom: they stand above a cause that explains none of them.
    """

    tight: bool = False
    bare: bool = False
    proof: bool = True
    causes: int = 3
    left: int = 5
    rows: int | None = None
    findings: int | None = None
    environments: int | None = None
    read: bool = True
    walking: str = ""
    inventory: str = ""
    explained: bool = False
    picked: bool = False


_STYLE = re.compile(r"\x1b\[[0-9;]*m")
WHOLE = Brief()


def fitted(write: Callable[[Brief], str], lines: int | None, width: int) -> str:
    """The longest of ever briefer texts that has so many lines at most, else the briefest.

    Args:
        write: writes the text.
        lines: that there are; None: any number.
        width: of a line, in columns; a terminal breaks what is longer, as commands are, which nobody may wrap.
    """
    text = write(WHOLE)
    if lines is None:
        return text
    most = max(lines, LEAST)
    for brief in _briefer(most):
        if _lines_on_screen(text, width) <= most:
            break
        text = write(brief)
    return text


def _lines_on_screen(text: str, width: int) -> int:
    return sum(max(1, math.ceil(len(_STYLE.sub("", line)) / width)) for line in text.splitlines())


def _briefer(lines: int) -> Iterator[Brief]:
    """What is left out, one thing after the other, where there are so many lines."""
    yield (brief := Brief(tight=True))
    yield (brief := replace(brief, bare=True))
    for rows, left in _ROWS_AND_LEFT:
        yield (brief := replace(brief, rows=rows, left=left))
    for causes in (2, 1):
        yield (brief := replace(brief, causes=causes))
    yield (brief := replace(brief, proof=False))
    for most in range(lines, 0, -1):  # each has a line at least
        yield (brief := replace(brief, findings=most, environments=most))
    yield replace(brief, rows=0)
