"""Printing: colour only where a person reads it, and a line that counts while a run waits."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Self, TextIO

from runbook.model.errors import UsageError
from runbook.plugins import debugging
from runbook.safety.sanitize import sanitize
from runbook.terminal.unawaited import UnawaitedTerminal


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

    Nothing is written where no one watches; all of it is taken away before the report. While the terminal stands still,
    nothing new is shown, and what is being done goes on.
    """

    KEPT = 8  # findings kept in view, the last ones; the report has them all
    PATIENCE = 0.5  # seconds for which a terminal that stands still is waited for in the end. Our judgement

    def __init__(self) -> None:
        """Prepare; nothing is written yet."""
        self._on = sys.stderr.isatty() and os.environ.get("TERM") != "dumb" and not debugging.wanted()
        self._terminal = UnawaitedTerminal(sys.stderr)
        self._lines = 0
        self._kept: list[str] = []

    def keep(self, line: str) -> None:
        """Keep a finding in view."""
        self._kept = [*self._kept, line][-self.KEPT :]

    def show(self, text: str) -> None:
        """Replace what is shown by the findings and this line."""
        if not self._on or self._terminal.stands_still():
            return
        width = _columns(sys.stderr) - 1
        lines = [sanitize(line)[:width] for line in (*self._kept, text)]
        self._terminal.paint(self._taken_away() + "\n".join(lines))
        self._lines = len(lines)

    def clear(self) -> None:
        """Take everything away."""
        if self._lines and not self._terminal.stands_still(self.PATIENCE):
            self._terminal.paint(self._taken_away())
        self._lines = 0

    def _taken_away(self) -> str:
        """What takes away the lines that are shown."""
        return "\r\x1b[2K" + "\x1b[1A\x1b[2K" * (self._lines - 1) if self._lines else ""


@contextmanager
def meanwhile(text: str) -> Iterator[Status]:
    """Say on a terminal what is being done, for as long as that takes."""
    status = Status()
    status.show(text)
    try:
        yield status
    finally:
        status.clear()


def _columns(stream: TextIO) -> int:
    """How wide a stream's own terminal is: standard output may be a pipe, and a line that wraps can't be taken away."""
    try:
        columns = os.get_terminal_size(stream.fileno()).columns
    except OSError:
        columns = 0
    return columns or shutil.get_terminal_size().columns


class Steps:
    """Progress of long work: a line per step, with the seconds since the start, and again while a step lasts.

    Use it in a `with`, whose end is the last step's.
    """

    PATIENCE = 10.0  # seconds of silence after which the step is named again; our judgement

    def __init__(self) -> None:
        """Start counting."""
        import threading
        import time

        self._clock = time.monotonic
        self._start = self._clock()
        self._text = ""
        self._heard = threading.Event()
        self._over = False
        self._watcher = threading.Thread(target=self._watch, name="progress", daemon=True)

    def __enter__(self) -> Self:
        """Begin to watch for silence."""
        self._watcher.start()
        return self

    def __exit__(self, *_: object) -> None:
        """The last step is over."""
        self._over = True
        self._heard.set()
        self._watcher.join()

    def __call__(self, text: str) -> None:
        """Say what begins now."""
        self._text = text
        self._heard.set()
        self._write(text)

    def _watch(self) -> None:
        while not self._over:
            if self._heard.wait(self.PATIENCE):
                self._heard.clear()
            elif self._text:
                self._write(f"still: {self._text}")

    def _write(self, text: str) -> None:
        sys.stderr.write(f"{self._clock() - self._start:6.1f}s  {text}\n")  # at once: some steps go on side by side
        sys.stderr.flush()
