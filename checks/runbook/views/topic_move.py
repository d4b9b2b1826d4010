"""Topics, and whether a partition of each is being moved."""

from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class TopicMove(Row):
    """A topic."""

    topic: Annotated[str, Cell("Name.", key=True, entity="topic")]
    moving: Annotated[
        bool | None, Cell("Whether replicas of it are being moved; unknown where not all moves are seen.")
    ]


VIEW = View(
    help="One row per topic: whether a partition of it is being moved.",
    row=TopicMove,
    inputs={
        "topic": Input("kafka_topic", columns=("name",), needs=("name",)),
        "moved": Input("kafka_reassignment", columns=("topic",), needs=("topic",)),
    },
)


def compute(*, topic: Fact, moved: Fact) -> Observed:
    """Work it out over kafka_topic and kafka_reassignment."""
    moves = {*moved.columns["topic"]}
    unseen = moved.presence(found=False)
    return Observed(
        rows=[TopicMove(topic=name, moving=True if name in moves else unseen) for name in topic.columns["name"]]
    )
