"""A process of a canary, as the drill sees it: told words, heard through a thread, and outlived."""

import contextlib
import signal
import threading
import time
from collections.abc import Callable

import msgspec

from runbook.canary.messages import CanaryJob, CanaryReport, Made
from runbook.safety.child_process import PIPE, TookTooLong, python_module, start


class Child:
    """One process. What it tells is passed on as it comes; `why` says why nothing more comes, if that is a fault."""

    def __init__(self, job: CanaryJob, take: Callable[[CanaryReport], None]) -> None:
        """Start it.

        Raises:
            OSError: it can't be started.
        """
        self._take = take
        self._heard: set[str] = set()
        self._changed = threading.Condition()
        self._gone = False
        self.why = ""
        self.made = Made()
        self.left: list[str] | None = None
        self._process = start(
            python_module("runbook.canary.process"),
            stdin=PIPE,
            stdout=PIPE,
            own_session=True,  # a Ctrl-C is for the walk, and topics are to be removed after it
        )
        self.say(msgspec.json.encode(job).decode())
        threading.Thread(target=self._listen, daemon=True).start()

    def say(self, word: str) -> None:
        """Tell it something; one that is gone does not mind."""
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError, ValueError):
            self._process.stdin.write(f"{word}\n".encode())
            self._process.stdin.flush()

    def wait(self, kind: str, seconds: float) -> bool:
        """Wait so long at most until it has told something of a kind, or is gone; whether it has told."""
        with self._changed:
            self._changed.wait_for(lambda: kind in self._heard or self._gone, timeout=seconds)
            return kind in self._heard

    def end(self, seconds: float) -> None:
        """Let it go; after so long it is killed."""
        with contextlib.suppress(BrokenPipeError, ValueError):
            assert self._process.stdin is not None
            self._process.stdin.close()
        try:
            self._process.wait(max(0.1, seconds))
        except TookTooLong:
            self._process.kill()
            self._process.wait()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout:
            for line in self._process.stdout:
                try:
                    self._hear(msgspec.json.decode(line, type=CanaryReport))
                except (msgspec.MsgspecError, ValueError):
                    self.why = self.why or "it answered with something that can't be read"
        code = self._process.wait()
        with self._changed:
            self._gone = True
            if code and "cleaned" not in self._heard:
                how = f"by {signal.Signals(-code).name}" if code < 0 else f"with exit code {code}"
                self.why = self.why or f"its process was ended {how}"
            self._changed.notify_all()

    def _hear(self, report: CanaryReport) -> None:
        if report.records or report.kind == "measured":
            self._take(report)
        with self._changed:
            self._heard.add(report.kind)
            self.why = self.why or report.why
            self.made = report.made or self.made
            if report.kind == "cleaned":
                self.left = report.left
            self._changed.notify_all()


def deadline(seconds: float) -> Callable[[], float]:
    """What is left of so many seconds from now, never below 0."""
    end = time.monotonic() + seconds
    return lambda: max(0.0, end - time.monotonic())
