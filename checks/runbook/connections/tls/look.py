"""What one endpoint offers: every version and kind of weak cipher is tried in a handshake of its own."""

from collections.abc import Mapping
from typing import Final

from runbook.answers.tls import Endpoint, OfferedTls
from runbook.connections.tls.handshake import VERSIONS, Met, Terms, can_offer, shake_hands
from runbook.model.errors import CannotLook, Garbled
from runbook.model.probe import Deadline
from runbook.recording.question import question

WEAK: Final[Mapping[str, str]] = {
    "without authentication": "aNULL",
    "without encryption": "eNULL:!aNULL",
    "without forward secrecy": "kRSA:!eNULL",
}
"""Kinds of weak ciphers of TLS up to 1.2, in OpenSSL's words. RC4 and DES are not among them: no OpenSSL that Python's
packages carry can offer them any more."""

_SAYS_NO = ("protocol version", "handshake failure", "insufficient security")


def look(endpoint: Endpoint, clock: Deadline) -> OfferedTls:
    """Try everything, the newest version first.

    Raises:
        CannotLook: the endpoint does not answer in TLS.
    """
    met: dict[str, Met] = {}
    unknown: list[str] = []
    for version in reversed(VERSIONS):
        answer = _try(endpoint, Terms(version, version), clock, first=version == VERSIONS[-1])
        if isinstance(answer, str):
            unknown.append(f"{version} could not be tried: {answer}")
        else:
            met[version] = answer
    accepted = [handshake for handshake in met.values() if handshake.version]
    if not accepted:
        raise Garbled("; ".join(unknown) or "speaks TLS, but none of its versions from 1.0 to 1.3")
    weak: dict[str, str] = {}
    older = [version for version, handshake in met.items() if handshake.version and version != VERSIONS[-1]]
    for kind, ciphers in WEAK.items() if older else ():
        answer = _try(endpoint, Terms(older[-1], older[0], ciphers), clock)
        if isinstance(answer, str):
            unknown.append(f"ciphers {kind} could not be tried: {answer}")
        elif answer.version:
            weak[kind] = answer.cipher
    demands = [handshake.demands_certificate for handshake in accepted]
    return OfferedTls(
        protocols=tuple(version for version in VERSIONS if version in met and met[version].version),
        refused=tuple(version for version in VERSIONS if version in met and not met[version].version),
        cipher=accepted[0].cipher,
        weak=weak,
        chain=accepted[0].chain,
        asks_certificate=any(handshake.asks_certificate for handshake in accepted),
        demands_certificate=True if True in demands else None if None in demands else False,
        open=tuple(unknown),
    )


def _try(endpoint: Endpoint, terms: Terms, clock: Deadline, *, first: bool = False) -> Met | str:
    """What came of a handshake, or why nothing did. Of the first one an error says that nobody is there."""
    if not _can_offer(terms, clock):
        return "the TLS library of this machine can't offer it"
    try:
        met = _shake_hands(endpoint.host, endpoint.port, terms, clock)
    except CannotLook as error:
        if first:
            raise
        return f"it {error}"
    if not met.version and not any(word in met.refusal for word in _SAYS_NO):
        return f"it answered with the alert {met.refusal!r}, which does not say whether it would"
    return met


@question("TLS handshake")
def _shake_hands(host: str, port: int, terms: Terms, clock: Deadline) -> Met:
    return shake_hands(host, port, terms, clock.request())


@question("TLS offer")
def _can_offer(terms: Terms, clock: Deadline) -> bool:  # noqa: ARG001 - the clock has the tape
    return can_offer(terms)
