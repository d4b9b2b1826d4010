"""The folders that brokers keep replicas in, against the replicas that the cluster gives them."""

from collections import defaultdict
from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class ReplicaFolders(Row):
    """A broker whose log directories were seen."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    host: Annotated[str, Cell("Host it runs on.", entity="host")]
    missing: Annotated[
        list[str] | None, Cell("Replicas that it should have and has no folder for, as topic-partition.")
    ]
    surplus: Annotated[list[str] | None, Cell("Folders of replicas that it should not have.")]
    stray: Annotated[list[str] | None, Cell("Folders that it set aside as stray.")]


VIEW = View(
    help="One row per broker whose log directories were seen.",
    row=ReplicaFolders,
    inputs={
        "replica": Input("kafka_replica", columns=("topic", "partition", "broker")),
        "log_dir": Input("host_log_dir", columns=("host", "broker", "partitions", "stray")),
    },
)
_METADATA = "__cluster_metadata-0"  # the log of the KRaft quorum, which no list of topics has


def compute(*, replica: Fact, log_dir: Fact) -> Observed:
    """Compare kafka_replica with host_log_dir.

    A broker whose node id is not known is left out with what it holds: its rows can't be told from others'.
    """
    wanted: dict[int, set[str]] = defaultdict(set)
    for row in replica.rows("topic", "partition", "broker"):
        wanted[row["broker"]].add(f"{row['topic']}-{row['partition']}")
    there: dict[BrokerId, set[str] | None] = {}
    stray: dict[int, list[str]] = defaultdict(list)
    host_of = {}
    for row in log_dir.rows():
        broker = row["broker"]
        if broker is None:
            continue
        host_of[broker] = row["host"]
        before = there.get(broker, set())
        there[broker] = None if before is None or row["partitions"] is None else before | set(row["partitions"])
        stray[broker] += row["stray"] or []
    rows = []
    for broker, folders in sorted(there.items()):
        known = folders is not None
        missing = sorted(wanted[broker] - folders) if folders is not None else None
        surplus = sorted(folders - wanted[broker] - {_METADATA}) if folders is not None else None
        rows.append(
            ReplicaFolders(
                broker=broker,
                host=host_of[broker],
                missing=missing,
                surplus=surplus,
                stray=sorted(stray[broker]) if known else None,
            )
        )
    return Observed(rows=rows)
