"""What the fields of applications' logs hold: numbers or not, and how many different values."""

from typing import TYPE_CHECKING, Annotated

from runbook.answers.files import READS
from runbook.formats.json_lines import MOST_VALUES
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.row import Cell, Row
from runbook.probes._client_logs import samples

if TYPE_CHECKING:
    from runbook.connections.files import Files


class ClientLogField(Row):
    """A field of a client's log."""

    client: Annotated[str, Cell("Name of the client in the inventory.", key=True)]
    field: Annotated[str, Cell("Name of the field; outer.inner for one within another.", key=True, moves=True)]
    lines: Annotated[int, Cell("Lines that have it.", unit="lines", moves=True)]
    numbers: Annotated[int, Cell("Those in which it is a number.", unit="lines", moves=True)]
    distinct: Annotated[
        int, Cell(f"Different values it has; {MOST_VALUES} stands for more too.", unit="values", moves=True)
    ]


PROBE = Probe(
    connections=("files",),
    help="One row per client whose log the inventory lists and field of the JSON lines at its end.",
    row=ClientLogField,
    requests=READS,
    rights=("read the log files",),
)


def observe(files: "Files") -> Observed:
    """Observe the fields in the logs of the clients that the inventory lists. No value of a field is told."""
    by_client, gaps = samples(files)
    rows = [
        ClientLogField(client=client, field=name, lines=seen.lines, numbers=seen.numbers, distinct=len(seen.values))
        for client, sample in by_client.items()
        for name, seen in sorted(sample.fields.items())
    ]
    return Observed(rows=rows, gaps=list(gaps))
