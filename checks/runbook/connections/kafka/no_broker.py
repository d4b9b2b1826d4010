"""What answers at an address where no broker does: that it "can't be reached" would send people to the network.

One ApiVersions is sent, as by any client of Kafka, which needs no login. Its client id ends a line, so that a server
that reads lines answers too, and does not wait for the end of one.
"""

import socket
import struct
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final

from runbook.model.errors import CannotLook, Unreachable

_PATIENCE: Final = 1.0  # seconds, for a server that has failed us already: our judgement
_LEAST: Final = 0.1
_ENOUGH: Final = 4096
_API_VERSIONS, _METADATA = 18, 3
_CLIENT: Final = b"runbook\r\n\r\n"
_HEAD: Final = struct.Struct(">ihi")  # the answer to ApiVersions 0: correlation id, error, number of what follows
_RANGE: Final = struct.Struct(">hhh")  # number of a request, least and greatest version
_ALERT: Final = b"\x15\x03"  # how TLS says that it does not understand us (RFC 8446, 5.1)


def others_than_brokers(servers: Iterable[str], left: float) -> dict[str, CannotLook]:
    """Of these addresses those where something else than a broker answers, and what that is.

    Args:
        servers: host:port of servers that are spoken to without TLS and did not answer as brokers do.
        left: the seconds that are left for it.
    """
    seconds = max(_LEAST, min(_PATIENCE, left))
    names = list(servers)
    with ThreadPoolExecutor(max(1, len(names)), thread_name_prefix="kafka-no-broker") as pool:
        met = dict(zip(names, pool.map(partial(_met, seconds=seconds), names), strict=True))
    return {server: Unreachable(f"{server} {what}") for server, what in met.items() if what}


def none_answers(reasons: Mapping[str, CannotLook]) -> CannotLook:
    """Why no bootstrap server answers, of the reason of each: server → reason."""
    if len(reasons) == 1:
        return next(iter(reasons.values()))
    kinds = {type(reason) for reason in reasons.values()}
    kind = kinds.pop() if len(kinds) == 1 else Unreachable
    return kind("no bootstrap server answers: " + "; ".join(map(str, reasons.values())))


def _met(server: str, seconds: float) -> str:
    host, _, port = server.rpartition(":")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), seconds) as connection:
            connection.settimeout(seconds)
            body = struct.pack(">hhih", _API_VERSIONS, 0, 0, len(_CLIENT)) + _CLIENT
            connection.sendall(struct.pack(">i", len(body)) + body)
            return _protocol_of(connection.recv(_ENOUGH))
    except (OSError, ValueError):
        return ""


def _protocol_of(answer: bytes) -> str:
    if answer.startswith(b"HTTP/") or answer.lstrip()[:9].lower() in (b"<!doctype", b"<html>"):
        return "speaks HTTP, not Kafka's protocol: name the port that brokers have for clients"
    if answer.startswith(b"SSH-"):
        return "speaks SSH, not Kafka's protocol: name the port that brokers have for clients"
    if answer.startswith(_ALERT):
        return "takes TLS only: set security.protocol to SSL or SASL_SSL"
    requests = _requests(answer[4:])
    if requests and _METADATA not in requests:
        return "is the port of a KRaft controller, which serves no clients: name the port that brokers have for them"
    return ""


def _requests(answer: bytes) -> set[int]:
    """The numbers of the requests that a server of Kafka knows; none where it is no whole answer of one."""
    if len(answer) < _HEAD.size:
        return set()
    _, error, count = _HEAD.unpack_from(answer)
    if error or not 0 < count <= (len(answer) - _HEAD.size) // _RANGE.size:
        return set()
    return {_RANGE.unpack_from(answer, _HEAD.size + place * _RANGE.size)[0] for place in range(count)}
