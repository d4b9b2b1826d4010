"""How old the newest heartbeat is that came through each flow of a mirror, and whether the flow itself runs."""

from typing import Annotated, Any

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import Moment
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

_NAME = "heartbeats"


class MirrorPulse(Row):
    """A topic of heartbeats that was mirrored."""

    topic: Annotated[str, Cell("The topic, as it is called here.", key=True, entity="topic")]
    alias: Annotated[str, Cell("Alias of the cluster that it comes from.")]
    connectors: Annotated[list[str], Cell("Connectors that copy from there.", entity="connector")]
    running: Annotated[bool | None, Cell("Whether all of these run, and all of their tasks.")]
    written: Annotated[
        bool | None, Cell("Whether a connector here runs that writes heartbeats there; unknown if none is known here.")
    ]
    writers: Annotated[list[str], Cell("Connectors here that write heartbeats there.", entity="connector")]
    newest: Annotated[Moment | None, Cell("Time of the newest heartbeat that came through.")]


VIEW = View(
    help="One row per topic of heartbeats that a flow copies here.",
    row=MirrorPulse,
    version=2,
    inputs={
        "connector": Input(
            "mirror_connector",
            columns=(
                "connector",
                "kind",
                "source",
                "target",
                "enabled",
                "policy",
                "separator",
                "state",
                "tasks",
                "tasks_running",
            ),
            needs=("kind", "source", "target", "enabled", "separator"),
            at="target",
        ),
        "heartbeat": Input("kafka_partition_offset", columns=("topic", "newest"), at="target"),
    },
)


def compute(*, connector: Fact, heartbeat: Fact) -> Observed:
    """Pair mirror_connector with kafka_partition_offset of the topics for heartbeats.

    A name that no alias begins is of no flow that could be told from others; there is no row for it.
    """
    flows = [row for row in connector.rows() if row["enabled"] is not False]
    newest = {row["topic"]: row["newest"] for row in heartbeat.rows("topic", "newest")}
    rows = []
    for topic in sorted(newest):
        copies = [
            row for row in flows if row["kind"] == "source" and topic == f"{row['source']}{row['separator']}{_NAME}"
        ]
        if not copies:
            continue
        alias = copies[0]["source"]
        writers = [row for row in flows if row["kind"] == "heartbeat" and row["target"] == alias]
        rows.append(
            MirrorPulse(
                topic=topic,
                alias=alias,
                connectors=sorted(row["connector"] for row in copies),
                running=_all_run(copies),
                written=_all_run(writers) if writers else None,
                writers=sorted(row["connector"] for row in writers),
                newest=newest[topic],
            )
        )
    return Observed(rows=rows, gaps=[*connector.gaps, *heartbeat.gaps])


def _all_run(flows: list[dict[str, Any]]) -> bool | None:
    runs = [_runs(row) for row in flows]
    return False if False in runs else None if None in runs else True


def _runs(row: dict[str, Any]) -> bool | None:
    if None in (row["state"], row["tasks"], row["tasks_running"]):
        return None
    return bool(row["state"] == "RUNNING" and 0 < row["tasks"] == row["tasks_running"])
