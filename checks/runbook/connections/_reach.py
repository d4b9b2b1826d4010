"""What errors of sockets say of who was not reached."""

import errno
from socket import gaierror

from runbook.model.errors import NoName, NoRoute, Refused, Unreachable


def kind_of(error: OSError) -> type[Unreachable]:
    """How it was not reached."""
    if isinstance(error, gaierror):
        return NoName
    if error.errno == errno.ECONNREFUSED:
        return Refused
    return NoRoute if error.errno in {errno.EHOSTUNREACH, errno.ENETUNREACH} else Unreachable
