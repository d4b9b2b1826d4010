"""Whether the ends of applications' logs give credentials or card numbers away: counted, never shown."""

from runbook.connections.files import READS, Files
from runbook.engine.column import Column
from runbook.engine.errors import CannotLook
from runbook.engine.fact import Gap, Observed
from runbook.engine.guard import attempt
from runbook.engine.probe import Probe
from runbook.formats.leaks import KINDS, count

PROBE = Probe(
    connections=("files",),
    help="One row per client whose log the inventory lists: how many lines at its end give a secret away.",
    columns=(
        Column("client", "string", "Name of the client in the inventory.", key=True),
        Column("lines", "int", "Lines that were looked at.", unit="lines"),
        Column("leaking", "int", "Those that hold what looks like a secret.", unit="lines"),
        Column("kinds", "list[string]", f"What it looks like: {', '.join(KINDS)}."),
    ),
    requests=READS,
    rights=("read the log files",),
)


def observe(files: Files) -> Observed:
    """Observe the logs of the clients that the inventory lists; nothing of a line is told."""
    logs, gaps = files.client_logs()
    rows: list[tuple[object, ...]] = []
    for client, read in logs.items():
        found = attempt(lambda read=read: count(read()))  # type: ignore[misc]
        if isinstance(found, CannotLook):
            gaps.append(Gap(f"the log of client {client}: {found}"))
        elif not found[0]:
            gaps.append(Gap(f"the log of client {client} holds no whole line yet"))
        else:
            rows.append((client, *found))
    return Observed(rows=rows, gaps=gaps)
