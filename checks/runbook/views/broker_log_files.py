"""The log files that each broker has, taken together."""

import posixpath
from collections import defaultdict
from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class BrokerLogFiles(Row):
    """A broker with log files."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    host: Annotated[str, Cell("Host it runs on.", key=True, entity="host")]
    names: Annotated[list[str], Cell("Names of its log files, without their folder.")]
    quiet_days: Annotated[float, Cell("Since any of them was written to.", unit="days")]


VIEW = View(
    help="One row per broker with log files.",
    row=BrokerLogFiles,
    inputs={
        "file": Input("host_log_file", columns=("host", "broker", "path", "age_days"), needs=("path", "age_days")),
    },
    version=2,
)


def compute(*, file: Fact) -> Observed:
    """Gather the rows of host_log_file by broker."""
    files: dict[tuple[BrokerId, str], list[tuple[str, float]]] = defaultdict(list)
    for row in file.rows():
        files[row["broker"], row["host"]].append((posixpath.basename(row["path"]), row["age_days"]))
    return Observed(
        rows=[
            BrokerLogFiles(
                broker=broker, host=host, names=sorted(name for name, _ in its), quiet_days=min(age for _, age in its)
            )
            for (broker, host), its in sorted(files.items(), key=str)
        ]
    )
