"""In which data centres the controllers' votes are, and whether the majority outlives each of them."""

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Observed
from runbook.engine.parameter import Parameter
from runbook.engine.view import View
from runbook.views import quorum_loss
from runbook.views._data_centres import CONTROLLERS, SITES, moved, placed

COLUMNS = (
    Column("data_centre", "string", "Where brokers or voters stand.", key=True, entity="data_centre"),
    Column("brokers", "int", "Brokers that stand there.", unit="brokers"),
    Column("votes", "int", "Voters that stand there, the dead ones included.", unit="voters"),
    Column("voters", "int", "Voters in all.", unit="voters"),
    Column("needed", "int", "Votes that make a majority.", unit="voters"),
    Column(
        "left", "int", "Voters alive when this data centre is lost; unknown where not all are placed.", unit="voters"
    ),
    Column("survives", "bool", "Whether those can decide."),
    Column("unplaced", "list[string]", "Voters of which nobody knows where they stand.", entity="controller"),
    Column(
        "layout",
        "string",
        "The same in every row: 1, 2, 3… data centres; 2.5 where brokers stand in two and a third has votes only.",
    ),
)

VIEW = View(
    help="One row per data centre in which brokers or controllers stand.",
    columns=COLUMNS,
    of=(("node", "voter", "last_caught_up_ms"), ("broker", "rack", "fenced", "answers")),
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
    quorum: Fact,
    broker: Fact,
    /,
    *,
    sites: list[str] | None = None,
    controllers: list[str] | None = None,
    silence_ms: int = 10_000,
) -> Observed:
    """Work it out from kafka_quorum and kafka_broker."""
    there = _with_controllers(moved(broker, sites or []), placed(controllers or []))
    told = quorum_loss.compute(quorum, there, racks=True, silence_ms=silence_ms)
    centre_of = dict(zip(there.columns["broker"], there.columns["rack"], strict=True))
    brokers = [centre_of[node] for node in broker.columns["broker"]]
    voters = [node for node, votes in zip(quorum.columns["node"], quorum.columns["voter"], strict=True) if votes]
    seats = [centre_of.get(node) for node in voters]
    unplaced = [str(node) for node, seat in zip(voters, seats, strict=True) if seat is None]
    shape = layout(brokers, seats)
    names = [column.name for column in quorum_loss.VIEW.columns]
    rows = []
    for row in told.rows:
        cells = dict(zip(names, row, strict=True))
        if cells["kind"] == "rack":
            name = cells["racks"][0]
            counted = (brokers.count(name), seats.count(name), cells["voters"], cells["needed"])
            rows.append((name, *counted, cells["left"], cells["survives"], unplaced, shape))
    return Observed(rows=rows, gaps=told.gaps)


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


def _with_controllers(broker: Fact, seats: dict[int, str]) -> Fact:
    """The brokers, and with them the controllers that are nodes of their own and whose place was told."""
    alone = [node for node in seats if node not in broker.columns["broker"]]
    return Fact(
        broker.source,
        {
            "broker": [*broker.columns["broker"], *alone],
            "rack": [*broker.columns["rack"], *(seats[node] for node in alone)],
            "fenced": [*broker.columns["fenced"], *(False for _ in alone)],
            # Whether one lives is seen by how far it has caught up; it is no broker that could be asked.
            "answers": [*broker.columns["answers"], *(True for _ in alone)],
        },
    )
