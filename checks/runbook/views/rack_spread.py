"""How the replicas of each partition are spread over the racks, against how they could be."""

from collections import Counter
from typing import Any

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Observed
from runbook.engine.view import View

VIEW = View(
    help="One row per partition: the racks its replicas are in, and how many they could be in.",
    columns=(
        Column("topic", "string", "Topic.", key=True, entity="topic"),
        Column("partition", "int", "Number within its topic.", key=True, entity="partition"),
        Column("replicas", "list[int]", "Brokers that hold a replica.", entity="broker"),
        Column("racks", "list[string]", "Distinct racks of the replicas.", entity="rack"),
        Column("spread", "int", "How many racks that is.", unit="racks"),
        Column("possible", "int", "The lesser of the replicas and of the racks that the cluster has.", unit="racks"),
        Column("crowded", "list[string]", "Racks that hold more than one of the replicas.", entity="rack"),
        Column("most", "int", "The greatest number of the replicas in one rack.", unit="replicas"),
    ),
    of=(("topic", "partition", "replicas"), ("broker", "rack")),
)


def compute(partition: Fact, broker: Fact, /) -> Observed:
    """Work out the spread from kafka_partition and kafka_broker.

    Where the rack of a replica's broker is not known, the cells that depend on it are None. Brokers without a rack
    are in none, and so widen no spread.
    """
    rack_of = dict(zip(broker.columns["broker"], broker.columns["rack"], strict=True))
    known = [rack for rack in rack_of.values() if rack is not None]
    racks = len({rack for rack in known if rack}) if len(known) == len(rack_of) else None
    spreads: dict[tuple[int, ...], tuple[Any, ...]] = {}
    rows = []
    for topic, number, replicas in zip(
        *(partition.columns[name] for name in ("topic", "partition", "replicas")), strict=True
    ):
        if replicas is None:
            rows.append((topic, number, None, None, None, None, None, None))
            continue
        key = tuple(replicas)
        if key not in spreads:
            spreads[key] = _spread([rack_of.get(node) for node in replicas], racks)
        rows.append((topic, number, replicas, *spreads[key]))
    return Observed(rows=rows)


def _spread(places: list[str | None], racks: int | None) -> tuple[Any, ...]:
    possible = None if racks is None else min(len(places), racks)
    if None in places:
        return None, None, possible, None, None
    counts = Counter(rack for rack in places if rack)
    crowded = sorted(rack for rack, count in counts.items() if rack is not None and count > 1)
    return sorted(filter(None, counts)), len(counts), possible, crowded, max(counts.values(), default=0)
