"""The quotas of a source beside those of the target."""

from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

_ASKED = ("who", "limit", "value")


class MirroredQuota(Row):
    """A quota of the source."""

    who: Annotated[str, Cell("Whose it is, in words: user alice; every client.", key=True)]
    limit: Annotated[str, Cell("producer_byte_rate, consumer_byte_rate, request_percentage, …", key=True)]
    source_value: Annotated[float, Cell("Bytes a second, or percent of a thread, on each broker of the source.")]
    value: Annotated[float | None, Cell("The same at the target; unknown if there is none.")]
    present: Annotated[bool | None, Cell("Whether the target limits the same for the same.")]


VIEW = View(
    help="One row per quota of the source.",
    row=MirroredQuota,
    inputs={
        "source": Input("kafka_quota", columns=_ASKED, at="source"),
        "target": Input("kafka_quota", columns=_ASKED, at="target"),
    },
)


def compute(*, source: Fact, target: Fact) -> Observed:
    """Pair two kafka_quota facts. A quota that is not seen is absent only if all of the target's were seen."""
    there = {(row["who"], row["limit"]): row["value"] for row in target.rows()}
    rows = []
    for row in source.rows():
        key = (row["who"], row["limit"])
        present = target.presence(found=key in there)
        rows.append(
            MirroredQuota(
                who=row["who"],
                limit=row["limit"],
                source_value=row["value"],
                value=there.get(key),
                present=present,
            )
        )
    return Observed(rows=rows)
