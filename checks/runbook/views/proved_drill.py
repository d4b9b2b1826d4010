"""Drills by what they prove: of one whose loss the tool itself did not see, nothing follows, and why is a gap."""

from collections.abc import Iterator
from typing import Any

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Gap, Observed
from runbook.engine.loss_seen import NOT_SEEN, SEEN, cluster_in
from runbook.engine.parameter import Parameter
from runbook.engine.view import View

VIEW = View(
    help="One row per drill of the probe drill, with what was seen lost. Checks of drills judge this, not the probe.",
    columns=(
        Column("procedure", "string", "Global name, as in dr/failover.", key=True),
        Column("source", "string", "Environment that was left; empty if the drill was of one.", key=True),
        Column("target", "string", "Environment that took over, or the one.", key=True),
        Column("rehearsal", "bool", "Whether gates looked at kept facts only: nothing can be lost in those.", key=True),
        Column("drills", "int", "How many have ended; 0: none, and all else is not known.", unit="drills"),
        Column("walk", "string", "Id of the last one: runbook procedure show ID."),
        Column("lost", "string", "What the tool saw lost, with moments; not known where it did not see it."),
        Column("ended", "timestamp", "When it ended."),
        Column("completed", "bool", "Whether it came to its end; otherwise it was given up."),
        Column("overruled", "int", "Gates that were gone through closed.", unit="gates"),
        Column("skipped", "int", "Steps that were left out.", unit="steps"),
        Column("rpo_records", "int", "Acknowledged records of the canary that were lost.", unit="records"),
        Column("rpo_seconds", "float", "How far the target was behind by these.", unit="s"),
        Column("duplicates", "int", "Records of the canary that are there more than once.", unit="records"),
        Column("rto_write", "float", "For how long nothing could be written.", unit="s"),
        Column("rto_read", "float", "For how long nothing new could be read.", unit="s"),
        Column("caveats", "list[string]", "What the figures do not show, as the canary was weaker than it could be."),
    ),
    of=(
        (
            *("procedure", "source", "target", "rehearsal", "drills", "walk", "ended", "completed"),
            *("overruled", "skipped", "rpo_records", "rpo_seconds", "duplicates", "rto_write", "rto_read", "caveats"),
        ),
        ("cluster_id",),
    ),
    parameters={
        "alone": Parameter(
            "bool", default=False, help="only drills of one environment, none of those from one to another"
        )
    },
)

_OLD = "its record holds no look of the tool for what was lost: drill again"


def compute(drill: Fact, cluster: Fact, /, *, alone: bool = False) -> Observed:
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
        rows.append(tuple((row | {"lost": lost, "caveats": caveats})[column.name] for column in VIEW.columns))
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
