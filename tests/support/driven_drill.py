"""A drill in a process of its own, answered by a test while things happen to the clusters."""

import os
import select
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from runbook.procedure.walk_file import load
from runbook.procedure.walk_record import Measured, Record

RUNBOOK = str(Path(sys.executable).with_name("runbook"))
PATIENCE = 240.0  # seconds; a busy machine takes its time
STEP = "Enter: done"


class Drill:
    """A drill that is answered while things happen to the clusters."""

    def __init__(self, folder: Path, *words: str) -> None:
        """Begin it in a folder with an inventory: a procedure, and of which environments."""
        self._folder = folder
        self._process = subprocess.Popen(
            [RUNBOOK, "drill", *words, "--allow-canary", "--no-terminal", "--by", "ada", "--deadline", "30s"],
            cwd=folder,
            env=os.environ | {"NO_COLOR": "1", "PYTHONUNBUFFERED": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        self.output = ""
        self._unread = ""

    def until(self, text: str) -> None:
        """Wait until this comes after what was waited for last."""
        end = time.monotonic() + PATIENCE
        assert self._process.stdout is not None
        while text not in self._unread:
            assert time.monotonic() < end, f"{text!r} did not come: {self.output}"
            if select.select([self._process.stdout], [], [], 1)[0]:
                came = os.read(self._process.stdout.fileno(), 65536).decode("utf-8", "replace")
                assert came, f"{text!r} did not come: {self.output}"
                self.output += came
                self._unread += came
        self._unread = self._unread.partition(text)[2]

    def answer(self, text: str = "") -> None:
        """Type a line."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{text}\n".encode())
        self._process.stdin.flush()

    def end(self) -> tuple[int, Record]:
        """Wait for its end; gives the exit code and the record."""
        out, _ = self._process.communicate(timeout=PATIENCE)
        self.output += out.decode("utf-8", "replace")
        [file] = (self._folder / "drills").iterdir()
        return self._process.returncode, load(file)

    def close(self) -> None:
        """Let it go."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.communicate(timeout=800)


def soon(what: Callable[[], bool]) -> None:
    """Wait until it is so."""
    end = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < end
        time.sleep(0.3)


def figures(record: Record) -> Measured:
    """What the canary measured, which is told once."""
    [measured] = [entry for entry in record.entries if isinstance(entry, Measured)]
    return measured
