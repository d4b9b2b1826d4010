"""The way out of the command: no secret that it knows gets to its terminal, and no text that would drive it.

Facts, and what is made of them, were redacted when they left their worker, and are made inert where they are shown.
What is left is what this process learns by itself, such as the login of a results store, what files of others hold
that are named in messages, and what an exception says of either.
"""

import codecs
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final, TextIO

from runbook.safety.sanitize import sanitize_lines


class NotShown(BaseException):
    """Standard output can't be written, as its disk is full, so that nothing more is to be done here.

    No handler of failures is to take it for one of theirs. A reader that went away is none: it has read what it wanted.
    """

    def __init__(self, error: OSError) -> None:
        """Tell it by the error of the write."""
        super().__init__(error.strerror or str(error))

    def end(self, verdict: int = 0) -> int:
        """Say why on standard error, and give the exit code.

        Args:
            verdict: the code otherwise; that a check failed stays so.
        """
        print(f"standard output could not be written: {self}", file=sys.stderr)
        return 1 if verdict == 1 else 2  # of ExitCode, which loads more than most commands need


class SanitizedOutput:
    """A text stream that hides every secret this process has followed a reference to, and shows text as text."""

    def __init__(self, stream: TextIO, *, raises: bool = False) -> None:
        """Write to this stream; `raises` says whether it matters that it can't be: of messages nobody could be told."""
        self._stream = stream
        self._raises = raises

    def write(self, text: str) -> int:
        """Write a text without secrets and without what acts on a terminal; gives its length as it came."""
        self._write(sanitize_lines(without_secrets(text)))
        return len(text)

    def paint(self, text: str) -> None:
        """Write what was made inert before it got its colours, or what moves the cursor for us."""
        self._write(without_secrets(text))

    def flush(self) -> None:
        """Hand on what is held back."""
        try:
            self._stream.flush()
        except OSError as error:
            self._fail(error)

    def _write(self, text: str) -> None:
        try:
            self._stream.write(text)
        except OSError as error:
            self._fail(error)

    def _fail(self, error: OSError) -> None:
        silence(self._stream)
        if self._raises and not isinstance(error, BrokenPipeError):
            raise NotShown(error) from None

    def __getattr__(self, name: str) -> Any:
        """What else a stream can do, it does."""
        return getattr(self._stream, name)


def silence(stream: TextIO) -> None:
    """Let a stream that can't be written lead to nowhere: what it holds back fails no more at the end."""
    with suppress(OSError, ValueError):  # it has no number, as in a test
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


_ESCAPED: Final = "runbook.escaped"


def _escaped(error: UnicodeError) -> tuple[str, int]:
    """A character that an encoding lacks, as JSON and Python escape it: nothing is lost, and JSON stays JSON."""
    assert isinstance(error, UnicodeEncodeError)
    text = error.object[error.start : error.end]
    units = text.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2)), error.end


codecs.register_error(_ESCAPED, _escaped)


def paint(text: str, stream: TextIO) -> None:
    """Write with colours of ours what was made inert before it got them."""
    getattr(stream, "paint", stream.write)(text)


def without_secrets(text: str) -> str:
    """A text without the secrets that this process has followed a reference to."""
    # Only a process that has followed a reference has loaded this: most commands never do.
    references = sys.modules.get("runbook.run.sources.secret_references")
    redaction = references.redaction_here() if references else None
    return redaction.known(text) if redaction else text


@contextmanager
def guarded() -> Iterator[None]:
    """Let standard output and standard error pass through an outlet."""
    before = sys.stdout, sys.stderr
    handlers = [_reconfigured(stream, _ESCAPED) for stream in before]
    sys.stdout, sys.stderr = SanitizedOutput(before[0], raises=True), SanitizedOutput(before[1])
    try:
        yield
    finally:
        sys.stderr.flush()
        sys.stdout, sys.stderr = before
        for stream, handler in zip(before, handlers, strict=True):
            _reconfigured(stream, handler)


def _reconfigured(stream: TextIO, handler: str) -> str:
    """Have a stream do this about characters that its encoding lacks; give what it did before."""
    if not hasattr(stream, "reconfigure"):  # one of a test's
        return handler
    was = str(stream.errors)
    stream.reconfigure(errors=handler)
    return was
