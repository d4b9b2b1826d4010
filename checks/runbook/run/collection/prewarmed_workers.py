"""Worker processes that are started before it is known what to ask, and those that are started when it is."""

import contextlib
import threading
from collections.abc import Callable
from subprocess import Popen

from runbook.run.collection.fork_process import FORKS
from runbook.run.collection.fork_server import CAN_FORK, ForkServer, WorkerProcess
from runbook.safety.child_process import PIPE, python_module, start

AT_ONCE = 8  # processes over all environments that hear from their systems. Our judgement


class PrewarmedWorkers:
    """Processes started before it is known what to ask: they load client libraries while runbooks are being read."""

    def __init__(self) -> None:
        """Start none yet."""
        self._idle: list[tuple[str, Popen[bytes]]] = []
        self._forking: dict[str, ForkServer] = {}
        self._lock = threading.Lock()  # several threads take from them

    def prepare(self, connection: str, count: int = 1) -> None:
        """Start a process for a kind of connection, or one from which so many are forked.

        Where there are no forks, no more are started than may run at once.
        """
        with contextlib.suppress(OSError):  # what can't be started early is started, or reported, when needed
            if count > 1 and CAN_FORK:
                if connection not in self._forking:
                    self._forking[connection] = ForkServer([*_command(connection), FORKS])
                return
            for _ in range(min(count, AT_ONCE - len(self._idle))):
                self._idle.append((connection, start_process(connection)))

    def take(self, connection: str, left: Callable[[], float]) -> WorkerProcess:
        """Give a process for a kind of connection, a prepared one if there is one left.

        Args:
            connection: its name.
            left: gives the seconds that preparing may still take.

        Raises:
            OSError: none can be started.
        """
        with self._lock:
            mine = [idle for idle in self._idle if idle[0] == connection]
            for idle in mine:
                self._idle.remove(idle)
                if idle[1].poll() is None:
                    return idle[1]
            server = self._forking.get(connection)
        if server is not None:
            with contextlib.suppress(OSError):  # it is gone, or can't: they are started one by one
                return server.fork(left)
        return start_process(connection)

    def stop(self) -> None:
        """End those that were not needed, and those that fork."""
        while self._idle:
            _, process = self._idle.pop()
            process.kill()
            process.communicate()
        while self._forking:
            self._forking.popitem()[1].stop()


def start_process(connection: str) -> Popen[bytes]:
    """Start a worker process; it waits for its job on standard input.

    Raises:
        OSError: it can't be started.
    """
    # A Ctrl-C is the parent's to handle.
    return start(_command(connection), stdin=PIPE, stdout=PIPE, own_session=True)


def _command(connection: str) -> list[str]:
    return python_module("runbook.run.collection.worker", connection)
