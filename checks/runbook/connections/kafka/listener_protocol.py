"""What speaks at an address where no broker answered us: that it "can't be reached" would send people to the network.

It may be no broker, or a listener that wants TLS or a login where our settings have none, or the other way round. One
ApiVersions is sent in plain text, as by any client of Kafka, which needs no login; its client id ends a line, so that a
server that reads lines answers too, and does not wait for the end of one. Then the listener is asked for a login by a
mechanism that nobody has, which it refuses by the names of those there are.
"""

import socket
import ssl
import struct
import time
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final

from runbook.connections.kafka.errors import none_of
from runbook.connections.kafka.raw_connection import PASSWORDS, Closed, mechanisms_of
from runbook.formats.addresses import split
from runbook.model.errors import CannotLook, Unreachable
from runbook.model.gap_kind import GapKind
from runbook.model.probe import Deadline

_PATIENCE: Final = 1.0  # seconds, for a server that has failed us already: our judgement
_ALIVE: Final = 5.0  # seconds, for one that has answered since: a busy broker takes them for a handshake in TLS
_LEAST: Final = 0.1
_ENOUGH: Final = 4096
_API_VERSIONS, _METADATA = 18, 3
_CLIENT: Final = b"runbook\r\n\r\n"
_HEAD: Final = struct.Struct(">ihi")  # the answer to ApiVersions 0: correlation id, error, number of what follows
_RANGE: Final = struct.Struct(">hhh")  # number of a request, least and greatest version
_ALERT: Final = b"\x15\x03"  # how TLS says that it does not understand us (RFC 8446, 5.1)


class SpeaksOtherwise(Unreachable):
    """Something answers there, and not to who comes as our settings do."""

    kind = GapKind.SPEAKS_OTHERWISE


def others_than_ours(servers: Iterable[str], protocol: str, left: float) -> dict[str, CannotLook]:
    """Of these addresses those where no listener of our protocol answers, and what does.

    Args:
        servers: host:port of servers that did not answer as brokers do.
        protocol: our `security.protocol`: PLAINTEXT, SSL, SASL_PLAINTEXT or SASL_SSL.
        left: the seconds that are left for it.
    """
    end = time.monotonic() + left
    names = list(servers)
    with ThreadPoolExecutor(max(1, len(names)), thread_name_prefix="kafka-listener-protocol") as pool:
        met = dict(zip(names, pool.map(partial(_met, protocol=protocol, end=end), names), strict=True))
    return {server: SpeaksOtherwise(f"{server} {what}") for server, what in met.items() if what}


def none_answers(reasons: Mapping[str, CannotLook]) -> CannotLook:
    """Why no bootstrap server answers, of the reason of each: server → reason."""
    if len(reasons) == 1:
        return next(iter(reasons.values()))
    return none_of([*reasons.values()])


def _met(server: str, protocol: str, end: float) -> str:
    """What answers at host:port and is no listener of our protocol; "" where one is, or nobody tells."""
    try:
        host, port = split(server)
        answer = _in_plain_text(host, port, _within(_PATIENCE, end))
    except (OSError, ValueError):
        return ""
    if other := _no_broker(answer):
        return other
    plain = bool(_requests(answer[4:]))
    if not plain and not answer.startswith(_ALERT):
        return ""
    return _differs(protocol, plain=plain, mechanisms=_mechanisms(host, port, _within(_ALIVE, end), plain=plain))


def _within(seconds: float, end: float) -> float:
    return max(_LEAST, min(seconds, end - time.monotonic()))


def _in_plain_text(host: str, port: int, seconds: float) -> bytes:
    """The beginning of its answer to ApiVersions.

    Raises:
        OSError: there is none in time.
    """
    with socket.create_connection((host, port), seconds) as connection:
        connection.settimeout(seconds)
        body = struct.pack(">hhih", _API_VERSIONS, 0, 0, len(_CLIENT)) + _CLIENT
        connection.sendall(struct.pack(">i", len(body)) + body)
        return connection.recv(_ENOUGH)


def _mechanisms(host: str, port: int, seconds: float, *, plain: bool) -> tuple[str, ...] | None:
    """The mechanisms of SASL that a listener offers, none where it has no login; None if it does not tell."""
    try:
        return mechanisms_of(host, port, Deadline(seconds, patience=seconds), plain=plain)
    except (Closed, CannotLook, ssl.SSLError):
        return None


def _no_broker(answer: bytes) -> str:
    if answer.startswith(b"HTTP/") or answer.lstrip()[:9].lower() in (b"<!doctype", b"<html>"):
        return "speaks HTTP, not Kafka's protocol: name the port that brokers have for clients"
    if answer.startswith(b"SSH-"):
        return "speaks SSH, not Kafka's protocol: name the port that brokers have for clients"
    requests = _requests(answer[4:])
    if requests and _METADATA not in requests:
        return "is the port of a KRaft controller, which serves no clients: name the port that brokers have for them"
    return ""


def _differs(protocol: str, *, plain: bool, mechanisms: tuple[str, ...] | None) -> str:
    """What a listener has in place of our protocol, and what to set; "" if there is no difference."""
    login, encrypted = protocol.startswith("SASL_"), protocol.endswith("SSL")
    differences = []
    if encrypted == plain:
        differences.append("takes no TLS" if plain else "takes TLS only")
    if mechanisms and not login:
        differences.append("wants a login")
    if login and mechanisms == ():
        differences.append("has no login")
    if not differences:
        return ""
    last = "PLAINTEXT" if plain else "SSL"
    fits = [f"SASL_{last}" if mechanisms else last] if mechanisms is not None else [last, f"SASL_{last}"]
    remedy = f"set security.protocol to {' or '.join(fits)}"
    if mechanisms and not login:
        remedy += f", sasl.mechanism to {' or '.join(mechanisms)}, and "
        remedy += "the user's name and password" if {*mechanisms} & {*PASSWORDS} else "what that login needs"
    elif plain and encrypted:
        remedy = f"name the port of a listener with TLS, or {remedy}"
    return f"{' and '.join(differences)}: {remedy}"


def _requests(answer: bytes) -> set[int]:
    """The numbers of the requests that a server of Kafka knows; none where it is no whole answer of one."""
    if len(answer) < _HEAD.size:
        return set()
    _, error, count = _HEAD.unpack_from(answer)
    if error or not 0 < count <= (len(answer) - _HEAD.size) // _RANGE.size:
        return set()
    return {_RANGE.unpack_from(answer, _HEAD.size + place * _RANGE.size)[0] for place in range(count)}
