"""Input topics of Kafka Streams applications that have more partitions than the application was set up for."""

from collections import defaultdict
from typing import Annotated, Any, Final

from runbook.model.fact import Fact, Observed
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class StreamsInput(Row):
    """A topic that an application reads which has internal topics of its own."""

    group: Annotated[str, Cell("Group id, which is the application.id.", key=True, entity="group")]
    topic: Annotated[str, Cell("Topic that it reads; no internal one.", key=True, entity="topic")]
    partitions: Annotated[int, Cell("Partitions that the topic has.", unit="partitions")]
    committed: Annotated[
        int | None,
        Cell("So many of them, from 0 on, the group has committed in, and in no other; unknown where they are others."),
    ]
    narrow: Annotated[
        list[str] | None,
        Cell(
            "Repartition and changelog topics of the application that have as many partitions as `committed`, "
            "fewer than the topic has; unknown where not all commits are known."
        ),
    ]


_LAG: Final = ("group", "topic", "partition", "commits")
_INTERNAL: Final = ("-repartition", "-changelog")
VIEW = View(
    help="One row per Kafka Streams application and input topic, with the internal topics that are narrower.",
    row=StreamsInput,
    leaves_out="groups without a repartition or changelog topic of their own, and these topics",
    inputs={
        "lag": Input("kafka_group_lag", columns=_LAG),
        "topic": Input("kafka_topic", columns=("name", "partitions")),
    },
)


def compute(*, lag: Fact, topic: Fact) -> Observed:
    """Compare the topics that a group has committed in with those whose names begin with the group's."""
    width = {row["name"]: row["partitions"] for row in topic.rows("name", "partitions")}
    commits: dict[tuple[str, str], dict[int, Any]] = defaultdict(dict)
    for row in lag.rows(*_LAG):
        commits[row["group"], row["topic"]][row["partition"]] = row["commits"]
    groups = {group for group, _ in commits}
    rows = []
    for (group, name), by_partition in commits.items():
        own = [of for of in width if _owner(of, groups) == group]
        if own and name not in own and name in width:
            committed = _first(by_partition)
            rows.append(
                StreamsInput(
                    group=group,
                    topic=name,
                    partitions=width[name],
                    committed=committed,
                    narrow=None
                    if None in by_partition.values()
                    else [of for of in own if committed and width[of] == committed < width[name]],
                )
            )
    return Observed(rows=rows)


def _owner(topic: str, groups: set[str]) -> str:
    """The application whose internal topic it is: the longest name that the topic's begins with; "" for none."""
    named = [group for group in groups if topic.startswith(f"{group}-") and topic.endswith(_INTERNAL)]
    return max(named, key=len, default="")


def _first(commits: dict[int, Any]) -> int | None:
    """How many partitions from 0 on have commits, where all others are known to have none."""
    first = sum(bool(known) for known in commits.values())
    expected = [number < first for number in range(len(commits))]
    return first if [commits.get(number) for number in range(len(commits))] == expected else None
