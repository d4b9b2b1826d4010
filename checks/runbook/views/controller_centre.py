"""In which data centres the controllers' votes are, and whether the majority outlives each of them."""

from typing import Annotated

from runbook.model.fact import Fact, Gap, Observed
from runbook.model.parameter import Parameter
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views import quorum_loss
from runbook.views._data_centres import CONTROLLERS, SITES, moved, placed


class VotesThere(Row):
    """What there is of a vote's majority in a data centre."""

    data_centre: Annotated[str, Cell("Where brokers or voters stand.", key=True, entity="data_centre")]
    brokers: Annotated[int, Cell("Brokers known to stand there.", unit="brokers")]
    votes: Annotated[int, Cell("Voters known to stand there, the dead ones included.", unit="voters")]
    voters: Annotated[int, Cell("Voters in all.", unit="voters")]
    needed: Annotated[int, Cell("Votes that make a majority.", unit="voters")]
    left: Annotated[
        int | None,
        Cell("Voters alive when this data centre is lost; unknown where not all are placed.", unit="voters"),
    ]
    survives: Annotated[bool | None, Cell("Whether those can decide.")]
    unplaced: Annotated[list[str], Cell("Voters whose place is unknown.", entity="controller")]
    layout: Annotated[
        str | None,
        Cell(
            "The same in every row: 1, 2, 3… data centres; 2.5 where brokers stand in two and a third has votes only."
        ),
    ]


class ControllerCentre(VotesThere):
    """The controllers' votes in a data centre."""


VIEW = View(
    help="One row per data centre in which brokers or controllers stand.",
    row=ControllerCentre,
    inputs={
        "quorum": Input("kafka_quorum", columns=quorum_loss.QUORUM, needs=("voter",)),
        "broker": Input("kafka_broker", columns=("broker", "rack", "fenced", "answers"), needs=("fenced",)),
    },
    version=3,
    parameters={
        "sites": SITES,
        "controllers": CONTROLLERS,
        "silence_ms": Parameter(
            type="int",
            default=10_000,
            min=1,
            help="milliseconds after which a voter that has not caught up counts as dead already",
            source="as in quorum_loss",
        ),
    },
)


def compute(
    *,
    quorum: Fact,
    broker: Fact,
    sites: list[str] | None = None,
    controllers: list[str] | None = None,
    silence_ms: int = 10_000,
) -> Observed:
    """Work it out from kafka_quorum and kafka_broker."""
    there = moved(broker, sites or [])
    voters = quorum_loss.standing(quorum, there, silence_ms)
    if not voters.ages:
        return Observed(gaps=[Gap("no voter of the quorum was seen")])
    centre_of = placed(controllers or []) | dict(zip(there.columns["broker"], there.columns["rack"], strict=True))
    brokers: list[str | None] = there.columns["rack"]
    seats = [centre_of.get(node) for node in voters.ages]
    placeless = [node for node in voters.ages if centre_of.get(node) is None]
    rows = []
    for name in sorted({place for place in (*brokers, *seats) if place}):
        gone = [node for node, place in centre_of.items() if place == name]
        left, survives = voters.without(gone, placeless)
        rows.append(
            ControllerCentre(
                data_centre=name,
                brokers=brokers.count(name),
                votes=seats.count(name),
                voters=len(voters.ages),
                needed=voters.needed,
                left=left,
                survives=survives,
                unplaced=[str(node) for node in placeless],
                layout=layout(brokers, seats),
            )
        )
    return Observed(rows=rows)


def layout(brokers: list[str | None], voters: list[str | None]) -> str | None:
    """The layout by where brokers and voters stand; None where that is not known of all that could change it."""
    if None in brokers:
        return None
    theirs = set(brokers)
    if len(theirs) != 2:  # noqa: PLR2004 - only there may a third place with votes make a difference
        return str(len(theirs))
    if set(voters) - theirs - {None}:
        return "2.5"
    return None if None in voters else "2"
