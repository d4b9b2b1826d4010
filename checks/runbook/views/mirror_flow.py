"""What there is of a flow from one cluster, over all connectors of MirrorMaker."""

from typing import Annotated, Any

from runbook.model.fact import Fact, Observed
from runbook.model.parameter import Parameter
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

_HALTED = ("PAUSED", "STOPPED")


class MirrorFlow(Row):
    """Which connectors copy from the cluster of an alias."""

    alias: Annotated[str, Cell("The alias that was asked for.", key=True)]
    copies: Annotated[list[str] | None, Cell("Connectors that copy its records.", entity="connector")]
    active: Annotated[
        list[str] | None,
        Cell("Those that are neither paused nor stopped; unknown if Connect does not report it of one."),
    ]
    translates: Annotated[
        list[str] | None, Cell("Connectors that translate positions of its groups.", entity="connector")
    ]
    others: Annotated[
        list[str] | None,
        Cell("Aliases of other clusters from which something is copied or translated; unknown if one's alias is."),
    ]


VIEW = View(
    help="One row: which connectors copy from the cluster of an alias. One that is turned off copies nothing.",
    row=MirrorFlow,
    inputs={
        "connector": Input(
            "mirror_connector", columns=("connector", "kind", "source", "enabled", "state", "file"), needs=("kind",)
        ),
    },
    version=4,
    parameters={"alias": Parameter("string", "", help="alias of the cluster that is copied")},
)


def compute(*, connector: Fact, alias: str = "") -> Observed:
    """Work it out from mirror_connector. Nothing is said to be missing unless all was seen and every alias is known."""
    found: dict[str, list[str]] = {"source": [], "checkpoint": []}
    others: set[str] = set()
    halted: list[bool | None] = []  # of each that copies
    sure, sources_known = connector.complete, True
    for row in connector.rows():
        if row["kind"] not in found or row["enabled"] is False:
            continue
        if row["source"] is None or row["enabled"] is None:
            sure = sources_known = False
        elif row["source"] == alias:
            found[row["kind"]].append(row["connector"])
            if row["kind"] == "source":
                halted.append(_halted(row))
        else:
            others.add(row["source"])
    copies, translates = (names if names or sure else None for names in found.values())
    further = sorted(others) if sources_known else None
    active = None
    if copies is not None and None not in halted:
        going = [name for name, is_halted in zip(copies, halted, strict=True) if not is_halted]
        active = going if going or sure else None
    told = MirrorFlow(alias=alias, copies=copies, active=active, translates=translates, others=further)
    return Observed(rows=[told])


def _halted(row: dict[str, Any]) -> bool | None:
    """Whether somebody has paused or stopped it; a dedicated MirrorMaker, which has a file, knows no such thing."""
    if row["file"]:
        return False
    return None if row["state"] is None else row["state"] in _HALTED
