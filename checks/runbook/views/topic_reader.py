"""Who reads a topic: the groups that have committed offsets in it, and those of them that are there now."""

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.parameter import Parameter
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class TopicReader(Row):
    """A topic asked for."""

    topic: Annotated[str, Cell("Its name.", key=True, entity="topic")]
    groups: Annotated[
        list[str] | None,
        Cell(
            "Groups that are seen to have committed offsets in it; unknown where none is, and some may be hidden.",
            entity="group",
        ),
    ]
    active: Annotated[
        list[str] | None,
        Cell("Those of them that have members; unknown where none is seen to, and some may be hidden.", entity="group"),
    ]
    lag: Annotated[
        int | None,
        Cell(
            "Records that none of its groups has read; unknown if it has no group, or groups may be hidden.",
            unit="records",
        ),
    ]


VIEW = View(
    help="One row per topic asked for, with the groups that read it.",
    row=TopicReader,
    leaves_out="topics that were not asked for, where some were",
    inputs={
        "topic": Input("kafka_topic", columns=("name",)),
        "offset": Input("kafka_group_offset", columns=("group", "topic", "partition", "members", "lag")),
    },
    version=3,
    parameters={
        "topics": Parameter(type="list[string]", help="shell patterns of topics, as in [*.dlq, dlq-*]; all without"),
    },
)


def compute(*, topic: Fact, offset: Fact, topics: Sequence[str] | None = None) -> Observed:
    """Turn kafka_group_offset around, for topics of kafka_topic; where that has gaps, groups may be hidden."""
    groups: dict[str, dict[str, bool | None]] = {}
    lags: dict[tuple[str, int], list[int | None]] = {}
    for row in offset.rows():
        active = groups.setdefault(row["topic"], {})
        active[row["group"]] = None if row["members"] is None else bool(row["members"])
        lags.setdefault((row["topic"], row["partition"]), []).append(row["lag"])
    whole = offset.complete
    rows = []
    for name in (row["name"] for row in topic.rows()):
        if any(fnmatchcase(name, pattern) for pattern in (("*",) if topics is None else topics)):
            readers = groups.get(name, {})
            rows.append(
                TopicReader(
                    topic=name,
                    groups=[*readers] if readers or whole else None,
                    active=_manned(readers, whole=whole),
                    lag=_lag(name, lags) if whole else None,
                )
            )
    return Observed(rows=rows)


def _manned(readers: Mapping[str, bool | None], *, whole: bool) -> list[str] | None:
    """The readers that have members, as far as that is known."""
    manned = [reader for reader, there in readers.items() if there]
    return manned if manned or (whole and None not in readers.values()) else None


def _lag(topic: str, lags: dict[tuple[str, int], list[int | None]]) -> int | None:
    """The sum over partitions of what the group that is furthest has left."""
    least = [[lag for lag in of_group if lag is not None] for (name, _), of_group in lags.items() if name == topic]
    return sum(min(known) for known in least) if least and all(least) else None
