"""Topics that a killed measurement left: told by their names from those of one that still goes on."""

import contextlib
import fcntl
import os
import re
import secrets
import time
from pathlib import Path
from typing import IO

from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient

from runbook.canary.topics import PATIENCE, remove
from runbook.procedure.walk_file import walks_home

_NAMED = re.compile(r"(?P<mark>.+-measure-(?P<end>[0-9a-f]{8})[0-9a-f]{4})(-\d+)?")


def marked(topic: str, seconds: float) -> str:
    """What the names of all topics of a run hold that is over in so many seconds: it says when that is."""
    return f"{topic}-measure-{int(time.time() + seconds):08x}{secrets.token_hex(2)}"


def hold(mark: str) -> IO[bytes] | None:
    """Show other runs of this login on this machine that this one goes on, until this process ends in whatever way."""
    with contextlib.suppress(OSError):
        file = _sign(mark)
        file.parent.mkdir(parents=True, exist_ok=True)
        held = file.open("wb")
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return held
    return None  # then others know by its time only


def release(mark: str) -> None:
    """Take the sign away; nothing of this run is left."""
    with contextlib.suppress(OSError):
        _sign(mark).unlink(missing_ok=True)


def sweep(admin: AdminClient, topic: str) -> tuple[list[str], list[str]]:
    """Remove the topics of earlier runs; gives those that are gone, and those of a run that may go on.

    Args:
        admin: of the cluster.
        topic: how the names of topics begin, as the inventory says.
    """
    try:
        names = sorted(admin.list_topics(timeout=PATIENCE).topics)
    except KafkaException:
        return [], []
    found = {
        name: named["mark"]
        for name in names
        if (named := _NAMED.fullmatch(name)) and name.startswith(f"{topic}-measure-")
    }
    over = {mark for mark in found.values() if _over(mark)}
    left = {name for mark in over for name in remove(admin, mark, mark)}
    for mark in over - {found[name] for name in left if name in found}:
        release(mark)
    swept = [name for name, mark in found.items() if mark in over and name not in left]
    return swept, [name for name in found if name not in swept]


def _over(mark: str) -> bool:
    named = _NAMED.fullmatch(mark)
    return named is not None and (int(named["end"], 16) < time.time() or _given_up(mark))


def _given_up(mark: str) -> bool:
    """Whether it is known that nobody holds the sign of a run; what another machine does is never known."""
    try:
        descriptor = os.open(_sign(mark), os.O_RDWR)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return True


def _sign(mark: str) -> Path:
    return walks_home().parent / "measures" / f"{mark}.lock"
