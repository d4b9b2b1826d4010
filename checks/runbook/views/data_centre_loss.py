"""What would be lost with each data centre: broker_loss with data centres in place of racks."""

from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell
from runbook.model.view import View
from runbook.views import broker_loss
from runbook.views._data_centres import SITES, moved, placeless


class DataCentreLoss(broker_loss.Harmed):
    """A data centre, and what its loss does."""

    own_first = True

    data_centre: Annotated[str, Cell("What is lost.", key=True, entity="data_centre")]
    brokers: Annotated[list[BrokerId], Cell("The brokers that are lost with it.")]
    left: Annotated[int, Cell("Brokers in service elsewhere.", unit="brokers")]


VIEW = View(
    help="One row per data centre that may be lost. Counts are of the state after it, what is wrong already included.",
    row=DataCentreLoss,
    inputs=broker_loss.VIEW.inputs,
    version=2,
    parameters={"sites": SITES},
)


def compute(*, partition: Fact, broker: Fact, sites: list[str] | None = None) -> Observed:
    """Work it out from kafka_partition and kafka_broker. One without a broker in service is no loss any more."""
    there = moved(broker, sites or [])
    losses = broker_loss.compute(partition=partition, broker=there, racks=True)
    alive = sum(not fenced for fenced in broker.columns["fenced"])
    rows = [
        DataCentreLoss(
            data_centre=lost.racks[0],
            brokers=lost.brokers,
            left=alive - len(lost.brokers),
            partitions=lost.partitions,
            topics=lost.topics,
            refusing_writes=lost.refusing_writes,
            offline=lost.offline,
            at_risk=lost.at_risk,
            worst_topics=lost.worst_topics,
            already=lost.already,
        )
        for lost in losses.rows
        if lost.kind == "rack"
    ]
    about_racks = broker_loss.racks_unknown(dict.fromkeys(broker.columns["broker"]))
    others = [gap for gap in losses.gaps if gap not in about_racks]
    return Observed(rows=rows, gaps=[*placeless(there), *others])
