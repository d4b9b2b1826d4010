"""What the fields of applications' logs hold: numbers or not, and how many different values."""

from runbook.connections.files import READS, Files
from runbook.engine.column import Column
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe
from runbook.formats.json_lines import MOST_VALUES
from runbook.probes._client_logs import samples

PROBE = Probe(
    connections=("files",),
    help="One row per client whose log the inventory lists and field of the JSON lines at its end.",
    columns=(
        Column("client", "string", "Name of the client in the inventory.", key=True),
        Column("field", "string", "Name of the field; outer.inner for one within another.", key=True),
        Column("lines", "int", "Lines that have it.", unit="lines"),
        Column("numbers", "int", "Those in which it is a number.", unit="lines"),
        Column("distinct", "int", f"Different values it has; {MOST_VALUES} stands for more too.", unit="values"),
    ),
    requests=READS,
    rights=("read the log files",),
)


def observe(files: Files) -> Observed:
    """Observe the fields in the logs of the clients that the inventory lists. No value of a field is told."""
    told, gaps = samples(files)
    rows = [
        (client, name, seen.lines, seen.numbers, len(seen.values))
        for client, sample in told.items()
        for name, seen in sorted(sample.fields.items())
    ]
    return Observed(rows=rows, gaps=list(gaps))
