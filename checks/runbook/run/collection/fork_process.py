"""What the process does that forks workers: it starts them, ends them, and says how they ended.

`fork_server` is the other side of it. It has one thread, and has opened nothing but what it was given. Coverage does
not count what runs here, as forked processes end without Python's farewell; tests/run/collection/test_fork_server.py
sees it from outside.
"""

import contextlib
import os
import selectors
import signal
import socket
import struct
from collections.abc import Callable
from pathlib import Path

FORKS = "forks"
"""What a process is told that is to fork workers, and not to be one."""
READY = b"r"
"""What it says once it can fork."""
STATUS = struct.Struct(">i")
"""How a worker ended, as `subprocess` has it: what the socket that is its life says last."""

_FDS = 3
_MOST_FDS = 1 << 12  # what a process that forks may have open; it has three for each worker at most. Our judgement


def serve(control: socket.socket, work: Callable[[], None]) -> None:
    """Fork workers until nobody wants any more. The caller has loaded what they need; nothing else was read or opened.

    Args:
        control: over which they are wanted.
        work: what a worker does, with its job on standard input and its answers on standard output.
    """
    if len(list(Path("/proc/self/task").iterdir())) > 1:  # also the threads that Python knows nothing of
        return
    lives: dict[int, socket.socket] = {}
    awake, wake = socket.socketpair()
    for end in (awake, wake):
        end.setblocking(False)  # noqa: FBT003 - the library has it so
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake.fileno(), warn_on_full_buffer=False)
    control.send(READY)
    with selectors.DefaultSelector() as waiting:
        waiting.register(control, selectors.EVENT_READ)
        waiting.register(awake, selectors.EVENT_READ)
        while True:
            for key, _ in waiting.select():
                if key.fileobj is control:
                    fds = _wanted(control)
                    if len(fds) < _FDS:
                        _end(lives)
                        return
                    pid, life = _fork(fds, work)
                    lives[pid] = life
                    waiting.register(life, selectors.EVENT_READ, pid)
                elif key.fileobj is awake:
                    with contextlib.suppress(BlockingIOError):
                        awake.recv(_MOST_FDS)
                elif key.data in lives:  # nobody waits for it any more
                    os.kill(key.data, signal.SIGKILL)
                    waiting.unregister(key.fileobj)
            _reap(lives, waiting)


def _wanted(control: socket.socket) -> list[int]:
    try:
        return socket.recv_fds(control, 1, _FDS)[1]
    except OSError:
        return []


def _fork(fds: list[int], work: Callable[[], None]) -> tuple[int, socket.socket]:
    job, answers, life = fds
    pid = os.fork()
    if not pid:
        code = 1
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.dup2(job, 0)
            os.dup2(answers, 1)
            os.closerange(3, _MOST_FDS)  # what this process has open is none of a worker's: it would keep others alive
            work()
        except SystemExit as leaving:
            code = leaving.code if isinstance(leaving.code, int) else 1
        finally:
            os._exit(code)
    os.close(job)
    os.close(answers)
    return pid, socket.socket(fileno=life)


def _reap(lives: dict[int, socket.socket], waiting: selectors.BaseSelector) -> None:
    """Say of each worker that ended how."""
    while lives:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if not pid:
            return
        life = lives.pop(pid)
        with contextlib.suppress(KeyError):
            waiting.unregister(life)
        with contextlib.suppress(OSError), life:
            life.send(STATUS.pack(os.waitstatus_to_exitcode(status)))


def _end(lives: dict[int, socket.socket]) -> None:
    for pid in lives:
        os.kill(pid, signal.SIGKILL)
