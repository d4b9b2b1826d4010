"""How the copies of each partition are spread over data centres, and what that makes of an acknowledgement."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Observed
from runbook.engine.view import View
from runbook.views._data_centres import SITES, moved

_Spread = tuple[list[str] | None, int | None, int | None]

VIEW = View(
    help="One row per partition: in which data centres its copies are.",
    columns=(
        Column("topic", "string", "Topic.", key=True, entity="topic"),
        Column("partition", "int", "Number within its topic.", key=True, entity="partition"),
        Column("replicas", "list[int]", "Brokers that hold a copy.", entity="broker"),
        Column("data_centres", "list[string]", "Distinct data centres of the copies.", entity="data_centre"),
        Column(
            "in_sync_data_centres",
            "list[string]",
            "Distinct data centres of the copies that are in sync.",
            entity="data_centre",
        ),
        Column("most", "int", "The greatest number of the copies in one data centre.", unit="replicas"),
        Column(
            "fewest",
            "int",
            "The least number of them in one of the cluster's data centres; 0 where one has none.",
            unit="replicas",
        ),
        Column("needs", "int", "In-sync replicas that acks=all writes need.", unit="replicas"),
        Column(
            "crosses",
            "bool",
            "Whether what acks=all acknowledges is in two data centres: it needs more copies than any one has.",
        ),
    ),
    of=(("topic", "partition", "replicas", "isr", "needs"), ("broker", "rack")),
    parameters={"sites": SITES},
)


def compute(partition: Fact, broker: Fact, /, *, sites: list[str] | None = None) -> Observed:
    """Work it out from kafka_partition and kafka_broker; what a broker of unknown place decides is None."""
    there = moved(broker, sites or [])
    centre_of = dict(zip(there.columns["broker"], there.columns["rack"], strict=True))
    known = None if None in centre_of.values() else sorted({name for name in centre_of.values() if name})
    names = ("topic", "partition", "replicas", "isr", "needs")
    seen: dict[tuple[int, ...], _Spread] = {}  # few lists are different, of a hundred thousand partitions too

    def spread(nodes: list[int] | None) -> _Spread:
        if nodes is None:
            return None, None, None
        key = tuple(nodes)
        if key not in seen:
            seen[key] = _spread(key, centre_of, known)
        return seen[key]

    rows = []
    for topic, number, replicas, isr, needs in zip(*(partition.columns[name] for name in names), strict=True):
        centres, most, fewest = spread(replicas)
        in_sync = spread(isr)[0]
        crosses = None if needs is None or most is None else needs > most
        rows.append((topic, number, replicas, centres, in_sync, most, fewest, needs, crosses))
    return Observed(rows=rows)


def _spread(nodes: Sequence[int], centre_of: dict[int, str | None], known: list[str] | None) -> _Spread:
    """The data centres of some brokers, the most of them in one, and the fewest in one of the cluster's."""
    places: list[Any] = [centre_of.get(node) for node in nodes]
    if None in places:
        return None, None, None
    counts = Counter(places)
    fewest = min((counts[name] for name in known), default=0) if known is not None else None
    return sorted(counts), max(counts.values(), default=0), fewest
