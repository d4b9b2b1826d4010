"""A command at a terminal of its own, as a person uses it."""

import contextlib
import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support.foreground import in_foreground

RUNBOOK = str(Path(sys.executable).with_name("runbook"))


class Terminal:
    """`runbook` with a terminal of its own, which Ctrl-C goes through."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self._ours, theirs = pty.openpty()
        variables = os.environ | {"XDG_STATE_HOME": str(folder / "state"), "NO_COLOR": "1"}
        self.process = subprocess.Popen(
            in_foreground(RUNBOOK, *arguments, terminal=True),
            cwd=folder,
            env=variables,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
        )
        os.close(theirs)
        self.output = ""
        self._unread = ""
        self._hung_up = False

    def until(self, text: str) -> None:
        """Wait until this comes after what was waited for last."""
        end = time.monotonic() + 120
        while text not in self._unread:
            assert time.monotonic() < end, f"{text!r} did not come: {self.output}"
            try:
                self._read(1)
            except OSError:  # the other side has gone
                pytest.fail(f"{text!r} did not come: {self.output}")
        self._unread = self._unread.partition(text)[2]

    def _read(self, seconds: float) -> bool:
        """Take what comes within so many seconds; whether anything did."""
        came = bool(select.select([self._ours], [], [], seconds)[0])
        if came:
            text = os.read(self._ours, 65536).decode("utf-8", "replace").replace("\r\n", "\n")
            self.output += text
            self._unread += text
        return came

    def type(self, keys: str) -> None:
        """Press these keys."""
        os.write(self._ours, keys.encode())

    def end(self) -> int:
        """Wait for its end and give its exit code; what nobody reads would hold up whoever writes to the terminal."""
        end = time.monotonic() + 120
        with contextlib.suppress(OSError):
            while self.process.poll() is None and not self._hung_up:
                assert time.monotonic() < end, f"it did not end: {self.output}"
                self._read(0.1)
        code = self.process.wait(120)
        with contextlib.suppress(OSError):
            while not self._hung_up and self._read(0):
                pass
        return code

    def hang_up(self) -> None:
        """Break off, as a connection does that is lost."""
        os.close(self._ours)
        self._hung_up = True

    def close(self) -> None:
        """Let it go."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(30)
        if not self._hung_up:
            os.close(self._ours)
