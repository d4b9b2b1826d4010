"""What stands behind a lab's ways in place of its brokers."""

import socketserver
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from kafka_lab.ways import State


@contextmanager
def served(state: State, handler: type[socketserver.BaseRequestHandler]) -> Iterator[None]:
    """Serve at the port of each broker's listener."""
    with ExitStack() as stack:
        for _, own in state["ports"].values():
            server = stack.enter_context(socketserver.ThreadingTCPServer(("127.0.0.1", own), handler))
            server.daemon_threads = True
            threading.Thread(target=server.serve_forever, daemon=True).start()
            stack.callback(server.shutdown)
        yield
