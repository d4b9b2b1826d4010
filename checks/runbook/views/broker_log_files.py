"""The log files that each broker has, taken together."""

import posixpath
from collections import defaultdict

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Observed
from runbook.engine.view import View

VIEW = View(
    help="One row per broker with log files.",
    columns=(
        Column("broker", "int", "Node id.", key=True, entity="broker"),
        Column("host", "string", "Host it runs on.", key=True, entity="host"),
        Column("names", "list[string]", "Names of its log files, without their folder."),
        Column("quiet_days", "float", "Since any of them was written to.", unit="days"),
    ),
    of=(("host", "broker", "path", "age_days"),),
    needs=(("path", "age_days"),),
    version=2,
)


def compute(file: Fact, /) -> Observed:
    """Gather the rows of host_log_file by broker."""
    files: dict[tuple[int, str], list[tuple[str, float]]] = defaultdict(list)
    for row in file.rows():
        files[row["broker"], row["host"]].append((posixpath.basename(row["path"]), row["age_days"]))
    return Observed(
        rows=[
            (broker, host, sorted(name for name, _ in its), min(age for _, age in its))
            for (broker, host), its in sorted(files.items(), key=str)
        ]
    )
