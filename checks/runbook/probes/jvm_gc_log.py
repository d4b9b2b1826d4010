"""What the garbage collection log of each broker's JVM says, in numbers."""

from typing import TYPE_CHECKING, Annotated, ClassVar

from msgspec.structs import asdict

from runbook.answers.files import READS as FILE_READS
from runbook.model.fact import Gap, Observed
from runbook.model.parameter import Parameter
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell
from runbook.probes._gc_logs import HOST_REQUESTS, POD_REQUESTS, each_log, keys
from runbook.probes._gc_summary import GcNumbers, numbers_of, sum_up

if TYPE_CHECKING:
    from runbook.connections.files import Files
    from runbook.connections.kubernetes import Kubernetes
    from runbook.connections.ssh import Hosts


class JvmGcLog(GcNumbers):
    """The log of a broker's JVM."""

    own_first: ClassVar[bool] = True
    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    host: Annotated[str, Cell("Host it runs on; empty for files on this machine.", entity="host")]


PROBE = Probe(
    connections=("ssh", "files", "kubernetes"),
    needs={"kubernetes": "logs"},
    help="One row per broker's JVM: its garbage collection log over a window, in numbers.",
    row=JvmGcLog,
    requests=(*HOST_REQUESTS, *FILE_READS, *POD_REQUESTS),
    rights=(
        "read the log files: as the user that the brokers run under, or in its group",
        "list pods and get pods/log, where the logs of pods are asked",
    ),
    parameters={"window": Parameter(type="string", default="24h", help="how far to look back")},
)


def observe(connection: "Files | Hosts | Kubernetes", window: str = "24h") -> Observed:
    """Observe the log of every broker; a gap where it does not reach back to where the window begins."""
    read_logs, gaps = each_log(connection, window, sum_up)
    rows: list[JvmGcLog] = []
    for log, found in ((read_log.log, read_log.found) for read_log in read_logs):
        if log is not None:
            assert log.broker is not None  # these are the brokers' logs
            rows.append(JvmGcLog(broker=log.broker, host=log.host, **asdict(numbers_of(log.path, found))))
            gaps += [Gap(reason, keys(log)) for reason in found.lacks] if found else []
    return Observed(rows=rows, gaps=gaps)
