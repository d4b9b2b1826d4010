"""What each endpoint offers to whoever connects: versions of TLS, ciphers, and whether it wants a certificate."""

from runbook.connections.tls import HANDSHAKE, Outside
from runbook.connections.tls.chain import load, whole_chain
from runbook.connections.tls.look import Look
from runbook.engine.column import Column
from runbook.engine.errors import Garbled
from runbook.engine.fact import Gap, Observed
from runbook.engine.probe import Probe

PROBE = Probe(
    connections=("tls",),
    help="One row per endpoint that speaks TLS: listeners of brokers and controllers, and what the inventory names.",
    columns=(
        Column("endpoint", "string", "host:port, as it is given or advertised.", key=True, entity="endpoint"),
        Column("broker", "int", "Whose it is; -1 where that is not known, or it is no broker's.", entity="broker"),
        Column("listener", "string", "Its name there; empty likewise.", entity="listener"),
        Column("origins", "list[string]", "How it is known: advertised, bootstrap, controller, inventory, jolokia…"),
        Column("protocols", "list[string]", "Versions that it accepts, of TLSv1, TLSv1.1, TLSv1.2 and TLSv1.3."),
        Column("refused", "list[string]", "Versions that it says it does not accept."),
        Column("cipher", "string", "What it agrees to in the newest version, in OpenSSL's words."),
        Column("weak_ciphers", "list[string]", "Ciphers it accepts that encrypt or prove nothing, or keep no secrecy."),
        Column("client_certificate", "string", "Whether it wants one of a client: none, requested or required."),
        Column("shown", "int", "Certificates that it shows.", unit="certificates"),
        Column("trusted", "bool", "Whether they lead to an authority that clients trust; expiry is left out here."),
        Column("distrust", "string", "Why they do not; empty if they do."),
    ),
    requests=(HANDSHAKE,),
    rights=("a route to the port; to learn the listeners: DescribeConfigs on the cluster",),
)


def observe(outside: Outside) -> Observed:
    """Observe every endpoint."""
    seen, gaps = outside.looks()
    gaps = list(gaps)
    rows = []
    for endpoint, look in seen:
        trusted, distrust = None, None
        if outside.authorities is not None and look.chain:
            try:
                whole, distrust = whole_chain(load(look.chain), outside.authorities)
                trusted = bool(whole)
            except Garbled as error:
                gaps.append(Gap(f"{endpoint.label} {error}", {"endpoint": endpoint.address}))
        rows.append(
            (
                endpoint.address,
                endpoint.broker,
                endpoint.listener,
                list(endpoint.origins),
                list(look.protocols),
                list(look.refused),
                look.cipher,
                [f"{cipher} ({kind})" for kind, cipher in look.weak.items()],
                _wants(look),
                len(look.chain),
                trusted,
                distrust,
            )
        )
    return Observed(rows=rows, gaps=gaps)


def _wants(look: Look) -> str | None:
    if look.demands_certificate is None:
        return None
    if look.demands_certificate:
        return "required"
    return "requested" if look.asks_certificate else "none"
