"""How much a flow copies, over all of its partitions."""

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Observed
from runbook.engine.view import View

VIEW = View(
    help="One row per target of the applications that mirror.",
    columns=(
        Column("target", "string", "Alias of the target cluster.", key=True),
        Column("partitions", "int", "Partitions that are copied there.", unit="partitions"),
        Column(
            "bytes_per_second",
            "float",
            "Bytes a second that are copied there, by what MirrorMaker counts; unknown if one partition's is.",
        ),
    ),
    of=(("target", "byte_rate"),),
)


def compute(partition: Fact, /) -> Observed:
    """Work it out from mirror_partition."""
    found: dict[str, list[float | None]] = {}
    for target, rate in zip(partition.columns["target"], partition.columns["byte_rate"], strict=True):
        found.setdefault(target, []).append(rate)
    rows = []
    for target, rates in sorted(found.items()):
        known = [rate for rate in rates if rate is not None]
        rows.append((target, len(rates), sum(known) if len(known) == len(rates) else None))
    return Observed(rows=rows)
