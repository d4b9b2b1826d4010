"""Every certificate that clients meet, up to the authority they trust."""

from typing import TYPE_CHECKING, Annotated

from runbook.answers.tls import HANDSHAKE, Endpoint, OfferedTls, named
from runbook.model.errors import Garbled
from runbook.model.fact import Gap, Observed
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId, Moment
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.tls import Outside


class TlsCertificate(Row):
    """A certificate of an endpoint's chain."""

    endpoint: Annotated[str, Cell("host:port, as it is given or advertised.", key=True, entity="endpoint")]
    position: Annotated[int, Cell("0 for the endpoint's own certificate, then its issuers in order.", key=True)]
    broker: Annotated[BrokerId, Cell("Whose it is; -1 where that is not known, or it is no broker's.")]
    listener: Annotated[str, Cell("Its name there; empty if it is none of these.", entity="listener")]
    host: Annotated[str, Cell("The host of the endpoint, which clients look for among the names.", entity="host")]
    shown: Annotated[bool, Cell("Whether the endpoint shows it; else it is one of the authorities that we were given.")]
    subject: Annotated[str, Cell("Whose it is.")]
    issuer: Annotated[str, Cell("Who signed it.")]
    serial: Annotated[str, Cell("Its number, hexadecimal.")]
    fingerprint: Annotated[str, Cell("SHA-256 of it, hexadecimal.")]
    names: Annotated[list[str], Cell("DNS names and addresses it is for.")]
    names_match: Annotated[bool, Cell("Whether the host is among the names; only position 0 is for a host.")]
    key_type: Annotated[str, Cell("RSA, EC, Ed25519, Ed448 or DSA.")]
    key_bits: Annotated[int, Cell("Size of its key; 0 where the type has one size.", unit="bits")]
    signature_hash: Annotated[str, Cell("Hash of its signature, such as sha256; else the algorithm's number.")]
    not_before: Annotated[Moment, Cell("From when it holds.")]
    not_after: Annotated[Moment, Cell("Until when it holds.")]
    self_signed: Annotated[bool, Cell("Whether its own key signed it, as an authority's root is.")]
    authority: Annotated[bool, Cell("Whether it may sign others.")]
    for_servers: Annotated[bool, Cell("Whether its extended key usage, if it has one, allows a server.")]
    ocsp: Annotated[list[str], Cell("Where its revocation can be asked for.")]
    crl: Annotated[list[str], Cell("Where lists of revoked certificates are.")]


PROBE = Probe(
    connections=("tls",),
    help="One row per endpoint and certificate: those it shows, and those that complete the chain to an authority.",
    row=TlsCertificate,
    requests=(HANDSHAKE,),
    rights=("a route to the port; to learn the listeners: DescribeConfigs on the cluster",),
)


def observe(outside: "Outside") -> Observed:
    """Observe every certificate of every endpoint."""
    seen, gaps = outside.looks()
    gaps = [*gaps]
    rows: list[TlsCertificate] = []
    for endpoint, look in seen:
        try:
            rows += _rows(endpoint, look, outside)
        except Garbled as error:
            gaps.append(Gap.of(error, {"endpoint": endpoint.address}, f"{endpoint.label} {error}"))
    return Observed(rows=rows, gaps=gaps)


def _rows(endpoint: Endpoint, look: OfferedTls, outside: "Outside") -> list[TlsCertificate]:
    shown, others = outside.certificates(look)
    found: list[TlsCertificate] = []
    for position, one in enumerate([*shown, *others]):
        found.append(
            TlsCertificate(
                endpoint=endpoint.address,
                position=position,
                broker=endpoint.broker,
                listener=endpoint.listener,
                host=endpoint.host,
                shown=position < len(shown),
                subject=one.subject,
                issuer=one.issuer,
                serial=one.serial,
                fingerprint=one.fingerprint,
                names=list(one.names),
                names_match=position == 0 and named(endpoint.host, one.names),
                key_type=one.key_type,
                key_bits=one.key_bits,
                signature_hash=one.signature_hash,
                not_before=one.not_before,
                not_after=one.not_after,
                self_signed=one.self_signed,
                authority=one.authority,
                for_servers=one.for_servers,
                ocsp=list(one.ocsp),
                crl=list(one.crl),
            )
        )
    return found
