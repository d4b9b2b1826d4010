"""What the garbage collection log of each broker's JVM says, in numbers."""

from typing import Any

from runbook.connections.files import READS as FILE_READS
from runbook.connections.files import Files
from runbook.connections.kubernetes import Kubernetes
from runbook.connections.ssh import Hosts
from runbook.engine.column import Column
from runbook.engine.fact import Gap, Observed
from runbook.engine.parameter import Parameter
from runbook.engine.probe import Probe
from runbook.probes._gc_logs import HOST_REQUESTS, POD_REQUESTS, each_log, keys
from runbook.probes._gc_summary import COLUMNS, cells_of, sum_up

PROBE = Probe(
    connections=("ssh", "files", "kubernetes"),
    needs={"kubernetes": "logs"},
    help="One row per broker's JVM: its garbage collection log over a window, in numbers.",
    columns=(
        Column("broker", "int", "Node id.", key=True, entity="broker"),
        Column("host", "string", "Host it runs on; empty for files on this machine.", entity="host"),
        *COLUMNS,
    ),
    requests=(*HOST_REQUESTS, *FILE_READS, *POD_REQUESTS),
    rights=(
        "read the log files: as the user that the brokers run under, or in its group",
        "list pods and get pods/log, where the logs of pods are asked",
    ),
    parameters={"window": Parameter(type="string", default="24h", help="how far to look back")},
)


def observe(connection: Files | Hosts | Kubernetes, window: str = "24h") -> Observed:
    """Observe the log of every broker; a gap where it does not reach back to where the window begins."""
    told, gaps = each_log(connection, window, sum_up)
    rows: list[tuple[Any, ...]] = []
    for log, found in ((one.log, one.found) for one in told):
        if log is not None:
            rows.append((log.broker, log.host, *cells_of(log.path, found)))
            gaps += [Gap(reason, keys(log)) for reason in found.lacks] if found else []
    return Observed(rows=rows, gaps=gaps)
