"""What each endpoint offers to whoever connects: versions of TLS, ciphers, and whether it wants a certificate."""

from typing import TYPE_CHECKING, Annotated

from runbook.answers.tls import HANDSHAKE, OfferedTls
from runbook.model.errors import Garbled
from runbook.model.fact import Gap, Observed
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.tls import Outside


class TlsEndpoint(Row):
    """An endpoint that speaks TLS."""

    endpoint: Annotated[str, Cell("host:port, as it is given or advertised.", key=True, entity="endpoint")]
    broker: Annotated[BrokerId, Cell("Whose it is; -1 where that is not known, or it is no broker's.")]
    listener: Annotated[str, Cell("Its name there; empty if it is none of these.", entity="listener")]
    origins: Annotated[list[str], Cell("How it is known: advertised, bootstrap, controller, inventory, jolokia…")]
    protocols: Annotated[list[str], Cell("Versions that it accepts, of TLSv1, TLSv1.1, TLSv1.2 and TLSv1.3.")]
    refused: Annotated[list[str], Cell("Versions that it says it does not accept.")]
    cipher: Annotated[str, Cell("What it agrees to in the newest version, in OpenSSL's words.")]
    weak_ciphers: Annotated[list[str], Cell("Ciphers it accepts that encrypt or prove nothing, or keep no secrecy.")]
    client_certificate: Annotated[str | None, Cell("Whether it wants one of a client: none, requested or required.")]
    shown: Annotated[int, Cell("Certificates that it shows.", unit="certificates")]
    trusted: Annotated[
        bool | None, Cell("Whether they lead to an authority that clients trust; expiry is left out here.")
    ]
    distrust: Annotated[str | None, Cell("Why they do not; empty if they do.")]


PROBE = Probe(
    connections=("tls",),
    help="One row per endpoint that speaks TLS: listeners of brokers and controllers, and what the inventory names.",
    row=TlsEndpoint,
    requests=(HANDSHAKE,),
    rights=("a route to the port; to learn the listeners: DescribeConfigs on the cluster",),
)


def observe(outside: "Outside") -> Observed:
    """Observe every endpoint."""
    seen, gaps = outside.looks()
    gaps = list(gaps)
    rows = []
    for endpoint, look in seen:
        trusted, distrust = None, None
        try:
            trusted, distrust = outside.trust(look)
        except Garbled as error:
            gaps.append(Gap.of(error, {"endpoint": endpoint.address}, f"{endpoint.label} {error}"))
        rows.append(
            TlsEndpoint(
                endpoint=endpoint.address,
                broker=endpoint.broker,
                listener=endpoint.listener,
                origins=list(endpoint.origins),
                protocols=list(look.protocols),
                refused=list(look.refused),
                cipher=look.cipher,
                weak_ciphers=[f"{cipher} ({kind})" for kind, cipher in look.weak.items()],
                client_certificate=_wants(look),
                shown=len(look.chain),
                trusted=trusted,
                distrust=distrust,
            )
        )
    return Observed(rows=rows, gaps=gaps)


def _wants(look: OfferedTls) -> str | None:
    if look.demands_certificate is None:
        return None
    if look.demands_certificate:
        return "required"
    return "requested" if look.asks_certificate else "none"
