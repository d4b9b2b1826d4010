"""Which connectors of a flow somebody has halted, and whether the cluster that it copies from is dark meanwhile."""

from typing import Annotated, Any

from runbook.model.fact import Fact, Observed
from runbook.model.parameter import Parameter
from runbook.model.reach import silent
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

_HALTED = ("PAUSED", "STOPPED")
_TASKS = ("tasks", "tasks_running", "tasks_failed")
_KINDS = (
    "source",
    "checkpoint",
    "heartbeat",
)  # for want of what copies records, records are lost: it comes first


class HaltedFlow(Row):
    """The flow from the cluster of an alias; what is said of its connectors is unknown if one may stand or not."""

    alias: Annotated[str, Cell("The alias that was asked for.", key=True)]
    halted: Annotated[bool | None, Cell("Whether any of its connectors is paused or stopped.")]
    connectors: Annotated[list[str] | None, Cell("Those that are, what copies records first.", entity="connector")]
    states: Annotated[list[str] | None, Cell("What each of them is: PAUSED or STOPPED.")]
    copies: Annotated[list[str] | None, Cell("Those of them that copy records.", entity="connector")]
    translates: Annotated[
        list[str] | None, Cell("Those of them that translate positions of groups.", entity="connector")
    ]
    tasks: Annotated[int | None, Cell("Tasks that they have.", unit="tasks")]
    tasks_running: Annotated[int | None, Cell("Those of these that run.", unit="tasks")]
    tasks_failed: Annotated[int | None, Cell("Those of these that failed.", unit="tasks")]
    dark: Annotated[bool, Cell("Whether no broker of the cluster that it copies from answers, for certain.")]


VIEW = View(
    help="One row: connectors of Connect that copy from the cluster of an alias, or write heartbeats there, and stand.",
    row=HaltedFlow,
    inputs={
        "connector": Input(
            "mirror_connector",
            columns=(
                "connector",
                "file",
                "kind",
                "source",
                "target",
                "enabled",
                "state",
                "tasks",
                "tasks_running",
                "tasks_failed",
            ),
            at="target",
        ),
        "source": Input("kafka_cluster", columns=("cluster_id",), at="source", tells=True),
    },
    parameters={"alias": Parameter("string", "", help="alias of the cluster that is copied")},
)


def compute(*, connector: Fact, source: Fact, alias: str = "") -> Observed:
    """Work it out from mirror_connector, and kafka_cluster of the cluster that is copied."""
    halted = [_halted(row, alias) for row in connector.rows()]
    dark = silent(source) is True
    gaps = list(connector.gaps)
    if None in halted:
        unknown = dict.fromkeys(("halted", "connectors", "states", "copies", "translates", *_TASKS))
        return Observed(rows=[HaltedFlow(alias=alias, dark=dark, **unknown)], gaps=gaps)
    mine = [row for row, stands in zip(connector.rows(), halted, strict=True) if stands]
    mine.sort(key=lambda row: (_KINDS.index(row["kind"]), row["connector"]))
    told = HaltedFlow(
        alias=alias,
        halted=bool(mine),
        connectors=[row["connector"] for row in mine],
        states=[row["state"] for row in mine],
        copies=[row["connector"] for row in mine if row["kind"] == "source"],
        translates=[row["connector"] for row in mine if row["kind"] == "checkpoint"],
        dark=dark,
        **{name: _sum(mine, name) for name in _TASKS},
    )
    return Observed(rows=[told], gaps=gaps)


def _halted(row: dict[str, Any], alias: str) -> bool | None:
    """Whether somebody has halted a connector of this flow; one from a file knows no such thing."""
    copies = None if row["source"] is None else row["source"] == alias
    writes = None if row["target"] is None else row["target"] == alias
    if not copies:
        heartbeat = None if row["kind"] is None else row["kind"] == "heartbeat"
        beats = _all_of(heartbeat, writes)
        copies = beats if copies is False or beats else None
    kind = None if row["kind"] is None else row["kind"] in _KINDS
    stands = None if row["state"] is None else row["state"] in _HALTED
    return _all_of(row["file"] == "", row["enabled"], copies, stands, kind)


def _all_of(*known: bool | None) -> bool | None:
    return False if False in known else None if None in known else True


def _sum(rows: list[dict[str, Any]], name: str) -> int | None:
    counts = [row[name] for row in rows]
    return None if None in counts else sum(counts)
