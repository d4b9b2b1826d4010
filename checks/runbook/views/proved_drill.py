"""Drills by what they prove: of one whose loss the tool itself did not see, nothing follows, and why is a gap."""

from collections.abc import Iterator
from typing import Annotated, Any

from runbook.model.fact import Fact, Gap, Observed
from runbook.model.parameter import Parameter
from runbook.model.quantity import Moment
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.procedure.loss_seen import NOT_SEEN, SEEN, cluster_in


class ProvedDrill(Row):
    """A drill of the probe drill."""

    procedure: Annotated[str, Cell("Global name, as in dr/failover.", key=True)]
    source: Annotated[str, Cell("Environment that was left; empty if the drill was of one.", key=True)]
    target: Annotated[str, Cell("Environment that took over, or the one.", key=True)]
    rehearsal: Annotated[bool, Cell("Whether gates looked at kept facts only: nothing can be lost in those.", key=True)]
    drills: Annotated[int | None, Cell("How many have ended; 0: none, and all else is not known.", unit="drills")]
    walk: Annotated[str | None, Cell("Id of the last one: runbook procedure show ID.")]
    lost: Annotated[str | None, Cell("What the tool saw lost, with moments; not known where it did not see it.")]
    ended: Annotated[Moment | None, Cell("When it ended.")]
    completed: Annotated[bool | None, Cell("Whether it came to its end; otherwise it was given up.")]
    overruled: Annotated[int | None, Cell("Gates that were gone through closed.", unit="gates")]
    skipped: Annotated[int | None, Cell("Steps that were left out.", unit="steps")]
    rpo_records: Annotated[int | None, Cell("Acknowledged records of the canary that were lost.", unit="records")]
    rpo_seconds: Annotated[float | None, Cell("How far the target was behind by these.", unit="s")]
    duplicates: Annotated[int | None, Cell("Records of the canary that are there more than once.", unit="records")]
    rto_write: Annotated[float | None, Cell("For how long nothing could be written.", unit="s")]
    rto_read: Annotated[float | None, Cell("For how long nothing new could be read.", unit="s")]
    caveats: Annotated[
        list[str] | None, Cell("What the figures do not show, as the canary was weaker than it could be.")
    ]


VIEW = View(
    help="One row per drill of the probe drill, with what was seen lost. Checks of drills judge this, not the probe.",
    row=ProvedDrill,
    inputs={
        "drill": Input(
            "drill",
            columns=(
                *("procedure", "source", "target", "rehearsal", "drills", "walk", "ended", "completed"),
                *(
                    "overruled",
                    "skipped",
                    "rpo_records",
                    "rpo_seconds",
                    "duplicates",
                    "rto_write",
                    "rto_read",
                    "caveats",
                ),
            ),
        ),
        "cluster": Input("kafka_cluster", columns=("cluster_id",)),
    },
    parameters={
        "alone": Parameter(
            "bool", default=False, help="only drills of one environment, none of those from one to another"
        )
    },
)

_OLD = "its record holds no look of the tool for what was lost: drill again"


def compute(*, drill: Fact, cluster: Fact, alone: bool = False) -> Observed:
    """Tell what each drill proves, over the probe drill and kafka_cluster.

    The record of a drill names an environment, and inventories may give one name to several clusters: a drill proves
    something of the cluster only on which it was seen.
    """
    here = {*cluster.columns["cluster_id"]} - {None, ""}
    rows, gaps = [], []
    for row in drill.rows():
        if alone and row["source"]:
            continue
        lost, why = _lost(row["caveats"] or [], here)
        if lost is None and row["drills"] and not row["rehearsal"]:
            reason = f"the drill {row['walk']} of {row['procedure']} proves nothing: {why}"
            gaps.append(Gap(reason))
        caveats = None if row["caveats"] is None else [*_others(row["caveats"])]
        cells = row | {"lost": lost, "caveats": caveats}
        rows.append(ProvedDrill(**{name: cells[name] for name in ProvedDrill.__struct_fields__}))
    return Observed(rows=rows, gaps=gaps)


def _lost(caveats: list[str], here: set[str]) -> tuple[str | None, str]:
    """What was seen lost, or None and why it was not, or not here."""
    for caveat in caveats:
        if caveat.startswith(SEEN) and cluster_in(caveat) not in here:
            return None, f"it was of cluster {cluster_in(caveat)}, and this is {', '.join(sorted(here)) or 'not known'}"
        if caveat.startswith(SEEN):
            return caveat.removeprefix(SEEN), ""
        if caveat.startswith(NOT_SEEN):
            return None, caveat
    return None, _OLD


def _others(caveats: list[Any]) -> Iterator[Any]:
    return (caveat for caveat in caveats if not caveat.startswith((SEEN, NOT_SEEN)))
