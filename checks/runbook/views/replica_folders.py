"""The folders that brokers keep replicas in, against the replicas that the cluster gives them."""

from collections import defaultdict

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Observed
from runbook.engine.view import View

VIEW = View(
    help="One row per broker whose log directories were seen.",
    columns=(
        Column("broker", "int", "Node id.", key=True, entity="broker"),
        Column("host", "string", "Host it runs on.", entity="host"),
        Column("missing", "list[string]", "Replicas that it should have and has no folder for, as topic-partition."),
        Column("surplus", "list[string]", "Folders of replicas that it should not have."),
        Column("stray", "list[string]", "Folders that it set aside as belonging to nobody."),
    ),
    of=(("topic", "partition", "broker"), ("host", "broker", "partitions", "stray")),
)
_METADATA = "__cluster_metadata-0"  # the log of the KRaft quorum, which no list of topics has


def compute(replica: Fact, log_dir: Fact, /) -> Observed:
    """Compare kafka_replica with host_log_dir.

    A broker whose node id is not known is left out with what it holds: its rows can't be told from others'.
    """
    wanted: dict[int, set[str]] = defaultdict(set)
    for topic, number, broker in zip(*(replica.columns[c] for c in ("topic", "partition", "broker")), strict=True):
        wanted[broker].add(f"{topic}-{number}")
    there: dict[int, set[str] | None] = {}
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
        rows.append((broker, host_of[broker], missing, surplus, sorted(stray[broker]) if known else None))
    return Observed(rows=rows)
