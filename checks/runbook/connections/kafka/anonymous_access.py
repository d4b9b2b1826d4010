"""What a listener gives to somebody without credentials: the Kafka protocol over sockets of our own, no client between.

ApiVersions, SaslHandshake, SaslAuthenticate with a made-up user, and Metadata of no topic are all that is sent.
"""

import base64
import secrets
from contextlib import closing

from msgspec import Struct

from runbook.connections.kafka.raw_connection import PASSWORDS, Closed, RawConnection, mechanisms_of
from runbook.model.errors import Garbled
from runbook.model.probe import Deadline
from runbook.recording.question import question

REFUSED, ACCEPTED, NOT_TRIED = "refused", "accepted", ""

_AUTHENTICATION_FAILED = 58  # an error code of Kafka's protocol


class AnonymousAccess(Struct, frozen=True):
    """What an outsider met at a listener.

    Attributes:
        plain: whether it answers in plain text.
        anonymous: whether it serves who has neither a login nor a certificate.
        mechanisms: of SASL, that it offers.
        tried: the mechanism by which a made-up user tried to come in, "" if none takes a password.
        wrong_login: what became of that: refused, accepted, or "" if it was not tried.
    """

    plain: bool
    anonymous: bool
    mechanisms: tuple[str, ...]
    tried: str
    wrong_login: str


@question("stranger")
def try_anonymous(host: str, port: int, clock: Deadline) -> AnonymousAccess:
    """Try a listener in every way that must fail where it is guarded.

    Raises:
        CannotLook: it can't be reached, or does not speak Kafka's protocol either in plain text or in TLS.
    """
    plain = _answers(host, port, clock, plain=True)
    if not plain and not _answers(host, port, clock, plain=False):
        # TLS itself refused us: nobody without a certificate comes further.
        return AnonymousAccess(plain=False, anonymous=False, mechanisms=(), tried=NOT_TRIED, wrong_login=NOT_TRIED)
    mechanisms = mechanisms_of(host, port, clock, plain=plain)
    # Who is told that there is no login needs none, also where metadata is not to be had, as of a controller.
    anonymous = not mechanisms or _metadata(host, port, clock, plain=plain)
    tried = next((password for password in PASSWORDS if password in mechanisms), "")
    wrong = _wrong_login(host, port, clock, tried, plain=plain) if tried else NOT_TRIED
    return AnonymousAccess(plain, anonymous, mechanisms, tried, wrong)


def _answers(host: str, port: int, clock: Deadline, *, plain: bool) -> bool:
    """Whether it answers who asks for the versions it knows, which needs no login.

    Raises:
        CannotLook: it can't be reached; in TLS, it does not shake hands.
    """
    from kafka.protocol.metadata import ApiVersionsRequest

    try:
        with closing(RawConnection(host, port, clock, plain=plain)) as talk:
            talk.ask(ApiVersionsRequest[0]())
    except Closed:
        return False
    except Garbled:
        if plain:  # an alert of TLS, which is how it tells that it wants no plain text
            return False
        raise
    return True


def _metadata(host: str, port: int, clock: Deadline, *, plain: bool) -> bool:
    from kafka.protocol.metadata import ApiVersionsRequest, MetadataRequest

    with closing(RawConnection(host, port, clock, plain=plain)) as talk:
        talk.ask(ApiVersionsRequest[0]())
        try:
            talk.ask(MetadataRequest[4](topics=[], allow_auto_topic_creation=False))
        except Closed:
            return False
        return True


def _wrong_login(host: str, port: int, clock: Deadline, mechanism: str, *, plain: bool) -> str:
    """Try to come in as a user that was made up a moment ago, once."""
    user, password, nonce = (f"runbook-probe-{secrets.token_hex(8)}" for _ in range(3))
    first = f"\0{user}\0{password}" if mechanism == "PLAIN" else f"n,,n={user},r={nonce}"
    with closing(RawConnection(host, port, clock, plain=plain)) as talk:
        talk.handshake(mechanism)
        answer = talk.authenticate(first.encode())
        if not answer.error_code and mechanism != "PLAIN":  # it hides who exists: a proof must fail, then
            parts = dict(part.partition("=")[::2] for part in bytes(answer.auth_bytes).decode("latin-1").split(","))
            proof = base64.b64encode(secrets.token_bytes(64 if mechanism.endswith("512") else 32)).decode()
            answer = talk.authenticate(f"c=biws,r={parts.get('r', nonce)},p={proof}".encode())
    if answer.error_code == _AUTHENTICATION_FAILED:
        return REFUSED
    if not answer.error_code:
        return ACCEPTED
    raise Garbled(f"answered a login with the error code {answer.error_code}")
