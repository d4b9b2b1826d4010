"""The racks: which of their brokers are out of service."""

from typing import Annotated

from runbook.model.fact import Fact, Gap, Observed
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class RackState(Row):
    """A rack."""

    rack: Annotated[str, Cell("Its name, as in broker.rack.", key=True, entity="rack")]
    brokers: Annotated[list[BrokerId], Cell("Brokers in it.")]
    down: Annotated[list[BrokerId], Cell("Those of them that are fenced and do not answer.")]
    lost: Annotated[bool | None, Cell("Whether all are; unknown where it is not known whether one answers.")]


VIEW = View(
    help="One row per rack that a broker names.",
    row=RackState,
    inputs={
        "broker": Input("kafka_broker", columns=("broker", "rack", "fenced", "answers"), needs=("fenced",)),
    },
)


def compute(*, broker: Fact) -> Observed:
    """Group kafka_broker by rack; a broker of which the rack is not known may be in any."""
    racks: dict[str, list[dict[str, bool | None]]] = {}
    members: dict[str, list[BrokerId]] = {}
    gaps: list[Gap] = []
    for row in broker.rows("broker", "rack", "fenced", "answers"):
        if row["rack"] is None:
            gaps.append(Gap(f"the rack of broker {row['broker']} is not known", {"broker": row["broker"]}))
        elif row["rack"]:
            racks.setdefault(row["rack"], []).append(row)
            members.setdefault(row["rack"], []).append(row["broker"])
    return Observed(
        rows=[
            RackState(
                rack=rack,
                brokers=members[rack],
                down=[node for node, row in zip(members[rack], rows, strict=True) if _is_down(row)],
                lost=_all([_is_down(row) for row in rows]),
            )
            for rack, rows in racks.items()
        ],
        gaps=gaps,
    )


def _is_down(row: dict[str, bool | None]) -> bool | None:
    if not row["fenced"]:
        return False
    return None if row["answers"] is None else not row["answers"]


def _all(down: list[bool | None]) -> bool | None:
    return False if False in down else None if None in down else True
