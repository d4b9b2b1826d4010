"""The quotas of a source beside those of the target."""

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Observed
from runbook.engine.view import View

_ASKED = ("who", "limit", "value")

VIEW = View(
    help="One row per quota of the source.",
    columns=(
        Column("who", "string", "Whose it is, in words: user alice; every client.", key=True),
        Column("limit", "string", "producer_byte_rate, consumer_byte_rate, request_percentage, …", key=True),
        Column("source_value", "float", "Bytes a second, or percent of a thread, on each broker of the source."),
        Column("value", "float", "The same at the target; unknown if there is none."),
        Column("present", "bool", "Whether the target limits the same for the same."),
    ),
    of=(_ASKED, _ASKED),
)


def compute(source: Fact, target: Fact, /) -> Observed:
    """Pair two kafka_quota facts. A quota that is not seen is absent only if all of the target's were seen."""
    there = {(row["who"], row["limit"]): row["value"] for row in target.rows()}
    rows = []
    for one in source.rows():
        key = (one["who"], one["limit"])
        present = True if key in there else False if target.complete else None
        rows.append((*key, one["value"], there.get(key), present))
    return Observed(rows=rows)
