"""The way out of the command: whatever it writes to its terminal passes here, and no secret that it knows does.

Facts, and what is made of them, were redacted when they left their worker. What is left is what this process learns by
itself, such as the login of a results store, and what an exception says of it.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO


class Outlet:
    """A text stream that hides every secret this process has followed a reference to."""

    def __init__(self, stream: TextIO) -> None:
        """Write to this stream."""
        self._stream = stream

    def write(self, text: str) -> int:
        """Write a text without secrets; gives its length as it came."""
        # Only a process that has followed a reference has loaded this: most commands never do.
        references = sys.modules.get("runbook.engine.reference")
        redaction = references.redaction_here() if references else None
        self._stream.write(redaction.known(text) if redaction else text)
        return len(text)

    def __getattr__(self, name: str) -> Any:
        """What else a stream can do, it does."""
        return getattr(self._stream, name)


@contextmanager
def guarded() -> Iterator[None]:
    """Let standard output and standard error pass through an outlet."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (Outlet(stream) for stream in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
