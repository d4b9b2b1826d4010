"""What would be lost with each data centre: broker_loss with data centres in place of racks."""

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Observed
from runbook.engine.view import View
from runbook.views import broker_loss
from runbook.views._data_centres import SITES, moved, placeless

_SAME = ("partitions", "topics", "refusing_writes", "offline", "at_risk", "worst_topics", "already")

VIEW = View(
    help="One row per data centre that may be lost. Counts are of the state after it, what is wrong already included.",
    columns=(
        Column("data_centre", "string", "What is lost.", key=True, entity="data_centre"),
        Column("brokers", "list[int]", "The brokers that are lost with it.", entity="broker"),
        Column("left", "int", "Brokers in service elsewhere.", unit="brokers"),
        *(column for column in broker_loss.VIEW.columns if column.name in _SAME),
    ),
    of=broker_loss.VIEW.of,
    needs=broker_loss.VIEW.needs,
    version=2,
    parameters={"sites": SITES},
)


def compute(partition: Fact, broker: Fact, /, *, sites: list[str] | None = None) -> Observed:
    """Work it out from kafka_partition and kafka_broker. One without a broker in service is no loss any more."""
    there = moved(broker, sites or [])
    told = broker_loss.compute(partition, there, racks=True)
    alive = sum(not fenced for fenced in broker.columns["fenced"])
    names = [column.name for column in broker_loss.VIEW.columns]
    rows = []
    for row in told.rows:
        cells = dict(zip(names, row, strict=True))
        if cells["kind"] == "rack":
            lost = cells["brokers"]
            rows.append((cells["racks"][0], lost, alive - len(lost), *(cells[name] for name in _SAME)))
    about_racks = {gap.reason for gap in broker_loss.racks_unknown(dict.fromkeys(broker.columns["broker"]))}
    others = [gap for gap in told.gaps if gap.reason not in about_racks]
    return Observed(rows=rows, gaps=[*placeless(there), *others])
