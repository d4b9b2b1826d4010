"""Who is served: every address over HTTP that the inventory names, tried as somebody without credentials."""

from runbook.connections.tls import WEB_REQUEST, Outside
from runbook.engine.column import Column
from runbook.engine.errors import CannotLook
from runbook.engine.fact import Gap, Observed
from runbook.engine.probe import Probe

PROBE = Probe(
    connections=("tls",),
    help="One row per address over HTTP in the same environment: what anybody gets who asks.",
    columns=(
        Column("address", "string", "What was asked for, without credentials.", key=True, entity="endpoint"),
        Column("connection", "string", "Whose address it is: jolokia, prometheus, schema_registry or connect."),
        Column(
            "owner",
            "string",
            "Node id, application or worker; empty for a server of metrics and a registry.",
            entity="server",
        ),
        Column("encrypted", "bool", "Whether it is asked over TLS."),
        Column("status", "int", "HTTP status of the answer."),
        Column("served", "bool", "Whether it serves anybody: a status of 200 to 299."),
    ),
    requests=(WEB_REQUEST,),
    rights=("a route to the port",),
    proof="active",
)

_OK = range(200, 300)
_REFUSED = (401, 403)


def observe(outside: Outside) -> Observed:
    """Ask each address once."""
    rows, gaps = [], []
    told = outside.web_statuses()
    for connection, owner, address, status in told:
        if isinstance(status, CannotLook):
            gaps.append(Gap(f"{connection} at {address} {status}", {"endpoint": address}))
            continue
        if status not in _OK and status not in _REFUSED:
            reason = f"{connection} at {address} answered with HTTP {status}, which neither serves nor refuses"
            gaps.append(Gap(reason, {"endpoint": address}))
            continue
        rows.append((address, connection, owner, address.startswith("https://"), status, status in _OK))
    inapplicable = "" if told else "the inventory names no address over HTTP"
    return Observed(rows=rows, gaps=gaps, inapplicable=inapplicable)
