"""The way out of the command: no secret that it knows gets to its terminal, and no text that would drive it.

Facts, and what is made of them, were redacted when they left their worker, and are made inert where they are shown.
What is left is what this process learns by itself, such as the login of a results store, what files of others hold
that are named in messages, and what an exception says of either.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from runbook.safety.sanitize import sanitize_lines


class ReaderGone(BaseException):
    """Whoever read what is written here reads no more, as head does once it has its lines; nothing more is to be done.

    No handler of failures is to take it for one, as click does of a BrokenPipeError.
    """


class SanitizedOutput:
    """A text stream that hides every secret this process has followed a reference to, and shows text as text."""

    def __init__(self, stream: TextIO) -> None:
        """Write to this stream."""
        self._stream = stream

    def write(self, text: str) -> int:
        """Write a text without secrets and without what acts on a terminal; gives its length as it came."""
        self._write(sanitize_lines(_without_secrets(text)))
        return len(text)

    def paint(self, text: str) -> None:
        """Write what was made inert before it got its colours, or what moves the cursor for us."""
        self._write(_without_secrets(text))

    def flush(self) -> None:
        """Hand on what is held back."""
        try:
            self._stream.flush()
        except BrokenPipeError:
            raise self._reader_gone() from None

    def _write(self, text: str) -> None:
        try:
            self._stream.write(text)
        except BrokenPipeError:
            raise self._reader_gone() from None

    def _reader_gone(self) -> ReaderGone:
        os.dup2(os.open(os.devnull, os.O_WRONLY), self._stream.fileno())  # what is held back fails no more at the end
        return ReaderGone()

    def __getattr__(self, name: str) -> Any:
        """What else a stream can do, it does."""
        return getattr(self._stream, name)


def paint(text: str, stream: TextIO) -> None:
    """Write with colours of ours what was made inert before it got them."""
    getattr(stream, "paint", stream.write)(text)


def _without_secrets(text: str) -> str:
    # Only a process that has followed a reference has loaded this: most commands never do.
    references = sys.modules.get("runbook.run.secret_references")
    redaction = references.redaction_here() if references else None
    return redaction.known(text) if redaction else text


@contextmanager
def guarded() -> Iterator[None]:
    """Let standard output and standard error pass through an outlet."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (SanitizedOutput(stream) for stream in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
