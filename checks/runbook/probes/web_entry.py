"""Who is served: every address over HTTP that the inventory names, tried as somebody without credentials."""

from typing import TYPE_CHECKING, Annotated

from runbook.answers.tls import WEB_REQUEST
from runbook.model.errors import CannotLook
from runbook.model.fact import Gap, Observed
from runbook.model.probe import Probe
from runbook.model.row import Cell, Row

if TYPE_CHECKING:
    from runbook.connections.tls import Outside


class WebEntry(Row):
    """An address over HTTP, as somebody without credentials meets it."""

    address: Annotated[str, Cell("What was asked for, without credentials.", key=True, entity="endpoint")]
    connection: Annotated[str, Cell("Whose address it is: jolokia, prometheus, schema_registry or connect.")]
    owner: Annotated[
        str,
        Cell("Node id, application or worker; empty for a server of metrics and a registry.", entity="server"),
    ]
    encrypted: Annotated[bool, Cell("Whether it is asked over TLS.")]
    status: Annotated[int, Cell("HTTP status of the answer.")]
    served: Annotated[bool, Cell("Whether it serves anybody: a status of 200 to 299.")]


PROBE = Probe(
    connections=("tls",),
    help="One row per address over HTTP in the same environment: what anybody gets who asks.",
    row=WebEntry,
    requests=(WEB_REQUEST,),
    rights=("a route to the port",),
    proof="active",
)

_OK = range(200, 300)
_REFUSED = (401, 403)


def observe(outside: "Outside") -> Observed:
    """Ask each address once."""
    rows, gaps = [], []
    statuses = outside.web_statuses()
    for connection, owner, address, status in statuses:
        if isinstance(status, CannotLook):
            gaps.append(Gap.of(status, {"endpoint": address}, f"{connection} at {address} {status}"))
            continue
        if status not in _OK and status not in _REFUSED:
            reason = f"{connection} at {address} answered with HTTP {status}, which neither serves nor refuses"
            gaps.append(Gap(reason, {"endpoint": address}))
            continue
        rows.append(
            WebEntry(
                address=address,
                connection=connection,
                owner=owner,
                encrypted=address.startswith("https://"),
                status=status,
                served=status in _OK,
            )
        )
    inapplicable = "" if statuses else "the inventory names no address over HTTP"
    return Observed(rows=rows, gaps=gaps, inapplicable=inapplicable)
