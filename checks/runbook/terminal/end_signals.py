"""The signals by which others end a command: the service manager, a container's end, a connection that broke off."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

import typer
from msgspec import Struct

ENDING: Final = (signal.SIGTERM, signal.SIGHUP)
_OF_SIGNALS: Final = 128  # is added to a signal's number in the exit code, as shells do


class EndingSignal(Struct):
    """The signal that ended a command, if one did; a Ctrl-C is none of them."""

    number: int = 0

    def code(self, otherwise: int) -> int:
        """The exit code: that of the signal, where one ended it."""
        return _OF_SIGNALS + self.number if self.number else otherwise


@contextmanager
def ended_by_signals() -> Iterator[EndingSignal]:
    """Let SIGTERM and SIGHUP end what goes on here as a Ctrl-C does, so that it can still keep what it has.

    What is to be ignored, as nohup wants it of SIGHUP, stays so.

    Raises:
        Exit: one of them came before there was anything to keep.
    """
    ended = EndingSignal()
    terminals = [stream.fileno() for stream in (sys.stdout, sys.stderr) if stream.isatty()]

    def end(number: int, _: FrameType | None) -> None:
        ended.number = number
        for other in before:
            signal.signal(other, signal.SIG_IGN)  # a second one must not lose what is kept now
        if number == signal.SIGHUP:  # the terminal is gone, and writing to it would fail
            nowhere = os.open(os.devnull, os.O_WRONLY)
            for terminal in terminals:
                os.dup2(nowhere, terminal)
        raise KeyboardInterrupt

    before = {name: signal.getsignal(name) for name in (*ENDING, signal.SIGINT)}
    for name in ENDING:
        if before[name] is not signal.SIG_IGN:
            signal.signal(name, end)
    try:
        yield ended
    except KeyboardInterrupt:
        if not ended.number:
            raise
        print("interrupted", file=sys.stderr)
        raise typer.Exit(ended.code(0)) from None
    finally:
        for name, handler in before.items():
            signal.signal(name, handler)
