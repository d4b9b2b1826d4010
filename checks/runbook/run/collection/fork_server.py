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
import signal
import socket
import sys
import threading
from collections.abc import Callable
from typing import IO, Protocol

from runbook.run.collection.fork_process import READY, STATUS
from runbook.safety.child_process import start

CAN_FORK = sys.platform == "linux"  # elsewhere system libraries start threads by themselves, and nothing counts them
_TICK = 0.1  # seconds between two looks at the time that is left. Our judgement


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
            self._process = start(
                command,
                stdin=theirs.fileno(),
                own_session=True,  # a Ctrl-C is the parent's to handle; and all that it forks can be ended
            )

    def fork(self, left: Callable[[], float]) -> WorkerProcess:
        """Give a worker that waits for its job.

        Args:
            left: gives the seconds that loading the libraries may still take.

        Raises:
            OSError: the process that forks is gone, can't fork, or is not ready in time.
        """
        with self._lock:
            while not self._ready:
                self._control.settimeout(_TICK)
                try:
                    said = self._control.recv(len(READY))
                except TimeoutError:
                    if left() <= 0:
                        raise
                    continue
                if said != READY:
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
                status = b""
                with contextlib.suppress(OSError):
                    status = self._life.recv(STATUS.size)
                self.returncode = STATUS.unpack(status)[0] if len(status) == STATUS.size else -signal.SIGKILL
                self._life.close()
        return self.returncode
