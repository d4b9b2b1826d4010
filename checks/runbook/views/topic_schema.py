"""Which topics have a schema: the contract between those who write and those who read."""

from collections import defaultdict
from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class TopicSchema(Row):
    """A topic that is not Kafka's own."""

    topic: Annotated[str, Cell("The topic.", key=True, entity="topic")]
    value: Annotated[bool | None, Cell("Whether a subject says what its values are.")]
    key: Annotated[bool | None, Cell("Whether a subject says what its keys are.")]
    subjects: Annotated[list[str], Cell("The subjects that name it.")]


VIEW = View(
    help="One row per topic that is not Kafka's own: the subjects that name it.",
    row=TopicSchema,
    leaves_out="Kafka's own topics",
    inputs={
        "topic": Input("kafka_topic", columns=("name", "internal"), needs=("internal",)),
        "use": Input("subject_use", columns=("subject", "topic", "part"), needs=("topic", "part")),
    },
    version=2,
)


def compute(*, topic: Fact, use: Fact) -> Observed:
    """Work it out from kafka_topic and subject_use."""
    parts: dict[str, dict[str, str]] = defaultdict(dict)
    for row in use.rows("subject", "topic", "part"):
        if row["topic"]:
            parts[row["topic"]][row["subject"]] = row["part"]
    rows = []
    for name, internal in zip(topic.columns["name"], topic.columns["internal"], strict=True):
        if not internal:
            mine = parts.get(name, {})
            value, key = any(part != "key" for part in mine.values()), "key" in mine.values()
            known = use.complete
            rows.append(
                TopicSchema(
                    topic=name,
                    value=value or (False if known else None),
                    key=key or (False if known else None),
                    subjects=sorted(mine),
                )
            )
    return Observed(rows=rows)
