"""Whether groups keep up with what is written, and how long what they have not read is kept at least."""

from typing import Annotated, Any, Literal

from runbook.model.fact import Fact, Observed
from runbook.model.parameter import Parameter
from runbook.model.quantity import PartitionNumber, Seconds
from runbook.model.row import Cell, Row
from runbook.model.view import View

Progress = Literal[
    "keeps up",
    "catches up",
    "falls behind",
    "holds its lag",
    "stuck",
    "stopped",
    "rewound",
    "ahead of the log",
    "never committed",
    "nothing to read",
]
_LAG = (
    "group",
    "topic",
    "partition",
    "members",
    "owner",
    "committed",
    "committed_before",
    "commits",
    "begin",
    "end",
    "end_before",
    "lag",
    "between",
    "behind_least",
    "behind_most",
)


class GroupProgress(Row):
    """A group and a partition."""

    group: Annotated[str, Cell("Group id.", key=True, entity="group")]
    topic: Annotated[str, Cell("Topic.", key=True, entity="topic")]
    partition: Annotated[PartitionNumber, Cell("Number of the partition.", key=True)]
    progress: Annotated[
        Progress | None,
        Cell(
            "keeps up; catches up, holds its lag, falls behind (late, and reads faster, about as fast, slower than is "
            "written); stuck (late, has members, and nothing moves); stopped (nobody is there); rewound; "
            "ahead of the log; never committed; nothing to read."
        ),
    ]
    owner: Annotated[str | None, Cell("Client id and host of the member that has the partition; empty for nobody.")]
    lag: Annotated[int | None, Cell("From committed to end.", unit="records", moves=True)]
    behind_least: Annotated[Seconds | None, Cell("Age of the record that it is to read next, at least.")]
    behind_most: Annotated[Seconds | None, Cell("The same, at most.")]
    read_rate: Annotated[float | None, Cell("Committed between two looks.", unit="records per second", moves=True)]
    write_rate: Annotated[float | None, Cell("Written between two looks.", unit="records per second", moves=True)]
    caught_up_in: Annotated[
        Seconds | None, Cell("Until it has read all, at these rates; unknown unless it catches up.")
    ]
    kept: Annotated[
        Literal["by time", "by time and size", "by size", "for ever"] | None,
        Cell("What deletes records of the topic; for ever: nothing but compaction does."),
    ]
    deleted_not_before: Annotated[
        Seconds | None,
        Cell(
            "So long the record that it is to read next is kept at least; 0: it may go at any moment. Known only where "
            "records go by time alone, there is something to read, and its age is known."
        ),
    ]


VIEW = View(
    help="One row per group and partition of kafka_group_lag, with what kafka_topic says of its retention.",
    row=GroupProgress,
    of=(_LAG, ("name", "cleanup_policy", "retention_ms", "retention_bytes")),
    parameters={
        "late": Parameter(
            type="int",
            default=120,
            min=1,
            help="seconds that the record to be read next may be old before a group that does not move is stuck",
        ),
        "spare": Parameter(
            type="int", default=1, min=0, help="records of lag that count as none: a transaction's marker is never read"
        ),
        "clear": Parameter(
            type="float",
            default=2.0,
            min=1,
            help="times as fast as the other that reading or writing must be to say which is faster",
        ),
    },
)


def compute(lags: Fact, topics: Fact, /, *, late: int = 120, spare: int = 1, clear: float = 2.0) -> Observed:
    """Say of each row of kafka_group_lag what the group does.

    A group commits now and then, so that looks some seconds apart see one commit more or less: hence `clear`. One that
    commits more seldom than `late` looks stuck in between.
    """
    settings = {row["name"]: row for row in topics.rows("name", "cleanup_policy", "retention_ms", "retention_bytes")}
    rows = []
    for row in lags.rows(*_LAG):
        kept = _kept(settings.get(row["topic"]))
        read, written = _rate(row, "committed"), _rate(row, "end")
        progress = _progress(row, late, spare, clear)
        rows.append(
            GroupProgress(
                group=row["group"],
                topic=row["topic"],
                partition=row["partition"],
                progress=progress,
                owner=row["owner"],
                lag=row["lag"],
                behind_least=row["behind_least"],
                behind_most=row["behind_most"],
                read_rate=read,
                write_rate=written,
                caught_up_in=_caught_up_in(row["lag"], read, written) if progress == "catches up" else None,
                kept=kept,
                deleted_not_before=_deleted_not_before(row, settings.get(row["topic"]), kept, spare),
            )
        )
    return Observed(rows=rows)


def _rate(row: dict[str, Any], column: str) -> float | None:
    after, before = row[column], row[f"{column}_before"]
    return None if after is None or before is None or not row["between"] else (after - before) / row["between"]


def _progress(row: dict[str, Any], late: int, spare: int, clear: float) -> Progress | None:
    if row["commits"] is False:
        return "never committed"
    if None in (row["committed"], row["end"], row["lag"]):
        return None
    if row["committed"] > row["end"]:
        return "ahead of the log"
    if row["committed_before"] is None or row["end_before"] is None:
        return None
    return _between_looks(row, late, spare, clear)


def _between_looks(row: dict[str, Any], late: int, spare: int, clear: float) -> Progress | None:
    read, written = row["committed"] - row["committed_before"], row["end"] - row["end_before"]
    if read < 0:
        return "rewound"
    if row["lag"] <= spare:
        return "keeps up" if read or written else "nothing to read"
    return _with_lag(row, read, written, late=late, clear=clear)


def _with_lag(row: dict[str, Any], read: int, written: int, *, late: int, clear: float) -> Progress | None:
    """What a group does that has something to read."""
    if not read and row["members"] == 0:
        return "stopped"
    least, most = row["behind_least"], row["behind_most"]
    if most is not None and most <= late:
        return "keeps up"
    if least is None or least <= late:
        return None  # late or not: its age does not tell
    return _behind(row["members"], read, written, clear)


def _behind(members: int | None, read: int, written: int, clear: float) -> Progress | None:
    """What a group does of which the record to be read next is late."""
    if not read:
        return None if members is None else "stuck"
    if read >= clear * written:
        return "catches up"
    return "falls behind" if clear * read <= written else "holds its lag"


def _caught_up_in(lag: int | None, read: float | None, written: float | None) -> Seconds | None:
    if lag is None or read is None or written is None or read <= written:
        return None
    return Seconds(round(lag / (read - written), 1))


def _kept(topic: dict[str, Any] | None) -> Literal["by time", "by time and size", "by size", "for ever"] | None:
    if topic is None or topic["cleanup_policy"] is None:
        return None
    if "delete" not in topic["cleanup_policy"]:
        return "for ever"
    if topic["retention_ms"] is None or topic["retention_bytes"] is None:
        return None
    by_time, by_size = topic["retention_ms"] >= 0, topic["retention_bytes"] >= 0
    if by_time:
        return "by time and size" if by_size else "by time"
    return "by size" if by_size else "for ever"


def _deleted_not_before(
    row: dict[str, Any], topic: dict[str, Any] | None, kept: str | None, spare: int
) -> Seconds | None:
    """A segment goes once its youngest record is older than retention.ms, so none of its records goes sooner."""
    if topic is None or kept != "by time" or row["behind_most"] is None:
        return None
    if row["lag"] is None or row["lag"] <= spare:
        return None
    return Seconds(max(0.0, round(topic["retention_ms"] / 1000 - row["behind_most"], 1)))
