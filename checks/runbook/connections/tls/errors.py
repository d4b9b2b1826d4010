"""Errors of sockets as `CannotLook`, for what is looked at from outside."""

import errno
import os
import socket

from runbook.connections._reach import kind_of
from runbook.model.errors import CannotLook, NoName, TimedOut


def explained(error: OSError) -> CannotLook:
    """An error of a socket as a reason, to follow the name of the endpoint."""
    if isinstance(error, TimeoutError):
        return TimedOut("did not answer in its time")
    if isinstance(error, socket.gaierror):
        return NoName("can't be reached: its name does not resolve")
    known = error.errno is not None and error.errno in errno.errorcode
    # not made up: the words of an error; no cell
    return kind_of(error)(f"can't be reached: {os.strerror(error.errno or 0).lower() if known else error}")
