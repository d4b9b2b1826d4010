"""What the loss of nodes and racks would leave of the controllers' majority."""

from typing import Annotated

from runbook.model.fact import Fact, Gap, Observed
from runbook.model.parameter import Parameter
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.rules.quorum import Standing
from runbook.views.broker_loss import described, down_of, scenarios_of, units_of


class QuorumLoss(Row):
    """A thing that may be lost."""

    scenario: Annotated[
        str, Cell("What is lost, such as `broker 2 + broker 4`, `rack a` or `controller 102`.", key=True)
    ]
    kind: Annotated[str, Cell("node, rack, two nodes, or rack and node.")]
    nodes: Annotated[list[BrokerId], Cell("The brokers and controllers that are lost.")]
    racks: Annotated[list[str], Cell("The racks that are lost as a whole.", entity="rack")]
    voters: Annotated[int, Cell("Controllers that have a vote, the dead ones included.", unit="controllers")]
    needed: Annotated[int, Cell("Votes that make a majority.", unit="controllers")]
    left: Annotated[
        int | None,
        Cell("Voters alive after the loss; unknown where it is not known which are lost.", unit="controllers"),
    ]
    survives: Annotated[bool | None, Cell("Whether those are a majority.")]
    placed: Annotated[bool, Cell("Whether any of the voters is a broker too, of which Kafka reports the rack.")]


QUORUM = ("node", "voter", "last_caught_up_ms", "replaced_by")
"""The columns of kafka_quorum that tell how the voters are."""

VIEW = View(
    help="One row per thing that may be lost, named as in broker_loss: whether a majority of the voters is left.",
    row=QuorumLoss,
    inputs={
        "quorum": Input("kafka_quorum", columns=QUORUM, needs=("voter",)),
        "broker": Input("kafka_broker", columns=("broker", "rack", "fenced", "answers"), needs=("fenced",)),
    },
    version=4,
    parameters={
        "nodes": Parameter(
            type="int",
            default=1,
            min=1,
            max=2,
            help="1: one thing is lost; 2: also each two together, one planned and one unplanned",
        ),
        "racks": Parameter(type="bool", default=False, help="whether racks are lost too, not only nodes"),
        "silence_ms": Parameter(
            type="int",
            default=10_000,
            min=1,
            help="milliseconds after which a voter that has not caught up counts as dead already",
            source="our judgement: five times the default of controller.quorum.fetch.timeout.ms",
        ),
    },
)


def standing(quorum: Fact, broker: Fact, silence_ms: int) -> Standing:
    """How the voters of kafka_quorum are, with what kafka_broker says of those that are brokers too.

    A voter whose node runs on another disk gives its vote to nobody (KIP-853), whenever the leader last heard of it.
    """
    voters = [row for row in quorum.rows() if row["voter"]]
    ages = {row["node"]: row["last_caught_up_ms"] for row in voters}
    down = down_of(broker) | {row["node"] for row in voters if row.get("replaced_by")}
    answers = zip(broker.columns["broker"], broker.columns["answers"], strict=True)
    silent = {node for node, answered in answers if answered is not True}  # dead a moment ago, or cut off from us only
    unsure = frozenset(node for node, age in ages.items() if age is None or node in silent) - down
    alive = frozenset(node for node, age in ages.items() if age is not None and age <= silence_ms) - down - unsure
    return Standing(ages, alive, unsure)


def compute(*, quorum: Fact, broker: Fact, nodes: int = 1, racks: bool = False, silence_ms: int = 10_000) -> Observed:
    """Work out every scenario over kafka_quorum and kafka_broker.

    Kafka tells racks of brokers only: of a controller that is a node of its own, the loss of a rack says nothing.
    """
    voters = standing(quorum, broker, silence_ms)
    if not voters.ages:
        return Observed(gaps=[Gap("no voter of the quorum was seen")])
    down = down_of(broker)
    rack_of = dict(zip(broker.columns["broker"], broker.columns["rack"], strict=True))
    placed = {node: rack_of.get(node) for node in sorted((rack_of.keys() | voters.ages.keys()) - down)}
    units = units_of(placed, racks=racks, controllers=voters.ages.keys() - rack_of.keys())
    rows = []
    for scenario in scenarios_of(units, most=nodes):
        what = described([units[i] for i in scenario], "node")
        placeless = {node for node in voters.alive if not rack_of.get(node)} if what.racks else set[int]()
        left, survives = voters.without(what.nodes, placeless)
        rows.append(
            QuorumLoss(
                scenario=what.name,
                kind=what.kind,
                nodes=what.nodes,
                racks=what.racks,
                voters=len(voters.ages),
                needed=voters.needed,
                left=left,
                survives=survives,
                placed=bool(voters.ages.keys() & rack_of.keys()),
            )
        )
    return Observed(rows=rows)
