"""What the ends of applications' logs are made of: JSON or not, and which fields all lines have."""

from runbook.connections.files import READS, Files
from runbook.engine.column import Column
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe
from runbook.formats.json_lines import Sample
from runbook.probes._client_logs import samples

PROBE = Probe(
    connections=("files",),
    help="One row per client whose log the inventory lists: what the lines at its end are made of.",
    columns=(
        Column("client", "string", "Name of the client in the inventory.", key=True),
        Column("lines", "int", "Lines that were looked at.", unit="lines"),
        Column("objects", "int", "Those that are one JSON object each.", unit="lines"),
        Column("always", "list[string]", "Names of the fields that all those have; outer.inner for nested ones."),
        Column("fields", "list[string]", "Names of the fields that any of them has."),
        Column("shared", "list[string]", "Those with a value that another client's log has in a field of that name."),
        Column("others", "int", "Other clients whose logs were looked at.", unit="clients"),
    ),
    requests=READS,
    rights=("read the log files",),
)


def observe(files: Files) -> Observed:
    """Observe the logs of the clients that the inventory lists. No value of a field is told."""
    told, gaps = samples(files)
    rows: list[tuple[object, ...]] = []
    for client, sample in told.items():
        others = [other for name, other in told.items() if name != client]
        shared = sorted(name for name in sample.fields if any(_share(name, sample, other) for other in others))
        rows.append((client, sample.lines, sample.objects, sample.always(), sorted(sample.fields), shared, len(others)))
    return Observed(rows=rows, gaps=list(gaps))


def _share(name: str, one: Sample, other: Sample) -> bool:
    return name in other.fields and not one.fields[name].values.isdisjoint(other.fields[name].values)
