"""Hosts over SSH: the commands that may be run on them, and what these print."""

from typing import NamedTuple

from msgspec import Struct

from runbook.model.quantity import Bytes


class FileInfo(Struct, frozen=True):
    """A file on a host: its size in bytes, and when it was last written (seconds since 1970, by the host's clock)."""

    path: str
    size: Bytes
    modified: float


class Answer(NamedTuple):
    """What a command gave, and when it was asked and had answered (seconds since 1970, by our clock)."""

    data: bytes
    said: str
    began: float
    ended: float
