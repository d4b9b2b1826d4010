"""How far the data centres of a cluster are from each other, by the open connections between their brokers' hosts."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations
from typing import Annotated, Any

from runbook.model.fact import Fact, Gap, Observed
from runbook.model.quantity import MillisecondsExact
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views._data_centres import SITES, moved, placeless


class DataCentreRoundTrip(Row):
    """Two data centres in which brokers stand."""

    data_centre: Annotated[str, Cell("One of them.", key=True, entity="data_centre")]
    other: Annotated[str, Cell("The other; the pair is named once.", key=True, entity="data_centre")]
    pairs: Annotated[int, Cell("Pairs of hosts, one in each, that were measured.", unit="pairs")]
    least_ms: Annotated[
        MillisecondsExact | None,
        Cell("Round trip while idle: of the pair of hosts that is farthest apart; unknown if none was measured."),
    ]
    smoothed_ms: Annotated[
        MillisecondsExact | None, Cell("The greatest smoothed round trip of a pair, which grows as the link fills.")
    ]


VIEW = View(
    help="One row per pair of data centres: the round trips between the hosts of their brokers.",
    row=DataCentreRoundTrip,
    inputs={
        "broker": Input("kafka_broker", columns=("broker", "rack")),
        "trip": Input(
            "host_round_trip",
            columns=("host", "peer", "brokers", "peer_brokers", "least_ms", "smoothed_ms"),
            needs=("brokers", "peer_brokers", "least_ms", "smoothed_ms"),
        ),
    },
    parameters={"sites": SITES},
)


def compute(*, broker: Fact, trip: Fact, sites: Sequence[str] | None = None) -> Observed:
    """Work it out from kafka_broker and host_round_trip. A host with brokers of two data centres measures neither."""
    there = moved(broker, sites or [])
    centres = dict(zip(there.columns["broker"], there.columns["rack"], strict=True))
    found: dict[tuple[str, ...], list[dict[str, Any]]] = defaultdict(list)
    gaps = placeless(there)
    for row in trip.rows():
        ends = [{centres.get(node) for node in row[side]} for side in ("brokers", "peer_brokers")]
        names = [name for end in ends if len(end) == 1 for name in end if name is not None]
        if len(names) == len(ends):
            found[tuple(sorted(names))].append(row)
        elif any(len(end) > 1 for end in ends):
            gaps.append(Gap(f"{row['host']} or {row['peer']} has brokers of two data centres", {"host": row["host"]}))
    names = sorted({centre for centre in centres.values() if centre is not None})
    return Observed(rows=[_row(pair, found.get(pair, [])) for pair in combinations(names, 2)], gaps=gaps)


def _row(pair: tuple[str, str], trips: Sequence[dict[str, Any]]) -> DataCentreRoundTrip:
    return DataCentreRoundTrip(
        data_centre=pair[0],
        other=pair[1],
        pairs=len({frozenset((trip["host"], trip["peer"])) for trip in trips}),
        least_ms=max((trip["least_ms"] for trip in trips), default=None),
        smoothed_ms=max((trip["smoothed_ms"] for trip in trips), default=None),
    )
