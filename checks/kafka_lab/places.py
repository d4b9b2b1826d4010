"""Where labs keep what is in use: their home, a folder for each, and files that two processes may want at once."""

import fcntl
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from runbook.folders import state_folder
from runbook.model.errors import UsageError

_LOGS_OF = ("broker", "zookeeper", "connect")  # what has a log of each run


def lab_home() -> Path:
    """Name the folder of all labs: `$RUNBOOK_LAB_HOME`, else `runbook/lab` in the user's state folder."""
    given = os.environ.get("RUNBOOK_LAB_HOME")
    return Path(given) if given else state_folder() / "lab"


def lab_folder(name: str, home: Path | None = None) -> Path:
    """Name the folder of one lab.

    Raises:
        UsageError: The name can't be a folder's and an environment's name.
    """
    if not re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,39}", name):
        raise UsageError(
            f"{name!r} can't be a lab's name: use up to 40 lower-case letters, digits, - and _, a letter or digit first"
        )
    return (home or lab_home()).absolute() / name


@contextmanager
def held(lock: Path) -> Iterator[None]:
    """Hold a lock file, so that two processes never do the same work at once; waits for the other one."""
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def write_whole(path: Path, text: str) -> None:
    """Replace a file in one step: a reader sees the old text or the new one, never a part."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    unfinished.write_text(text, encoding="utf-8")
    unfinished.replace(path)


def set_aside_logs(folder: Path) -> None:
    """Keep the logs of the run before of a lab in this folder under `logs/previous`: a log tells of one run."""
    logs = folder / "logs"
    previous = logs / "previous"
    shutil.rmtree(previous, ignore_errors=True)
    for file in (file for kind in _LOGS_OF for file in logs.glob(f"{kind}-*")):
        previous.mkdir(exist_ok=True)
        file.replace(previous / file.name)
