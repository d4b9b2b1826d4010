"""Where a connection's answers come from: the systems that are asked, or a recording of what they answered before."""

from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

T = TypeVar("T")


class Tape:
    """Answers come from the systems themselves, and nothing is kept; `runbook.recording` has two other kinds."""

    replays: ClassVar[bool] = False
    """Whether answers come from a recording: nobody is connected to then, and nobody waited for."""

    def answer(self, name: str, arguments: Any, ask: Callable[[], T], kind: Any) -> T:  # noqa: ARG002 - others use all
        """The answer to one question.

        Args:
            name: of the question, such as `http.ask`: a recording is found by it, whatever the code is called.
            arguments: plain values and records.
            ask: puts it to the system.
            kind: type of the answer, or a `runbook.recording.raw.Codec`.

        Raises:
            CannotLook: as `ask` does, or did.
        """
        return ask()

    def left(self, seconds: float) -> float:
        """Seconds until the deadline, of which so many are left by the clock."""
        return seconds

    def note_answered(self, ask: int) -> None:
        """Note that the ask of this number is answered."""

    def close(self) -> None:
        """Nothing more is asked."""


LIVE = Tape()
