"""Every certificate that clients meet, up to the authority they trust."""

from runbook.connections.tls import HANDSHAKE, Outside
from runbook.connections.tls.chain import described, load, named, whole_chain
from runbook.connections.tls.endpoint import Endpoint
from runbook.connections.tls.look import Look
from runbook.engine.column import Column
from runbook.engine.errors import Garbled
from runbook.engine.fact import Gap, Observed
from runbook.engine.probe import Probe

PROBE = Probe(
    connections=("tls",),
    help="One row per endpoint and certificate: those it shows, and those that complete the chain to an authority.",
    columns=(
        Column("endpoint", "string", "host:port, as it is given or advertised.", key=True, entity="endpoint"),
        Column("position", "int", "0 for the endpoint's own certificate, then its issuers in order.", key=True),
        Column("broker", "int", "Whose it is; -1 where that is not known, or it is no broker's.", entity="broker"),
        Column("listener", "string", "Its name there; empty likewise.", entity="listener"),
        Column("host", "string", "The host of the endpoint, which clients look for among the names.", entity="host"),
        Column("shown", "bool", "Whether the endpoint shows it; else it is one of the authorities that we were given."),
        Column("subject", "string", "Whose it is."),
        Column("issuer", "string", "Who signed it."),
        Column("serial", "string", "Its number, hexadecimal."),
        Column("fingerprint", "string", "SHA-256 of it, hexadecimal."),
        Column("names", "list[string]", "DNS names and addresses it is for."),
        Column("names_match", "bool", "Whether the host is among the names; only position 0 is for a host."),
        Column("key_type", "string", "RSA, EC, Ed25519, Ed448 or DSA."),
        Column("key_bits", "int", "Size of its key; 0 where the type has one size.", unit="bits"),
        Column("signature_hash", "string", "Hash of its signature, such as sha256; else the algorithm's number."),
        Column("not_before", "timestamp", "From when it holds."),
        Column("not_after", "timestamp", "Until when it holds."),
        Column("self_signed", "bool", "Whether its own key signed it, as an authority's root is."),
        Column("authority", "bool", "Whether it may sign others."),
        Column("for_servers", "bool", "Whether its extended key usage, if it has one, allows a server."),
        Column("ocsp", "list[string]", "Where its revocation can be asked for."),
        Column("crl", "list[string]", "Where lists of revoked certificates are."),
    ),
    requests=(HANDSHAKE,),
    rights=("a route to the port; to learn the listeners: DescribeConfigs on the cluster",),
)


def observe(outside: Outside) -> Observed:
    """Observe every certificate of every endpoint."""
    seen, gaps = outside.looks()
    gaps = [*gaps]
    rows: list[tuple[object, ...]] = []
    for endpoint, look in seen:
        try:
            rows += _rows(endpoint, look, outside)
        except Garbled as error:
            gaps.append(Gap(f"{endpoint.label} {error}", {"endpoint": endpoint.address}))
    return Observed(rows=rows, gaps=gaps)


def _rows(endpoint: Endpoint, look: Look, outside: Outside) -> list[tuple[object, ...]]:
    shown = load(look.chain)
    whole = whole_chain(shown, outside.authorities)[0] if shown and outside.authorities else []
    others = [one for one in whole if one not in shown]
    found: list[tuple[object, ...]] = []
    for position, certificate in enumerate([*shown, *others]):
        one = described(certificate)
        found.append(
            (
                endpoint.address,
                position,
                endpoint.broker,
                endpoint.listener,
                endpoint.host,
                position < len(shown),
                one.subject,
                one.issuer,
                one.serial,
                one.fingerprint,
                list(one.names),
                position == 0 and named(endpoint.host, one.names),
                one.key_type,
                one.key_bits,
                one.signature_hash,
                one.not_before,
                one.not_after,
                one.self_signed,
                one.authority,
                one.for_servers,
                list(one.ocsp),
                list(one.crl),
            )
        )
    return found
