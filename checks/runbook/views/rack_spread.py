"""How the replicas of each partition are spread over the racks, against how they could be."""

from collections import Counter
from typing import Annotated

from msgspec import Struct

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import BrokerId, PartitionNumber
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class RackSpread(Row):
    """A partition."""

    topic: Annotated[str, Cell("Topic.", key=True, entity="topic")]
    partition: Annotated[PartitionNumber, Cell("Number within its topic.", key=True)]
    replicas: Annotated[list[BrokerId] | None, Cell("Brokers that hold a replica.")]
    racks: Annotated[list[str] | None, Cell("Distinct racks of the replicas.", entity="rack")]
    spread: Annotated[int | None, Cell("How many racks that is.", unit="racks")]
    possible: Annotated[
        int | None, Cell("The lesser of the replicas and of the racks that the cluster has.", unit="racks")
    ]
    crowded: Annotated[list[str] | None, Cell("Racks that hold more than one of the replicas.", entity="rack")]
    most: Annotated[int | None, Cell("The greatest number of the replicas in one rack.", unit="replicas")]


VIEW = View(
    help="One row per partition: the racks its replicas are in, and how many they could be in.",
    row=RackSpread,
    inputs={
        "partition": Input("kafka_partition", columns=("topic", "partition", "replicas")),
        "broker": Input("kafka_broker", columns=("broker", "rack")),
    },
)


def compute(*, partition: Fact, broker: Fact) -> Observed:
    """Work out the spread from kafka_partition and kafka_broker.

    Where the rack of a replica's broker is not known, the cells that depend on it are None. Brokers without a rack
    are in none, and so widen no spread.
    """
    rack_of = dict(zip(broker.columns["broker"], broker.columns["rack"], strict=True))
    known = [rack for rack in rack_of.values() if rack is not None]
    racks = len({rack for rack in known if rack}) if len(known) == len(rack_of) else None
    spreads: dict[tuple[int, ...], _Spread] = {}
    rows = []
    topics, numbers = partition.columns["topic"], partition.columns["partition"]
    for place, replicas in enumerate(partition.columns["replicas"]):  # a mapping for each row would take longer
        key = None if replicas is None else tuple(replicas)
        if key is not None and key not in spreads:
            spreads[key] = _spread([rack_of.get(node) for node in key], racks)
        spread = _NOT_KNOWN if key is None else spreads[key]
        rows.append(
            RackSpread(
                topic=topics[place],
                partition=numbers[place],
                replicas=replicas,
                racks=spread.racks,
                spread=spread.count,
                possible=spread.possible,
                crowded=spread.crowded,
                most=spread.most,
            )
        )
    return Observed(rows=rows)


class _Spread(Struct, frozen=True, kw_only=True):
    racks: list[str] | None = None
    count: int | None = None
    possible: int | None = None
    crowded: list[str] | None = None
    most: int | None = None


_NOT_KNOWN = _Spread()


def _spread(places: list[str | None], racks: int | None) -> _Spread:
    possible = None if racks is None else min(len(places), racks)
    if None in places:
        return _Spread(possible=possible)
    counts = Counter(rack for rack in places if rack)
    return _Spread(
        racks=sorted(filter(None, counts)),
        count=len(counts),
        possible=possible,
        crowded=sorted(rack for rack, count in counts.items() if rack is not None and count > 1),
        most=max(counts.values(), default=0),
    )
