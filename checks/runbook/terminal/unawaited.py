"""Writes to a terminal that may stand still, as after Ctrl-S or on a stalled connection, without waiting for it."""

import os
import threading
from contextlib import suppress
from typing import Final, TextIO

from runbook.terminal.safe_stdout import paint, without_secrets

_MOMENT: Final = 0.1  # seconds that a terminal has for one write before it counts as standing still. Our judgement


class UnawaitedTerminal:
    """A stream whose terminal takes what is shown there, or does not; whoever writes goes on either way."""

    def __init__(self, stream: TextIO) -> None:
        """Write to this stream; one without a file of its own, as in a test, takes all at once."""
        self._stream = stream
        self._write = threading.Thread()

    def stands_still(self, patience: float = 0.0) -> bool:
        """Whether the last text has not been taken yet, after so many more seconds."""
        if self._write.is_alive():
            self._write.join(patience)
        return self._write.is_alive()

    def paint(self, text: str) -> None:
        """Write what was made inert; call it where the terminal does not stand still."""
        try:
            terminal = self._stream.fileno()
        except OSError:
            paint(text, self._stream)
            return
        self._stream.flush()
        data = without_secrets(text).encode(self._stream.encoding, "replace")
        # A thread that a terminal holds must own nothing that others need, such as the stream's buffer.
        self._write = threading.Thread(target=_write_all, args=(terminal, data), daemon=True)
        self._write.start()
        self._write.join(_MOMENT)


def _write_all(terminal: int, data: bytes) -> None:
    with suppress(OSError):  # the terminal is gone
        while data:
            data = data[os.write(terminal, data) :]
