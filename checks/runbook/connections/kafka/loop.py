"""kafka-python's event loop, made to leave no socket open.

kafka-python stops its loop without ending what still waits there: a greeting that has not shaken hands, an answer that
never came, words not yet sent. Their sockets would stay open until the garbage collector happens to pass by.
"""

from typing import Any
from weakref import WeakSet

from kafka.net.selector import NetworkSelector


class ClosingLoop(NetworkSelector):  # type: ignore[misc]  # kafka-python ships no types
    """An event loop that closes, as its thread ends, every socket that was ever waited for."""

    def __init__(self, **options: Any) -> None:
        """Prepare the loop; nothing runs before `start`."""
        self._met: WeakSet[Any] = WeakSet()
        super().__init__(**options)

    def register_event(self, fileobj: Any, event: int, task: Any) -> None:
        """Wait for a socket, as kafka-python does before it connects, shakes hands, reads or writes."""
        self._met.add(fileobj)
        super().register_event(fileobj, event, task)

    def run_forever(self) -> None:
        """Run until stopped, and close what is left. Nothing else may close it: the loop's thread owns its sockets."""
        try:
            super().run_forever()
        finally:
            for connection in list(self._met):
                connection.close()
