"""What a terminal shows once a command has ended, with the escape sequences that it was sent."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
from collections.abc import Mapping, Sequence

from msgspec import Struct

_PIECE = re.compile(
    r"\x1b\[(?P<number>[0-9;]*)(?P<what>[A-Za-z])|(?P<control>[\x00-\x1f\x7f])|(?P<text>[^\x00-\x1f\x7f]+)"
)


class Shown(Struct, frozen=True):
    """What is on the screen, what scrolled off above it, how often colours were set, and the exit code."""

    lines: list[str]
    above: list[str]
    styles: int
    code: int


class Screen:
    """A terminal that knows what we send it, and nothing more: anything else is an error, as another would show it."""

    def __init__(self, columns: int, lines: int) -> None:
        """Show nothing yet."""
        self._columns, self._most = columns, lines
        self._lines = [""]
        self._row = self._column = 0
        self.above: list[str] = []
        self.styles = 0

    def show(self, text: str) -> None:
        """Take what was sent.

        Raises:
            ValueError: it is nothing that this terminal knows.
        """
        for piece in _PIECE.finditer(text):
            if words := piece["text"]:
                self._write(words)
            elif piece["control"] == "\r":
                self._column = 0
            elif piece["control"] == "\n":
                self._down()
            elif piece["what"] == "m":
                self.styles += 1
            elif (piece["what"], piece["number"]) == ("K", "2"):
                self._lines[self._row] = ""
            elif piece["what"] == "A":
                self._row = max(0, self._row - int(piece["number"] or 1))
            else:
                raise ValueError(repr(piece[0]))

    def lines(self) -> list[str]:
        """What is to be seen, without the empty rest."""
        return "\n".join(line.rstrip() for line in self._lines).rstrip("\n").split("\n")

    def _write(self, words: str) -> None:
        for sign in words:
            if self._column == self._columns:
                self._down()
                self._column = 0
            line = self._lines[self._row].ljust(self._column)
            self._lines[self._row] = line[: self._column] + sign + line[self._column + 1 :]
            self._column += 1

    def _down(self) -> None:
        self._row += 1
        if self._row == len(self._lines):
            self._lines.append("")
        if len(self._lines) > self._most:
            self.above.append(self._lines.pop(0))
            self._row -= 1


def at_a_terminal(command: Sequence[str], variables: Mapping[str, str], columns: int = 80, lines: int = 24) -> Shown:
    """Run a command at a terminal of its own, until it ends, as the shell's next prompt would find it."""
    ours, theirs = pty.openpty()
    screen = Screen(columns, lines)
    try:
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=dict(variables))
        os.close(theirs)
        screen.show(_all_of(ours).decode("utf-8"))
        return Shown(screen.lines(), screen.above, screen.styles, process.wait())
    finally:
        os.close(ours)


def _all_of(terminal: int) -> bytes:
    output = b""
    while True:
        try:
            came = os.read(terminal, 1 << 16)
        except OSError:  # the last one who had it open has gone
            return output
        if not came:
            return output
        output += came
