"""What the garbage collection log of each client's JVM says, in numbers."""

from typing import TYPE_CHECKING, Annotated, ClassVar

from msgspec.structs import asdict

from runbook.answers.files import READS
from runbook.model.fact import Gap, Observed
from runbook.model.parameter import Parameter
from runbook.model.probe import Probe
from runbook.model.row import Cell
from runbook.probes._gc_logs import client_logs, keys
from runbook.probes._gc_summary import GcNumbers, numbers_of, sum_up

if TYPE_CHECKING:
    from runbook.connections.files import Files


class ClientGcLog(GcNumbers):
    """The log of a client's JVM."""

    own_first: ClassVar[bool] = True
    client: Annotated[str, Cell("Name of the client in the inventory.", key=True)]


PROBE = Probe(
    connections=("files",),
    help="One row per client whose garbage collection log the inventory lists: the log over a window, in numbers.",
    row=ClientGcLog,
    requests=READS,
    rights=("read the log files",),
    parameters={"window": Parameter(type="string", default="24h", help="how far to look back")},
)


def observe(files: "Files", window: str = "24h") -> Observed:
    """Observe the log of every client; a gap where it does not reach back to where the window begins."""
    read_logs, gaps = client_logs(files, window, sum_up)
    rows: list[ClientGcLog] = []
    for log, found in ((read_log.log, read_log.found) for read_log in read_logs):
        if log is not None:
            rows.append(ClientGcLog(client=log.client, **asdict(numbers_of(log.path, found))))
            gaps += [Gap(reason, keys(log)) for reason in found.lacks] if found else []
    return Observed(rows=rows, gaps=gaps)
