"""A probe keyed by broker and path, of which several rows are about one broker; and without anything else."""

from typing import Any

from runbook.engine.column import Column
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe

PROBE = Probe(
    connections=("fake",),
    help="One row per broker and path.",
    columns=(
        Column("broker", "int", "Node id.", key=True, entity="broker"),
        Column("path", "string", "Where the log is.", key=True, entity="log_dir"),
        Column("size", "int", "How large it is.", unit="bytes"),
    ),
    requests=("Nothing",),
    rights=("None",),
)


def observe(_: Any) -> Observed:
    """Give two logs of one broker."""
    return Observed([(1, "/a", 1), (1, "/b", 2)])
