"""A probe that goes wrong in every way a client library can, or answers well."""

import ctypes
import logging
import os
import struct
import sys
import time
from collections.abc import Callable
from typing import Annotated, Any

from runbook.model.errors import TimedOut
from runbook.model.fact import Gap, Observed
from runbook.model.parameter import Parameter
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId, Moment
from runbook.model.row import Cell, Row


class FakeAct(Row):
    """What it gives."""

    number: Annotated[BrokerId, Cell("Counts from 0.", key=True)]
    text: Annotated[str, Cell("What the parameter says.")]
    at: Annotated[Moment, Cell("When it was observed.")]


PROBE = Probe(
    connections=("fake",),
    help="One row per number up to `rows`.",
    row=FakeAct,
    requests=("Nothing",),
    rights=("None",),
    parameters={
        "how": Parameter(type="string", default="well", help="the way in which to go wrong"),
        "text": Parameter(type="string", default="", help="the cell; SECRET in it is the password"),
        "rows": Parameter(type="int", default=1, min=0, help="how many rows"),
        "seconds": Parameter(type="float", default=0.0, help="how long it takes"),
        "window": Parameter(type="string", default="", help="how far to look back; it is what `text` shows"),
    },
)


def observe(fake: Any, **given: Any) -> Observed:
    """Observe in the manner asked for."""
    time.sleep(given.get("seconds", 0.0))
    secret = str(fake.settings.get("password", ""))
    text = given.get("text", "").replace("SECRET", secret) or given.get("window", "")
    how = given.get("how", "well")
    if how in _WAYS:
        _WAYS[how](secret)
    now = Moment(time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()))
    gaps = [Gap(f"broker 2 with {secret} did not answer", {"broker": 2, "host": secret})] if how == "gap" else []
    rows: list[Any] = [FakeAct(number=BrokerId(number), text=text, at=now) for number in range(given.get("rows", 1))]
    if how == "wrong type":
        rows = [FakeAct(number="0", text=text, at=now)]  # type: ignore[arg-type]  # that is what is wrong
    if how == "cells without names":
        rows = [(0,)]
    return Observed(rows, gaps, "it has no meaning here" if how == "inapplicable" else "")


def _fail(secret: str) -> None:
    raise RuntimeError(f"user:{secret} and {secret!r}")


def _late(secret: str) -> None:
    raise TimedOut(f"no answer for {secret}")


def _silent(_: str) -> None:
    raise TimedOut("fake did not answer in its time")


def _chatter(_: str) -> None:
    os.write(1, b"noise on standard output\n")
    os.write(2, b"noise on standard error\n")
    print("more noise")  # noqa: T201 - that is the fault
    sys.stderr.write("more noise\n")
    logging.getLogger("fake").warning("noise of a library's log")


def _garbage(_: str) -> None:
    for descriptor in range(3, 20):  # one of them is the pipe of the answers
        try:
            os.write(descriptor, struct.pack(">I", 5) + b"noise")
        except OSError:
            continue


def _endless_garbage(_: str) -> None:
    for descriptor in range(3, 20):
        try:
            os.write(descriptor, b"\xff" * 4)
        except OSError:
            continue
    time.sleep(3600)


_WAYS: dict[str, Callable[[str], object]] = {
    "raise": _fail,
    "time out": _late,
    "silent": _silent,
    "hang": lambda _: time.sleep(3600),
    "hang in C": lambda _: ctypes.pythonapi.sleep(3600),
    "abort": lambda _: os.abort(),
    "segfault": lambda _: ctypes.string_at(0),
    "exit": lambda _: os._exit(3),
    "sys.exit": lambda _: sys.exit(3),
    "interrupt": lambda _: os.kill(os.getpid(), 2),
    "chatter": _chatter,
    "garbage": _garbage,
    "endless garbage": _endless_garbage,
    "memory": lambda _: bytearray(64 << 30),
}
