"""Two kinds of tapes: one that keeps what systems answer, and one that tells it again."""

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, TypeVar

import msgspec
from msgspec import Struct

from runbook.model.ask import FactQuestion
from runbook.model.errors import TimedOut
from runbook.model.tape import Tape
from runbook.recording.raw import Codec, failure_of, restored, stored, stored_failure

T = TypeVar("T")
Hide = Callable[[Any], Any]
"""Gives plain values without secrets, texts and bytes alike."""


class Scope(NamedTuple):
    """On whose behalf a question is put: the number of an ask, and which of its two looks."""

    ask: int = -1
    second: bool = False


_SCOPE: ContextVar[Scope] = ContextVar("scope", default=Scope())  # noqa: B039 - a tuple


@contextmanager
def on_behalf_of(ask: int, *, second: bool = False) -> Iterator[None]:
    """Put all questions in this block for an ask, also those of pools that copy the context."""
    token = _SCOPE.set(Scope(ask, second))
    try:
        yield
    finally:
        _SCOPE.reset(token)


class RecordedAnswer(Struct, array_like=True, omit_defaults=True):
    """One question and its answer, or the failure that came instead; neither where nothing came before the end.

    Attributes:
        left: seconds that were left until the deadline when the answer was there.
    """

    name: str
    arguments: Any
    ask: int
    second: bool
    left: float = 0.0
    answer: Any = None
    failure: dict[str, Any] | None = None
    came: bool = False

    @property
    def key(self) -> bytes:
        """What the question is found by."""
        return key(self.name, self.arguments)


def key(name: str, arguments: Any) -> bytes:
    """A question in one way only."""
    return msgspec.msgpack.encode([name, arguments], order="deterministic")


class Header(Struct):
    """What a recording is of: one connection of an environment, its settings without secrets, and what was asked.

    `asks` are those of the worker, by number; `whole` are the seconds of the run, of which `left` were left.
    """

    environment: str
    connection: str
    settings: dict[str, Any]
    asks: dict[str, FactQuestion]
    whole: float
    left: float


class Recording(Struct):
    """All that one worker saw; `answered` are the asks that it had answered when it ended."""

    header: Header
    kept: list[RecordedAnswer]
    answered: list[int]


class Recorder(Tape):
    """Keeps each answer in a file as soon as it is there: a worker may be killed at any time."""

    def __init__(self, file: Path, header: Header, hide: Hide) -> None:
        """Begin a recording.

        Args:
            file: that is not there yet.
            header: what it is of.
            hide: takes secrets out of all that is kept.
        """
        self._stream = os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")
        self._lock = threading.Lock()
        self._hide = hide
        self._end = time.monotonic() + header.left
        self._number = 0
        self._write(["header", msgspec.to_builtins(header, enc_hook=str)])

    def answer(self, name: str, arguments: Any, ask: Callable[[], T], kind: Any) -> T:
        """Ask, and keep what came."""
        scope = _SCOPE.get()
        with self._lock:
            self._number += 1
            number = self._number
        self._write(["question", number, name, stored(arguments), scope.ask, scope.second])
        try:
            answer = ask()
        except Exception as failure:
            self._write(["failure", number, self._left(), stored_failure(failure)])
            raise
        plain = kind.stored(answer) if isinstance(kind, Codec) else stored(answer)
        self._write(["answer", number, self._left(), plain])
        return answer

    def note_answered(self, ask: int) -> None:
        """Note that an ask is answered."""
        self._write(["answered", ask])

    def close(self) -> None:
        """End the recording; who answers later is not kept."""
        with self._lock:
            self._stream.close()

    def _left(self) -> float:
        return self._end - time.monotonic()

    def _write(self, entry: list[Any]) -> None:
        data = msgspec.msgpack.encode(self._hide(entry))
        with self._lock:
            if self._stream.closed:
                return
            self._stream.write(len(data).to_bytes(4, "big") + data)
            self._stream.flush()


def read_recording(data: bytes) -> Recording:
    """Read what a recorder wrote; the last entry may be cut off, as its worker was killed.

    Raises:
        msgspec.ValidationError: it is no recording.
    """
    header: Header | None = None
    kept: dict[int, RecordedAnswer] = {}
    answered = []
    for entry in _entries(data):
        if entry[0] == "header":
            header = msgspec.convert(entry[1], Header, strict=False)
        elif entry[0] == "question":
            kept[entry[1]] = RecordedAnswer(*entry[2:])
        elif entry[0] == "answered":
            answered.append(entry[1])
        else:
            one = kept[entry[1]]
            one.left, one.came = entry[2], True
            if entry[0] == "failure":
                one.failure = entry[3]
            else:
                one.answer = entry[3]
    if header is None:
        raise msgspec.ValidationError("the recording has no beginning")
    return Recording(header, list(kept.values()), answered)


def _entries(data: bytes) -> Iterator[list[Any]]:
    start = 0
    while start + 4 <= len(data):
        length = int.from_bytes(data[start : start + 4], "big")
        if start + 4 + length > len(data):
            return
        yield msgspec.msgpack.decode(data[start + 4 : start + 4 + length], strict=False)
        start += 4 + length


class NotRecordedError(Exception):
    """A question that nobody put when the recording was made: it has to be made anew."""


class Replay(Tape):
    """Tells again what was answered, in the order in which it was, question by question.

    Where the ask that first put a question is another one now, it gets that one's answer: connections remember answers.
    """

    replays: ClassVar[bool] = True

    def __init__(self, kept: Iterable[RecordedAnswer], left: float) -> None:
        """Tell these; `left` are the seconds that were left at the beginning."""
        self._lock = threading.Lock()
        self._kept: dict[bytes, list[RecordedAnswer]] = {}
        for one in kept:
            self._kept.setdefault(one.key, []).append(one)
        self._left = left
        self.missing: list[str] = []
        """The questions that were put and not recorded."""

    def answer(self, name: str, arguments: Any, ask: Callable[[], T], kind: Any) -> T:  # noqa: ARG002 - nobody is asked
        """What was answered.

        Raises:
            NotRecordedError: nothing, as nobody asked.
        """
        plain = stored(arguments)
        found = self._next(key(name, plain), _SCOPE.get())
        if found is None:
            self.missing.append(f"{name} {plain}")
            raise NotRecordedError(self.missing[-1])
        self._left = found.left if found.came else self._left
        if not found.came:
            raise TimedOut("did not answer in its time")
        if found.failure is not None:
            raise failure_of(found.failure)
        return kind.restored(found.answer) if isinstance(kind, Codec) else restored(found.answer, kind)  # type: ignore[no-any-return]

    def left(self, seconds: float) -> float:  # noqa: ARG002 - that of now is no matter
        """What was left when the last answer was there."""
        return max(0.0, self._left)

    def _next(self, wanted: bytes, scope: Scope) -> RecordedAnswer | None:
        with self._lock:
            of_key = self._kept.get(wanted, [])
            of_look = [one for one in of_key if one.second == scope.second] or of_key
            found = next((one for one in of_look if one.ask == scope.ask), next(iter(of_look), None))
            if found is not None:
                of_key.remove(found)
            return found
