"""The data centres that a cluster stands in, by the racks of its brokers."""

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Observed
from runbook.engine.view import View
from runbook.views._data_centres import SITES, moved, placeless

VIEW = View(
    help="One row per data centre in which brokers stand.",
    columns=(
        Column("data_centre", "string", "Its name.", key=True, entity="data_centre"),
        Column("racks", "list[string]", "The racks in it.", entity="rack"),
        Column("brokers", "list[int]", "The brokers in it.", entity="broker"),
        Column("fenced", "list[int]", "Those of them that are out of service.", entity="broker"),
        Column(
            "data_centres",
            "int",
            "How many there are, the same in every row; unknown while a broker of unknown place could make one two.",
            unit="data centres",
        ),
    ),
    of=(("broker", "rack", "fenced"),),
    needs=(("fenced",),),
    version=2,
    parameters={"sites": SITES},
)


def compute(broker: Fact, /, *, sites: list[str] | None = None) -> Observed:
    """Work it out from kafka_broker. A broker whose place is not known is in none, and a gap."""
    there = moved(broker, sites or [])
    gaps = placeless(there)
    columns = zip(*(broker.columns[name] for name in ("broker", "rack", "fenced")), there.columns["rack"], strict=True)
    found: dict[str, list[tuple[int, str, bool]]] = {}
    for node, rack, fenced, centre in columns:
        if centre is not None:
            found.setdefault(centre, []).append((node, rack, fenced))
    many = len(found) if len(found) > 1 or not gaps else None
    rows = [
        (
            name,
            sorted({rack for _, rack, _ in inside if rack}),
            sorted(node for node, _, _ in inside),
            sorted(node for node, _, fenced in inside if fenced),
            many,
        )
        for name, inside in sorted(found.items())
    ]
    return Observed(rows=rows, gaps=gaps)
