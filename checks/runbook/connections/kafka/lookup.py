"""Names of servers looked up beside the work, and libraries kept quiet."""

import logging
import socket
import threading
from collections.abc import Callable
from typing import Any

from runbook.formats.addresses import is_address


def once_found(server: Any, start: Callable[[], None], failed: Callable[[BaseException], None]) -> None:
    """Start to work with a server once its name is looked up, or note that it can't be.

    A thread of its own does that: kafka-python has only one, where one slow name would stop everybody.
    """

    def look_up() -> None:
        try:
            socket.getaddrinfo(server.host, server.port, type=socket.SOCK_STREAM)
        except OSError as error:
            failed(error)
        else:
            start()

    if is_address(server.host):
        start()
    else:
        threading.Thread(target=look_up, daemon=True).start()


def quiet(name: str) -> logging.Logger:
    """Return a library's logger, silenced: what matters comes as errors."""
    logger = logging.getLogger(name)
    logger.addHandler(logging.NullHandler())
    logger.propagate = False
    logger.setLevel(logging.CRITICAL + 1)
    return logger
