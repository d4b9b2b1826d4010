"""Whether the ends of applications' logs give credentials or card numbers away: counted, never shown."""

from typing import TYPE_CHECKING, Annotated

from runbook.answers.files import READS
from runbook.formats.leaks import KINDS, count
from runbook.model.errors import CannotLook
from runbook.model.fact import Gap, Observed
from runbook.model.probe import Probe
from runbook.model.row import Cell, Row
from runbook.plugins.guard import attempt

if TYPE_CHECKING:
    from runbook.connections.files import Files


class ClientLogLeak(Row):
    """The log of a client, searched for secrets."""

    client: Annotated[str, Cell("Name of the client in the inventory.", key=True)]
    lines: Annotated[int, Cell("Lines that were looked at.", unit="lines", moves=True)]
    leaking: Annotated[int, Cell("Those that hold what looks like a secret.", unit="lines", moves=True)]
    kinds: Annotated[list[str], Cell(f"What it looks like: {', '.join(KINDS)}.")]


PROBE = Probe(
    connections=("files",),
    help="One row per client whose log the inventory lists: how many lines at its end give a secret away.",
    row=ClientLogLeak,
    requests=READS,
    rights=("read the log files",),
)


def observe(files: "Files") -> Observed:
    """Observe the logs of the clients that the inventory lists; nothing of a line is told."""
    logs, gaps = files.client_logs()
    rows: list[ClientLogLeak] = []
    for client, read in logs.items():
        found = attempt(lambda read=read: count(read()))  # type: ignore[misc]
        if isinstance(found, CannotLook):
            gaps.append(Gap(f"the log of client {client}: {found}"))
        elif not found.lines:
            gaps.append(Gap(f"the log of client {client} holds no whole line yet"))
        else:
            rows.append(ClientLogLeak(client=client, lines=found.lines, leaking=found.leaking, kinds=found.kinds))
    return Observed(rows=rows, gaps=gaps)
