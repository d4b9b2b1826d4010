"""What the loss of nodes and racks would leave of the controllers' majority."""

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Gap, Observed
from runbook.engine.parameter import Parameter
from runbook.engine.view import View
from runbook.views.broker_loss import describe, down_of, scenarios_of, units_of

VIEW = View(
    help="One row per thing that may be lost, named as in broker_loss: whether a majority of the voters is left.",
    columns=(
        Column(
            "scenario", "string", "What is lost, such as `broker 2 + broker 4`, `rack a` or `controller 102`.", key=True
        ),
        Column("kind", "string", "node, rack, two nodes, or rack and node."),
        Column("nodes", "list[int]", "The brokers and controllers that are lost.", entity="broker"),
        Column("racks", "list[string]", "The racks that are lost as a whole.", entity="rack"),
        Column("voters", "int", "Controllers that have a vote, the dead ones included.", unit="controllers"),
        Column("needed", "int", "Votes that make a majority.", unit="controllers"),
        Column(
            "left", "int", "Voters alive after the loss; unknown where nobody knows which are lost.", unit="controllers"
        ),
        Column("survives", "bool", "Whether those are a majority."),
    ),
    of=(("node", "voter", "last_caught_up_ms"), ("broker", "rack", "fenced", "answers")),
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


def compute(
    quorum: Fact, broker: Fact, /, *, nodes: int = 1, racks: bool = False, silence_ms: int = 10_000
) -> Observed:
    """Work out every scenario over kafka_quorum and kafka_broker.

    Kafka tells racks of brokers only: of a controller that is a node of its own, the loss of a rack says nothing.
    """
    down = down_of(broker)
    rack_of = dict(zip(broker.columns["broker"], broker.columns["rack"], strict=True))
    told = zip(*(quorum.columns[name] for name in ("node", "voter", "last_caught_up_ms")), strict=True)
    ages = {node: age for node, votes, age in told if votes}
    if not ages:
        return Observed(gaps=[Gap("no voter of the quorum was seen")])
    answers = zip(broker.columns["broker"], broker.columns["answers"], strict=True)
    silent = {node for node, answered in answers if answered is not True}  # dead a moment ago, or cut off from us only
    unsure = {node for node, age in ages.items() if age is None or node in silent} - down
    alive = {node for node, age in ages.items() if age is not None and age <= silence_ms} - down - unsure
    placed = {node: rack_of.get(node) for node in sorted((rack_of.keys() | ages.keys()) - down)}
    units = units_of(placed, racks=racks, controllers=ages.keys() - rack_of.keys())
    needed = len(ages) // 2 + 1
    rows = []
    for scenario in scenarios_of(units, most=nodes):
        lost = [units[i] for i in scenario]
        name, kind, gone, racks_lost = describe(lost, "node")
        placeless = {node for node in alive if not rack_of.get(node)} if racks_lost else set()
        best = len((alive | unsure) - set(gone))
        worst = len(alive - set(gone) - placeless)
        survives = True if worst >= needed else False if best < needed else None
        rows.append((name, kind, gone, racks_lost, len(ages), needed, best if best == worst else None, survives))
    return Observed(rows=rows)
