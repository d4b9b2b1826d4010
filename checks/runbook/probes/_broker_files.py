"""The properties files of the brokers and controllers of a host."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from runbook.answers.ssh.processes import JavaProcess
from runbook.model.errors import CannotLook
from runbook.model.fact import Gap, Observed
from runbook.model.row import Row

if TYPE_CHECKING:
    from runbook.connections.ssh import Host


def of_broker_files(host: "Host", read: "Callable[[Host, JavaProcess], Iterable[Row]]") -> Observed:
    """The rows that a function reads from the file of each broker and controller.

    What its command line names no file for, or whose file can't be read, is a gap.
    """
    rows: list[Row] = []
    gaps = host.absent_brokers()
    for process in host.processes():
        if process.kind not in ("broker", "controller"):
            continue
        if not process.properties:
            said = f"{host.label}: the command line of process {process.pid} names no properties file by its full path"
            gaps.append(Gap(said, host.keys(process)))
            continue
        try:
            rows += read(host, process)
        except CannotLook as error:
            gaps.append(Gap.of(error, host.keys(process), f"what {process.properties} says: {error}"))
    return Observed(rows=rows, gaps=gaps)
