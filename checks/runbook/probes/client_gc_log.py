"""What the garbage collection log of each client's JVM says, in numbers."""

from typing import Any

from runbook.connections.files import READS, Files
from runbook.engine.column import Column
from runbook.engine.fact import Gap, Observed
from runbook.engine.parameter import Parameter
from runbook.engine.probe import Probe
from runbook.probes._gc_logs import client_logs, keys
from runbook.probes._gc_summary import COLUMNS, cells_of, sum_up

PROBE = Probe(
    connections=("files",),
    help="One row per client whose garbage collection log the inventory lists: the log over a window, in numbers.",
    columns=(Column("client", "string", "Name of the client in the inventory.", key=True), *COLUMNS),
    requests=READS,
    rights=("read the log files",),
    parameters={"window": Parameter(type="string", default="24h", help="how far to look back")},
)


def observe(files: Files, window: str = "24h") -> Observed:
    """Observe the log of every client; a gap where it does not reach back to where the window begins."""
    told, gaps = client_logs(files, window, sum_up)
    rows: list[tuple[Any, ...]] = []
    for log, found in ((one.log, one.found) for one in told):
        if log is not None:
            rows.append((log.client, *cells_of(log.path, found)))
            gaps += [Gap(reason, keys(log)) for reason in found.lacks] if found else []
    return Observed(rows=rows, gaps=gaps)
