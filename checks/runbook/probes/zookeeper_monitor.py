"""What each ZooKeeper server measures of itself."""

import math
from collections.abc import Mapping
from typing import Annotated, Any

from runbook.answers.zookeeper import MONITOR, reads, right
from runbook.formats.zookeeper import Ensemble
from runbook.model.fact import Observed
from runbook.model.probe import Probe
from runbook.model.quantity import Bytes, Milliseconds
from runbook.model.row import Cell, Row


class ZookeeperMonitor(Row):
    """What a server measures."""

    server: Annotated[str, Cell("Name in the inventory.", key=True, entity="server")]
    state: Annotated[str, Cell("leader, follower, observer or standalone.")]
    watches: Annotated[int | None, Cell("Watches that clients have set.", unit="watches", moves=True)]
    ephemerals: Annotated[
        int | None, Cell("Nodes that end with a session, as brokers' registrations do.", unit="znodes", moves=True)
    ]
    data_size: Annotated[Bytes | None, Cell("All it holds, about.", moves=True)]
    open_files: Annotated[int | None, Cell("Open file descriptors.", unit="files", moves=True)]
    max_files: Annotated[int | None, Cell("How many it may open.", unit="files")]
    uptime: Annotated[Milliseconds | None, Cell("Since it started to serve.", moves=True)]
    quorum_size: Annotated[int | None, Cell("Members with a vote.", unit="servers")]
    synced_followers: Annotated[int | None, Cell("Followers that keep up; only the leader knows.", unit="servers")]
    pending_syncs: Annotated[
        int | None,
        Cell("Reads that wait until a follower has caught up; only the leader.", unit="requests", moves=True),
    ]
    avg_fsync: Annotated[
        float | None, Cell("Mean of all writes of the transaction log to disk.", unit="ms", moves=True)
    ]


PROBE = Probe(
    connections=("zookeeper",),
    help="One row per server that serves.",
    row=ZookeeperMonitor,
    requests=reads(MONITOR),
    rights=(right(MONITOR),),
)


def observe(zookeeper: Ensemble) -> Observed:
    """Observe what servers measure; what a release or a state does not have is None."""
    by_server, gaps = zookeeper.monitors()
    return Observed(rows=[_row(server, metrics) for server, metrics in by_server.items()], gaps=list(gaps))


def _row(server: str, metrics: Mapping[str, Any]) -> ZookeeperMonitor:
    size, uptime = _whole(metrics, "approximate_data_size"), _whole(metrics, "uptime")
    return ZookeeperMonitor(
        server=server,
        state=str(metrics["server_state"]),
        watches=_whole(metrics, "watch_count"),
        ephemerals=_whole(metrics, "ephemerals_count"),
        data_size=None if size is None else Bytes(size),
        open_files=_whole(metrics, "open_file_descriptor_count"),
        max_files=_whole(metrics, "max_file_descriptor_count"),
        uptime=None if uptime is None else Milliseconds(uptime),
        quorum_size=_whole(metrics, "quorum_size"),
        synced_followers=_whole(metrics, "synced_followers"),
        pending_syncs=_whole(metrics, "pending_syncs"),
        avg_fsync=_number(metrics.get("avg_fsynctime")),
    )


def _whole(metrics: Mapping[str, Any], name: str) -> int | None:
    count = _number(metrics.get(name))
    return None if count is None else int(count)


def _number(value: Any) -> float | None:
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) else None
