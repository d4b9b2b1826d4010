"""Whether topics are used: when they were last written to, and which groups with members read them."""

from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import Bytes, Moment
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class TopicUse(Row):
    """A topic."""

    topic: Annotated[str, Cell("Its name.", key=True, entity="topic")]
    written: Annotated[bool | None, Cell("Whether a record was ever written to it.")]
    records: Annotated[int | None, Cell("Records in all partitions.", unit="records", moves=True)]
    newest: Annotated[
        Moment | None,
        Cell(
            "Latest time that a record has; unknown if there is none.",
            untold="Kafka reports it from 3.0 on",
            moves=True,
        ),
    ]
    disk_bytes: Annotated[Bytes | None, Cell("What all of its replicas hold.", moves=True)]
    groups: Annotated[list[str], Cell("Groups that have committed offsets in it, as far as is seen.", entity="group")]
    read: Annotated[
        bool | None,
        Cell("Whether one of them has members; unknown where none is seen to have, and groups may be hidden."),
    ]


VIEW = View(
    help="One row per topic: its newest time, and whether a group with members reads it.",
    row=TopicUse,
    inputs={
        "content": Input("topic_content", columns=("topic", "written", "records", "newest", "disk_bytes")),
        "offset": Input("kafka_group_offset", columns=("group", "topic", "members")),
    },
)


def compute(*, content: Fact, offset: Fact) -> Observed:
    """Work it out from topic_content and kafka_group_offset."""
    members: dict[str, dict[str, int | None]] = {}
    for row in offset.rows():
        members.setdefault(row["topic"], {})[row["group"]] = row["members"]
    rows = []
    for held in content.rows():
        readers = members.get(held["topic"], {})
        rows.append(
            TopicUse(
                topic=held["topic"],
                written=held["written"],
                records=held["records"],
                newest=held["newest"],
                disk_bytes=held["disk_bytes"],
                groups=[*readers],
                read=_read([*readers.values()], whole=offset.complete),
            )
        )
    return Observed(rows=rows)


def _read(members: list[int | None], *, whole: bool) -> bool | None:
    if any(members):
        return True
    return False if whole and None not in members else None
