"""What each ZooKeeper server measures of itself."""

import math
from collections.abc import Mapping
from typing import Any

from runbook.connections.zookeeper.questions import MONITOR, reads, right
from runbook.engine.column import Column
from runbook.engine.fact import Observed
from runbook.engine.probe import Probe
from runbook.formats.zookeeper import Ensemble

_COUNTS = (
    ("watches", "watch_count", "watches", "Watches that clients have set."),
    ("ephemerals", "ephemerals_count", "znodes", "Nodes that end with a session, as brokers' registrations do."),
    ("data_size", "approximate_data_size", "bytes", "All it holds, about."),
    ("open_files", "open_file_descriptor_count", "files", "Open file descriptors."),
    ("max_files", "max_file_descriptor_count", "files", "How many it may open."),
    ("uptime", "uptime", "ms", "Since it started to serve."),
    ("quorum_size", "quorum_size", "servers", "Members with a vote."),
    ("synced_followers", "synced_followers", "servers", "Followers that keep up; only the leader knows."),
    ("pending_syncs", "pending_syncs", "requests", "Reads that wait until a follower has caught up; only the leader."),
)

PROBE = Probe(
    connections=("zookeeper",),
    help="One row per server that serves.",
    columns=(
        Column("server", "string", "Name in the inventory.", key=True, entity="server"),
        Column("state", "string", "leader, follower, observer or standalone."),
        *(Column(name, "int", text, unit=unit) for name, _, unit, text in _COUNTS),
        Column("avg_fsync", "float", "Mean of all writes of the transaction log to disk.", unit="ms"),
    ),
    requests=reads(MONITOR),
    rights=(right(MONITOR),),
)


def observe(zookeeper: Ensemble) -> Observed:
    """Observe what servers measure; what a release or a state does not have is None."""
    told, gaps = zookeeper.monitors()
    return Observed(rows=[_row(server, metrics) for server, metrics in told.items()], gaps=list(gaps))


def _row(server: str, metrics: Mapping[str, Any]) -> tuple[object, ...]:
    counts = [_number(metrics.get(name)) for _, name, *_ in _COUNTS]
    whole = [None if count is None else int(count) for count in counts]
    return (server, str(metrics["server_state"]), *whole, _number(metrics.get("avg_fsynctime")))


def _number(value: Any) -> float | None:
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) else None
