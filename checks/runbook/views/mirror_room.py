"""Whether the producer that writes mirrors may send what the source's topics take."""

from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import Bytes
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views._mirrors import EXCLUDE, TOPICS, meant

_CLIENT, _SETTING = "target producer", "max.request.size"


class MirrorRoom(Row):
    """A flow and topic of the source that is meant to be mirrored."""

    connector: Annotated[str, Cell("The flow.", key=True, entity="connector")]
    topic: Annotated[str, Cell("Topic of the source.", key=True, entity="topic")]
    max_message_bytes: Annotated[Bytes | None, Cell("max.message.bytes of the topic.")]
    max_request_size: Annotated[Bytes | None, Cell("max.request.size in force for the producer that writes.")]


VIEW = View(
    help="One row per flow and topic of the source that is meant to be mirrored.",
    row=MirrorRoom,
    leaves_out="connectors whose settings say nothing of the size of a producer's request",
    inputs={
        "setting": Input(
            "mirror_setting", columns=("connector", "client", "setting", "value", "in_force"), at="target"
        ),
        "topic": Input("kafka_topic", columns=("name", "max_message_bytes"), at="source"),
    },
    version=2,
    parameters={"topics": TOPICS, "exclude": EXCLUDE},
)


def compute(
    *, setting: Fact, topic: Fact, topics: list[str] | None = None, exclude: list[str] | None = None
) -> Observed:
    """Work it out from mirror_setting of the target and kafka_topic of the source."""
    wanted = meant(topics, exclude)
    flows: dict[str, Bytes | None] = {}
    for row in setting.rows():
        if (row["client"], row["setting"]) == (_CLIENT, _SETTING) and row["in_force"] is not False:
            known = row["in_force"] and (row["value"] or "").isdecimal()
            flows[row["connector"]] = Bytes(int(row["value"])) if known else None
    rows = [
        MirrorRoom(connector=flow, topic=row["name"], max_message_bytes=row["max_message_bytes"], max_request_size=size)
        for flow, size in sorted(flows.items())
        for row in topic.rows()
        if wanted(row["name"])
    ]
    return Observed(rows=rows)
