"""How many partitions a flow of MirrorMaker carries, against the tasks that may share them."""

from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

_HEARTBEATS = "heartbeats"


class MirrorWidth(Row):
    """A connector that copies records."""

    connector: Annotated[str, Cell("The flow.", key=True, entity="connector")]
    source: Annotated[str | None, Cell("Alias of the cluster that is copied.")]
    tasks_max: Annotated[int | None, Cell("tasks.max: how many tasks it may have.", unit="tasks")]
    partitions: Annotated[
        int | None,
        Cell(
            "Partitions of the source's topics that its filters take, without heartbeats: each belongs to one task.",
            unit="partitions",
            untold="its filters, or the topics of the source, are not all known",
        ),
    ]


VIEW = View(
    help="One row per connector that copies records: the partitions that its tasks share.",
    row=MirrorWidth,
    leaves_out="connectors that copy no records",
    inputs={
        "connector": Input(
            "mirror_connector", columns=("connector", "kind", "source", "tasks_max"), needs=("kind",), at="target"
        ),
        "choice": Input("mirror_choice", columns=("topic", "flows")),
        "topic": Input("kafka_topic", columns=("name", "partitions"), at="source"),
    },
)


def compute(*, connector: Fact, choice: Fact, topic: Fact) -> Observed:
    """Work it out from mirror_connector of the target, and mirror_choice and kafka_topic of the source.

    MirrorSourceConnector.taskConfigs makes as many tasks as there are partitions at most.
    """
    widths = dict(zip(topic.columns["name"], topic.columns["partitions"], strict=True))
    taken = [
        (row["flows"], widths.get(row["topic"])) for row in choice.rows("topic", "flows") if row["topic"] != _HEARTBEATS
    ]
    seen = [(flows, width) for flows, width in taken if flows is not None and width is not None]
    known = choice.complete and topic.complete and len(seen) == len(taken)
    return Observed(
        rows=[
            MirrorWidth(
                connector=row["connector"],
                source=row["source"],
                tasks_max=row["tasks_max"],
                partitions=sum(width for flows, width in seen if row["connector"] in flows) if known else None,
            )
            for row in connector.rows("connector", "kind", "source", "tasks_max")
            if row["kind"] == "source"
        ]
    )
