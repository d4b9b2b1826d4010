"""How much a flow copies, over all of its partitions."""

from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class MirrorLoad(Row):
    """A target of the applications that mirror."""

    target: Annotated[str, Cell("Alias of the target cluster.", key=True)]
    partitions: Annotated[int, Cell("Partitions that are copied there.", unit="partitions")]
    bytes_per_second: Annotated[
        float | None,
        Cell("Bytes a second that are copied there, by what MirrorMaker counts; unknown if one partition's is."),
    ]


VIEW = View(
    help="One row per target of the applications that mirror.",
    row=MirrorLoad,
    inputs={
        "partition": Input("mirror_partition", columns=("target", "byte_rate"), at="target"),
    },
)


def compute(*, partition: Fact) -> Observed:
    """Work it out from mirror_partition."""
    found: dict[str, list[float | None]] = {}
    for target, rate in zip(partition.columns["target"], partition.columns["byte_rate"], strict=True):
        found.setdefault(target, []).append(rate)
    rows = []
    for target, rates in sorted(found.items()):
        known = [rate for rate in rates if rate is not None]
        rows.append(
            MirrorLoad(
                target=target, partitions=len(rates), bytes_per_second=sum(known) if len(known) == len(rates) else None
            )
        )
    return Observed(rows=rows)
