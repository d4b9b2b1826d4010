"""What `ss -Htin` prints of TCP connections: a line with both ends, and under it what the kernel measures of it."""

import re
from collections.abc import Iterator

from msgspec import Struct

from runbook.model.quantity import MillisecondsExact

_ENDS = re.compile(r"\d+\s+\d+\s+(\S+):(\d+)\s+(\S+):(\d+)")
_MAPPED = "::ffff:"  # an IPv4 address as a socket for both families has it
_SMOOTHED = re.compile(r"\brtt:([\d.]+)/")
_LEAST = re.compile(r"\bminrtt:([\d.]+)")


class Connection(Struct, frozen=True):
    """One connection, between addresses without brackets and zones.

    Attributes:
        local: address of this end.
        peer: address of the other.
        least: the least round-trip of the last five minutes (tcp_min_rtt_wlen), in ms.
        smoothed: the smoothed one (RFC 6298), which also has in it how long the other end took to acknowledge, in ms.
    """

    local: str
    peer: str
    least: MillisecondsExact
    smoothed: MillisecondsExact


def read_connections(text: str) -> Iterator[Connection]:
    """Read connections; those of which nothing was measured yet, and those of the loopback interface, are left out.

    Raises:
        ValueError: it is not what `ss` prints.
    """
    ends: re.Match[str] | None = None
    for line in text.splitlines():
        if not line[:1].isspace():
            ends = _ENDS.match(line)
            if ends is None:
                raise ValueError(line)
            continue
        least, smoothed = _LEAST.search(line), _SMOOTHED.search(line)
        if ends is None:
            raise ValueError(line)
        local, peer = _address(ends[1]), _address(ends[3])
        if least and smoothed and not _is_loopback(peer):
            yield Connection(
                local=local,
                peer=peer,
                least=MillisecondsExact(float(least[1])),
                smoothed=MillisecondsExact(float(smoothed[1])),
            )


def _address(written: str) -> str:
    return written.strip("[]").partition("%")[0].removeprefix(_MAPPED)


def _is_loopback(address: str) -> bool:
    return address == "::1" or address.startswith("127.")
