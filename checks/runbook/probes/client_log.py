"""What the ends of applications' logs are made of: JSON or not, and which fields all lines have."""

from typing import TYPE_CHECKING, Annotated

from runbook.answers.files import READS
from runbook.formats.json_lines import LogSample
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.row import Cell, Row
from runbook.probes._client_logs import samples

if TYPE_CHECKING:
    from runbook.connections.files import Files


class ClientLog(Row):
    """What the end of a client's log is made of."""

    client: Annotated[str, Cell("Name of the client in the inventory.", key=True)]
    lines: Annotated[int, Cell("Lines that were looked at.", unit="lines", moves=True)]
    objects: Annotated[int, Cell("Those that are one JSON object each.", unit="lines", moves=True)]
    always: Annotated[list[str], Cell("Names of the fields that all those have; outer.inner for nested ones.")]
    fields: Annotated[list[str], Cell("Names of the fields that any of them has.", moves=True)]
    shared: Annotated[
        list[str], Cell("Those with a value that another client's log has in a field of that name.", moves=True)
    ]
    others: Annotated[int, Cell("Other clients whose logs were looked at.", unit="clients")]


PROBE = Probe(
    connections=("files",),
    help="One row per client whose log the inventory lists: what the lines at its end are made of.",
    row=ClientLog,
    requests=READS,
    rights=("read the log files",),
)


def observe(files: "Files") -> Observed:
    """Observe the logs of the clients that the inventory lists. No value of a field is told."""
    by_client, gaps = samples(files)
    rows: list[ClientLog] = []
    for client, sample in by_client.items():
        others = [other for name, other in by_client.items() if name != client]
        shared = sorted(name for name in sample.fields if any(_share(name, sample, other) for other in others))
        rows.append(
            ClientLog(
                client=client,
                lines=sample.lines,
                objects=sample.objects,
                always=sample.always(),
                fields=sorted(sample.fields),
                shared=shared,
                others=len(others),
            )
        )
    return Observed(rows=rows, gaps=list(gaps))


def _share(name: str, one: LogSample, other: LogSample) -> bool:
    return name in other.fields and not one.fields[name].values.isdisjoint(other.fields[name].values)
