"""Partitions and members that follow from what is written and read: only where a group falls behind all over."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import Annotated, Any, Final

from runbook.model.fact import Fact, Observed
from runbook.model.parameter import Parameter
from runbook.model.row import Cell
from runbook.model.view import Input, View
from runbook.views._recommendations import OBJECTIVES, Advice, InForceHere, Recommendation, rounded, told

_SOURCE: Final = (
    "Apache Kafka documentation, Operations: adding partitions moves keys; a partition is read by one member"
)


class RecommendedPartitionCount(Recommendation):
    """A topic and a group that reads it."""

    topic: Annotated[str, Cell("Topic.", key=True, entity="topic")]
    group: Annotated[str, Cell("Group id.", key=True, entity="group")]


_PROGRESS: Final = ("group", "topic", "partition", "progress", "read_rate", "write_rate")
VIEW = View(
    help="Two rows per topic, group and objective: how many members and partitions its rates ask for.",
    row=RecommendedPartitionCount,
    leaves_out="groups without members",
    inputs={
        "progress": Input("group_progress", columns=_PROGRESS),
        "lag": Input("kafka_group_lag", columns=("group", "topic", "members")),
    },
    parameters={
        "growth": Parameter("float", 1.0, min=0.1, help="times today's rate that is to be borne, as at the peak"),
    },
)


def compute(*, progress: Fact, lag: Fact, growth: float = 1.0) -> Observed:
    """Compute them from group_progress; hot partitions are no reason for more of them."""
    members = {(row["topic"], row["group"]): row["members"] for row in lag.rows("group", "topic", "members")}
    parts: dict[tuple[str, str], list[Mapping[str, Any]]] = defaultdict(list)
    for row in progress.rows(*_PROGRESS):
        parts[row["topic"], row["group"]].append(row)
    return Observed(
        rows=[
            RecommendedPartitionCount(topic=topic, group=group, **cells)
            for (topic, group), of in sorted(parts.items())
            if members.get((topic, group)) != 0
            for objective in OBJECTIVES
            for cells in _cells(of, members.get((topic, group)), growth, objective)
        ]
    )


def _cells(
    of: Sequence[Mapping[str, Any]], members: int | None, growth: float, objective: str
) -> Iterator[dict[str, Any]]:
    count = len(of)
    advice = _UNCOUNTED if members is None else _advice(of, members, growth)
    few = members is not None and members < count
    alone, wider = (advice, _left(advice, "members come first")) if few else (_left(advice, "each has one"), advice)
    group = InForceHere(None if members is None else str(members), "Kafka: group")
    yield told("members", objective, group, alone, _SOURCE)
    yield told("partitions", objective, InForceHere(str(count), "Kafka: topic"), wider, _SOURCE)


_UNCOUNTED: Final = Advice("", lacking="how many members the group has")


def _left(advice: Advice, inputs: str) -> Advice:
    """Leave the other of the two numbers."""
    return advice if advice.value is None else Advice(advice.formula, inputs)


def _advice(of: Sequence[Mapping[str, Any]], members: int, growth: float) -> Advice:
    """What is asked for in the number that bounds it now: members, or partitions where each has a member."""
    working = min(members, len(of))
    formula = f"partitions with a member x written / read x {growth:g} (`growth`), where most of them fall behind"
    rates = [(row["write_rate"], row["read_rate"]) for row in of]
    if any(None in rate for rate in rates) or any(row["progress"] is None for row in of):
        return Advice(formula, lacking="how fast the group reads some partition: two looks saw no commit there")
    written, read = (sum(rate[at] for rate in rates) for at in (0, 1))
    behind = [row["partition"] for row in of if row["progress"] == "falls behind"]
    inputs = f"{rounded(written)} records/s written, {rounded(read)} read; members: {members}, partitions: {len(of)}"
    if not behind:
        return Advice(formula, f"{inputs}: it does not fall behind")
    if len(behind) * 2 <= len(of):
        return Advice(
            formula, f"{inputs}: only {len(behind)} partitions fall behind (hot keys), and more would not help"
        )
    if not read:
        return Advice(formula, inputs, lacking="how fast the group reads: it read nothing between two looks")
    want = ceil(working * written / read * growth)
    if members < len(of):
        bounded = min(want, len(of))
        more = f"{want} would be needed: then add partitions" if want > bounded else ""
        return Advice(
            formula, inputs, str(max(bounded, members)), "one rebalance, and the resources of the members", more
        )
    warning = (
        "keys go to other partitions, so order by key breaks at the change; it can't be undone. Topics of Streams and "
        "compacted topics need a new topic"
    )
    return Advice(
        formula, inputs, str(max(want, len(of))), "more files, memory and election time on each broker", warning
    )
