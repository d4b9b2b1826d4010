"""How the copies of each partition are spread over data centres, and what that makes of an acknowledgement."""

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import Struct

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import BrokerId, PartitionNumber
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views._data_centres import SITES, moved


class _Spread(Struct, frozen=True, kw_only=True):
    places: list[str] | None = None
    most: int | None = None
    fewest: int | None = None


_NOT_KNOWN = _Spread()


class DataCentreSpread(Row):
    """A partition."""

    topic: Annotated[str, Cell("Topic.", key=True, entity="topic")]
    partition: Annotated[PartitionNumber, Cell("Number within its topic.", key=True)]
    replicas: Annotated[list[BrokerId] | None, Cell("Brokers that hold a copy.")]
    data_centres: Annotated[list[str] | None, Cell("Distinct data centres of the copies.", entity="data_centre")]
    in_sync_data_centres: Annotated[
        list[str] | None, Cell("Distinct data centres of the copies that are in sync.", entity="data_centre")
    ]
    most: Annotated[int | None, Cell("The greatest number of the copies in one data centre.", unit="replicas")]
    fewest: Annotated[
        int | None,
        Cell("The least number of them in one of the cluster's data centres; 0 where one has none.", unit="replicas"),
    ]
    needs: Annotated[int | None, Cell("In-sync replicas that acks=all writes need.", unit="replicas")]
    crosses: Annotated[
        bool | None,
        Cell("Whether what acks=all acknowledges is in two data centres: it needs more copies than any one has."),
    ]


VIEW = View(
    help="One row per partition: in which data centres its copies are.",
    row=DataCentreSpread,
    inputs={
        "partition": Input("kafka_partition", columns=("topic", "partition", "replicas", "isr", "needs")),
        "broker": Input("kafka_broker", columns=("broker", "rack")),
    },
    parameters={"sites": SITES},
)


def compute(*, partition: Fact, broker: Fact, sites: list[str] | None = None) -> Observed:
    """Work it out from kafka_partition and kafka_broker; what a broker of unknown place decides is None."""
    there = moved(broker, sites or [])
    centre_of = dict(zip(there.columns["broker"], there.columns["rack"], strict=True))
    known = None if None in centre_of.values() else sorted({name for name in centre_of.values() if name})
    seen: dict[tuple[int, ...], _Spread] = {}  # few lists are different, of a hundred thousand partitions too

    def spread(nodes: list[int] | None) -> _Spread:
        if nodes is None:
            return _NOT_KNOWN
        key = tuple(nodes)
        if key not in seen:
            seen[key] = _spread(key, centre_of, known)
        return seen[key]

    rows = []
    topics, numbers = partition.columns["topic"], partition.columns["partition"]
    needed, in_sync = partition.columns["needs"], partition.columns["isr"]
    for place, replicas in enumerate(partition.columns["replicas"]):  # a mapping for each row would take longer
        of, needs = spread(replicas), needed[place]
        rows.append(
            DataCentreSpread(
                topic=topics[place],
                partition=numbers[place],
                replicas=replicas,
                data_centres=of.places,
                in_sync_data_centres=spread(in_sync[place]).places,
                most=of.most,
                fewest=of.fewest,
                needs=needs,
                crosses=None if needs is None or of.most is None else needs > of.most,
            )
        )
    return Observed(rows=rows)


def _spread(nodes: Sequence[int], centre_of: dict[int, str | None], known: list[str] | None) -> _Spread:
    """The data centres of some brokers, the most of them in one, and the fewest in one of the cluster's."""
    places: list[Any] = [centre_of.get(node) for node in nodes]
    if None in places:
        return _NOT_KNOWN
    counts = Counter(places)
    fewest = min((counts[name] for name in known), default=0) if known is not None else None
    return _Spread(places=sorted(counts), most=max(counts.values(), default=0), fewest=fewest)
