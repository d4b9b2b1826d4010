"""The index files of each broker, over all of its log directories: the kernel limits maps for the process."""

from collections import defaultdict
from typing import Annotated, Any

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

_TAKEN = ("host", "broker", "path", "indexes", "time_indexes")


class IndexFile(Row):
    """A broker."""

    host: Annotated[str, Cell("Name of the host in the inventory.", key=True, entity="host")]
    broker: Annotated[BrokerId | None, Cell("Node id; unknown if it can't be read.", key=True)]
    directories: Annotated[int, Cell("Its log directories that are seen.", unit="directories")]
    indexes: Annotated[int | None, Cell("Offset indexes in all of them.", unit="files")]
    time_indexes: Annotated[int | None, Cell("Time indexes in all of them.", unit="files")]


VIEW = View(
    help="One row per broker of a host: the index files in all of its log directories.",
    row=IndexFile,
    inputs={"directory": Input("host_log_dir", columns=_TAKEN)},
)


def compute(*, directory: Fact) -> Observed:
    """Sum them from host_log_dir."""
    found: dict[tuple[str, BrokerId | None], list[dict[str, Any]]] = defaultdict(list)
    for row in directory.rows(*_TAKEN):
        found[row["host"], row["broker"]].append(row)
    return Observed(
        [
            IndexFile(
                host=host,
                broker=broker,
                directories=len(rows),
                indexes=_sum(rows, "indexes"),
                time_indexes=_sum(rows, "time_indexes"),
            )
            for (host, broker), rows in found.items()
        ]
    )


def _sum(rows: list[dict[str, Any]], column: str) -> int | None:
    counts = [row[column] for row in rows]
    return None if None in counts else sum(counts)
