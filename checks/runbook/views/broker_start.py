"""Whether Kafka would start with the listeners and mechanisms that each broker's file names."""

from typing import Annotated

from runbook.formats.broker_start import refusals, unreadable
from runbook.model.fact import Fact, Gap, Observed
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class BrokerStart(Row):
    """A broker or controller whose properties file was read."""

    host: Annotated[str, Cell("Name of the host in the inventory.", key=True, entity="host")]
    pid: Annotated[int, Cell("Process id.", key=True)]
    broker: Annotated[BrokerId | None, Cell("Node id; unknown if it can't be read.")]
    file: Annotated[str, Cell("Its properties file.")]
    refused: Annotated[list[str] | None, Cell("Why Kafka would not start with it; unknown where a reference decides.")]


VIEW = View(
    help="One row per broker or controller whose properties file was read.",
    row=BrokerStart,
    inputs={
        "file": Input("host_broker_file", columns=("host", "pid", "broker", "file", "settings")),
    },
)


def compute(*, file: Fact) -> Observed:
    """Work it out from host_broker_file; what stands elsewhere, or goes on over lines, leaves it open."""
    rows = []
    gaps = []
    for row in file.rows():
        settings = row["settings"]
        if settings is not None and (elsewhere := unreadable(settings)):
            said = f"{row['file']} of {row['host']} leaves {', '.join(elsewhere)} to a reference or to further lines"
            gaps.append(Gap(said, {"host": row["host"], "pid": row["pid"]}))
            continue
        rows.append(
            BrokerStart(
                host=row["host"],
                pid=row["pid"],
                broker=row["broker"],
                file=row["file"],
                refused=None if settings is None else refusals(settings),
            )
        )
    return Observed(rows=rows, gaps=gaps)
