"""Whether the producer that writes mirrors may send what the source's topics take."""

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Observed
from runbook.engine.view import View
from runbook.views._mirrors import EXCLUDE, TOPICS, meant

_CLIENT, _SETTING = "target producer", "max.request.size"

VIEW = View(
    help="One row per flow and topic of the source that is meant to be mirrored.",
    columns=(
        Column("connector", "string", "The flow.", key=True, entity="connector"),
        Column("topic", "string", "Topic of the source.", key=True, entity="topic"),
        Column("max_message_bytes", "int", "max.message.bytes of the topic.", unit="bytes"),
        Column("max_request_size", "int", "max.request.size in force for the producer that writes.", unit="bytes"),
    ),
    of=(("connector", "client", "setting", "value", "in_force"), ("name", "max_message_bytes")),
    version=2,
    parameters={"topics": TOPICS, "exclude": EXCLUDE},
)


def compute(
    setting: Fact, topic: Fact, /, *, topics: list[str] | None = None, exclude: list[str] | None = None
) -> Observed:
    """Work it out from mirror_setting of the target and kafka_topic of the source."""
    wanted = meant(topics, exclude)
    flows: dict[str, int | None] = {}
    for row in setting.rows():
        if (row["client"], row["setting"]) == (_CLIENT, _SETTING) and row["in_force"] is not False:
            known = row["in_force"] and (row["value"] or "").isdecimal()
            flows[row["connector"]] = int(row["value"]) if known else None
    rows = [
        (flow, one["name"], one["max_message_bytes"], size)
        for flow, size in sorted(flows.items())
        for one in topic.rows()
        if wanted(one["name"])
    ]
    return Observed(rows=rows)
