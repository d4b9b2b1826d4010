"""Many workers of one kind of connection, forked from one process that has loaded the client libraries.

Loading them takes a good part of a second of work, which fifty environments would each pay anew, and memory, which
forked workers share. The process that forks has one thread, no connection and no secret: a worker gets its job over a
pipe of its own, as one that was started by itself does. Where libraries start threads as they are loaded, nothing is
forked, as a lock that another thread held would never be released in a worker.

Who wants a worker sends the worker's ends of two pipes and of a socket. The socket is the worker's life: closing it
ends the worker, and it says how the worker ended; so nobody ever signals a process that is not there any more.
"""

import contextlib
import os
import selectors
import signal
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import IO, Protocol

CAN_FORK = sys.platform == "linux"  # elsewhere system libraries start threads by themselves, and nothing counts them
FORKS = "forks"
"""What a process is told that is to fork workers, and not to be one."""

_READY = b"r"
_STATUS = struct.Struct(">i")
_FDS = 3
_MOST_FDS = 1 << 12  # what a process that forks may have open; it has three for each worker at most. Our judgement


class WorkerProcess(Protocol):
    """What is needed of a worker: `subprocess.Popen` has it, too."""

    stdin: IO[bytes] | None
    stdout: IO[bytes] | None
    returncode: int | None

    def kill(self) -> None:
        """End it now."""

    def wait(self) -> int:
        """Wait for its end, and say how it came about, as `subprocess` does."""


class ForkServer:
    """The process that forks, seen from the one that started it."""

    def __init__(self, command: list[str]) -> None:
        """Start it.

        Raises:
            OSError: it can't be started.
        """
        self._control, theirs = socket.socketpair()
        self._lock = threading.Lock()
        self._ready = False
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603 - this interpreter, and the name of a file in connections/
                command,
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # a Ctrl-C is the parent's to handle; and all that it forks can be ended
            )

    def fork(self, within: float) -> WorkerProcess:
        """Give a worker that waits for its job.

        Args:
            within: seconds that loading the libraries may still take.

        Raises:
            OSError: the process that forks is gone, can't fork, or is not ready in time.
        """
        with self._lock:
            if not self._ready:
                self._control.settimeout(max(within, 0.001))
                if self._control.recv(len(_READY)) != _READY:
                    raise BrokenPipeError
                self._ready = True
        job, stdin = os.pipe()
        stdout, answers = os.pipe()
        mine, life = socket.socketpair()
        try:
            with self._lock:
                socket.send_fds(self._control, [b"w"], [job, answers, life.fileno()])
        except OSError:
            os.close(stdin)
            os.close(stdout)
            mine.close()
            raise
        finally:
            os.close(job)
            os.close(answers)
            life.close()
        return _Forked(mine, stdin, stdout)

    def stop(self) -> None:
        """End it, and with it all that it forked."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)  # nobody has waited for it: the number is still its own
        self._process.wait()
        self._control.close()


class _Forked:
    """A worker that somebody else is the parent of."""

    def __init__(self, life: socket.socket, stdin: int, stdout: int) -> None:
        self._life = life
        self._lock = threading.Lock()
        self.stdin: IO[bytes] | None = os.fdopen(stdin, "wb")
        self.stdout: IO[bytes] | None = os.fdopen(stdout, "rb")
        self.returncode: int | None = None

    def kill(self) -> None:
        with contextlib.suppress(OSError):
            self._life.shutdown(socket.SHUT_WR)

    def wait(self) -> int:
        with self._lock:
            if self.returncode is None:
                told = b""
                with contextlib.suppress(OSError):
                    told = self._life.recv(_STATUS.size)
                self.returncode = _STATUS.unpack(told)[0] if len(told) == _STATUS.size else -signal.SIGKILL
                self._life.close()
        return self.returncode


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
    for one in (awake, wake):
        one.setblocking(False)  # noqa: FBT003 - the library has it so
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake.fileno(), warn_on_full_buffer=False)
    control.send(_READY)
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
            life.send(_STATUS.pack(os.waitstatus_to_exitcode(status)))


def _end(lives: dict[int, socket.socket]) -> None:
    for pid in lives:
        os.kill(pid, signal.SIGKILL)
