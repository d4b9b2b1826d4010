"""Printing: colour only where a person reads it, and a line that counts while a run waits."""

import os
import shutil
import sys
from typing import Final, TextIO

from runbook.cli.outlet import paint
from runbook.model.errors import UsageError
from runbook.plugins import debugging
from runbook.safety.sanitize import sanitize


def colored(when: str, stream: TextIO) -> bool:
    """Whether to write colour.

    Raises:
        UsageError: `when` is not auto, always or never.
    """
    if when == "always":
        return True
    if when == "never":
        return False
    if when != "auto":
        raise UsageError(f"--color {when}: write auto, always or never")
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


_BLINK: Final = 0.2  # seconds between looks at the keyboard; our judgement: shorter than a person notices


def typed() -> str:
    """A line that a person types at the terminal that is standard input; empty at its end.

    Raises:
        KeyboardInterrupt: Ctrl-C, at any moment.
    """
    import select

    # Python hears of a Ctrl-C in the moment before a read begins only when the read ends: no read may wait.
    while not select.select([sys.stdin], [], [], _BLINK)[0]:
        pass
    return sys.stdin.readline()


class Status:
    """Lines on standard error that are written over: what is wrong so far, and how far a run is.

    Nothing is written where no one watches; all of it is taken away before the report.
    """

    KEPT = 8  # findings kept in view, the last ones; the report has them all

    def __init__(self) -> None:
        """Prepare; nothing is written yet."""
        self._on = sys.stderr.isatty() and os.environ.get("TERM") != "dumb" and not debugging.wanted()
        self._lines = 0
        self._kept: list[str] = []

    def keep(self, line: str) -> None:
        """Keep a finding in view."""
        self._kept = [*self._kept, line][-self.KEPT :]

    def show(self, text: str) -> None:
        """Replace what is shown by the findings and this line."""
        if not self._on:
            return
        self.clear()
        width = _columns(sys.stderr) - 1
        lines = [sanitize(line)[:width] for line in (*self._kept, text)]
        sys.stderr.write("\n".join(lines))
        sys.stderr.flush()
        self._lines = len(lines)

    def clear(self) -> None:
        """Take everything away."""
        if self._lines:
            paint("\r\x1b[2K" + "\x1b[1A\x1b[2K" * (self._lines - 1), sys.stderr)
            sys.stderr.flush()
            self._lines = 0


def _columns(stream: TextIO) -> int:
    """How wide a stream's own terminal is: standard output may be a pipe, and a line that wraps can't be taken away."""
    try:
        columns = os.get_terminal_size(stream.fileno()).columns
    except OSError:
        columns = 0
    return columns or shutil.get_terminal_size().columns


class Steps:
    """Progress of long work: a line per step, with the seconds since the start."""

    def __init__(self) -> None:
        """Start counting."""
        import time

        self._clock = time.monotonic
        self._start = self._clock()

    def __call__(self, text: str) -> None:
        """Say what begins now."""
        sys.stderr.write(f"{self._clock() - self._start:6.1f}s  {text}\n")  # at once: some steps go on side by side
        sys.stderr.flush()
