"""Whether Kafka would start with the listeners and mechanisms that each broker's file names."""

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Gap, Observed
from runbook.engine.view import View
from runbook.formats.broker_start import refusals, unreadable

VIEW = View(
    help="One row per broker or controller whose properties file was read.",
    columns=(
        Column("host", "string", "Name of the host in the inventory.", key=True, entity="host"),
        Column("pid", "int", "Process id.", key=True),
        Column("broker", "int", "Node id; unknown if it can't be read.", entity="broker"),
        Column("file", "string", "Its properties file."),
        Column("refused", "list[string]", "Why Kafka would not start with it; unknown where a reference decides."),
    ),
    of=(("host", "pid", "broker", "file", "settings"),),
)


def compute(file: Fact, /) -> Observed:
    """Work it out from host_broker_file; what stands elsewhere, or goes on over lines, leaves it open."""
    rows: list[tuple[object, ...]] = []
    gaps = []
    for row in file.rows():
        keys = (row["host"], row["pid"], row["broker"], row["file"])
        if row["settings"] is None:
            rows.append((*keys, None))
        elif elsewhere := unreadable(row["settings"]):
            said = f"{row['file']} of {row['host']} leaves {', '.join(elsewhere)} to a reference or to further lines"
            gaps.append(Gap(said, {"host": row["host"], "pid": row["pid"]}))
        else:
            rows.append((*keys, refusals(row["settings"])))
    return Observed(rows=rows, gaps=gaps)
