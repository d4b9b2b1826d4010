"""A command on a machine that is many times as slow: it and all that it starts run for a part of the time only."""

import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import psutil

_SLICE = 0.02  # seconds for which it runs before it is stopped again


def run_slowed(
    times: float, words: Sequence[str], folder: Path, env: Mapping[str, str], *, within: float
) -> subprocess.CompletedProcess[str]:
    """Run `runbook` with these words in a folder, with each step taking so many times as long.

    Args:
        times: how many times; also of the processes that it starts, wherever they belong.
        words: of the command line.
        folder: the current one.
        env: its environment variables.
        within: seconds after which it is killed.

    Raises:
        TimeoutError: it did not end.
    """
    with (folder / "out.txt").open("w") as out, (folder / "err.txt").open("w") as err:
        command = [sys.executable, "-P", "-m", "runbook", *words]
        process = subprocess.Popen(command, cwd=folder, env=dict(env), stdout=out, stderr=err)
    end = time.monotonic() + within
    tree = psutil.Process(process.pid)
    try:
        while process.poll() is None:
            if time.monotonic() > end:
                raise TimeoutError(f"it had not ended after {within:g} s")
            began = time.monotonic()
            stopped = _signalled(tree, signal.SIGSTOP)
            time.sleep(max(0.0, (times - 1) * _SLICE - (time.monotonic() - began)))
            for one in stopped:
                _send(one, signal.SIGCONT)
            time.sleep(_SLICE)
    finally:
        for one in _signalled(tree, signal.SIGCONT) if process.poll() is None else []:
            _send(one, signal.SIGKILL)
        process.wait()
    texts = [(folder / name).read_text("utf-8") for name in ("out.txt", "err.txt")]
    return subprocess.CompletedProcess(command, process.returncode, *texts)


def _signalled(tree: psutil.Process, number: signal.Signals) -> list[psutil.Process]:
    """All of them, sent a signal; those that are started meanwhile, too."""
    found: dict[int, psutil.Process] = {}
    while True:
        try:
            new = [one for one in [tree, *tree.children(recursive=True)] if one.pid not in found]
        except psutil.NoSuchProcess:
            return [*found.values()]
        if not new:
            return [*found.values()]
        for one in new:
            found[one.pid] = one
            _send(one, number)


def _send(process: psutil.Process, number: signal.Signals) -> None:
    try:
        process.send_signal(number)
    except psutil.NoSuchProcess:
        return
