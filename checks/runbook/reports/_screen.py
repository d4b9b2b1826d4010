"""Lines of styled text for a terminal: harmless whatever they hold, and never wider than asked for, but for code."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from runbook.judge.first_step import Wording
from runbook.judge.summary import counted
from runbook.reports._wrapped_lines import lines_of, lines_with_code
from runbook.safety.sanitize import sanitize

DOT = " · "
LABEL = 11  # "in common" and two spaces
LONGEST = 400  # characters of one text. Our judgement: five lines; the JSON report has all of it
NARROWEST = 40  # columns; below this, wrapped text can't be read
_BREAKS: Final = re.compile(r" *\n *")
Span = tuple[str, str]


class Label(NamedTuple):
    """What stands before the first line of a text: so many columns, or more if it takes them."""

    text: str
    style: str = "dim"
    wide: int = LABEL


class Screen:
    """Lines of styled text; the one place where text becomes output."""

    def __init__(self, width: int, *, color: bool) -> None:
        self.width = max(width, NARROWEST)
        self._color = color
        self._lines: list[list[Span]] = []

    def line(self, *spans: Span) -> None:
        """Add a line as it is."""
        self._lines.append([(sanitize(text), style) for text, style in spans])

    def gap(self) -> None:
        """Add an empty line, unless there is one."""
        if self._lines and self._lines[-1]:
            self._lines.append([])

    def paragraph(
        self,
        text: str,
        *,
        indent: int = 0,
        label: str | Label = "",
        style: str = "",
        clip: bool = True,
    ) -> None:
        """Add wrapped text, with a label before its first line."""
        shown = label if isinstance(label, Label) else Label(label)
        lead = shown.text.ljust(shown.wide) if shown.text else ""
        room = self.width - indent - len(lead)
        first, *more = lines_of(_clip(text) if clip else sanitize(text), room)
        self.line((" " * indent, ""), (lead, shown.style), (first, style))
        for line in more:
            self.line((" " * (indent + len(lead)), ""), (line, style))

    def to_do(self, pieces: Sequence[Wording], *, indent: int, label: str) -> None:
        """Add what is to be done, wrapped but for its code, which is there to be pasted: it may be wider than asked."""
        inert = [replace(piece, text=sanitize(_BREAKS.sub(" ", piece.text))) for piece in pieces]
        lead = label.ljust(LABEL)
        first, *more = lines_with_code(inert, self.width - indent - len(lead))
        self.line((" " * indent, ""), (lead, "dim"), (first, ""))
        for line in more:
            self.line((" " * (indent + len(lead)), ""), (line, ""))

    def packed(self, parts: Iterable[str], style: str = "") -> None:
        """Add parts joined by dots, breaking lines between parts only, where they fit."""
        line = ""
        for part in parts:
            if line and len(line) + len(DOT) + len(sanitize(part)) > self.width:
                self.paragraph(line, style=style)
                line = ""
            line = f"{line}{DOT}{part}" if line else part
        if line:
            self.paragraph(line, style=style)

    def text(self) -> str:
        """Everything, ending in a line break."""
        while self._lines and not self._lines[-1]:
            self._lines.pop()
        paint = _painter() if self._color else None
        lines = [
            "".join(paint(text, style) if paint and style else text for text, style in line) for line in self._lines
        ]
        return "\n".join(lines) + "\n"


def _painter() -> Callable[[str, str], str]:
    # Only here: most runs of a script are plain, and rich takes longer to load than a report to write.
    from rich.color import ColorSystem  # noqa: PLC0415
    from rich.style import Style  # noqa: PLC0415

    def paint(text: str, style: str) -> str:
        return Style.parse(style).render(text, color_system=ColorSystem.STANDARD)

    return paint


def _clip(text: str) -> str:
    """A text made inert and not too long; of a text of megabytes only what is shown is looked at."""
    more = len(text) - LONGEST
    shown = sanitize(text[:LONGEST])
    return shown if more <= 0 else f"{shown[:LONGEST]}… ({counted(more, 'character')} more)"
