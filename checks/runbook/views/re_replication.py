"""What must be copied to other brokers when a broker or a rack is lost for good, and whether it fits there."""

import heapq
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Literal, NamedTuple

from runbook.model.fact import Fact, Gap, Observed
from runbook.model.parameter import Parameter
from runbook.model.quantity import BrokerId, Bytes
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views._volumes import LOG_DIR, Volume, volumes_of

Kind = Literal["broker", "rack"]


class ReReplication(Row):
    """The loss of a broker or of a rack."""

    scenario: Annotated[str, Cell("What is lost, as in broker 2 or rack az-a.", key=True)]
    kind: Annotated[Kind, Cell("broker or rack.")]
    brokers: Annotated[list[BrokerId], Cell("Brokers that are lost.")]
    replicas: Annotated[int, Cell("Replicas that they hold.", unit="replicas")]
    unplaceable: Annotated[
        int,
        Cell("Replicas among them that no broker could take: each one left holds a copy already.", unit="replicas"),
    ]
    gone: Annotated[
        int, Cell("Replicas among them that can't be copied: no broker left holds their partition.", unit="replicas")
    ]
    left_out: Annotated[str, Cell("Both of these in words; empty if there is none.")]
    bytes: Annotated[Bytes, Cell("Bytes of those that must be copied.", moves=True)]
    room: Annotated[Bytes | None, Cell("Room on the brokers left, but for the part that stays free.", moves=True)]
    fits: Annotated[
        bool | None, Cell("Whether each finds a volume with room, the largest first, the emptiest volume first.")
    ]
    short_bytes: Annotated[Bytes | None, Cell("Bytes that find none.", moves=True)]


VIEW = View(
    help="One row per broker in service and per rack: the copies that its loss asks of the others, and their room.",
    row=ReReplication,
    inputs={
        "size": Input("kafka_replica_size", columns=("topic", "partition", "broker", "size"), needs=("broker", "size")),
        "log_dir": Input("kafka_log_dir", columns=LOG_DIR, needs=("error",)),
        "broker": Input("kafka_broker", columns=("broker", "rack", "fenced"), needs=("fenced",)),
    },
    parameters={
        "free": Parameter(type="int", default=15, min=0, max=90, help="percent of each volume that is to stay free"),
    },
)


class _Replica(NamedTuple):
    size: int
    broker: int
    partition: int  # numbered over all topics


class _Room(NamedTuple):
    """The brokers that are left, the room on their volumes as (bytes, broker), and whether all of it is known."""

    brokers: frozenset[int]
    volumes: Sequence[tuple[int, int]]
    known: bool


def compute(*, size: Fact, log_dir: Fact, broker: Fact, free: int = 15) -> Observed:
    """Place each copy that is lost, the largest first, on the volume with the most room of a broker without one.

    That it finds room this way proves that there is room. That it does not may be the way's fault where disks are
    nearly full anyway.
    """
    racks = {row["broker"]: row["rack"] for row in broker.rows("broker", "rack", "fenced") if not row["fenced"]}
    replicas, holders = _replicas(size)
    volumes = [one for one in volumes_of(log_dir) if one.broker in racks]
    losses: list[tuple[str, Kind, list[BrokerId]]] = [(f"broker {node}", "broker", [node]) for node in sorted(racks)]
    named = sorted({rack for rack in racks.values() if rack})
    if len(named) > 1:
        losses += [(f"rack {rack}", "rack", [node for node in sorted(racks) if racks[node] == rack]) for rack in named]
    rows = [
        _row(
            name,
            kind,
            lost,
            [one for node in lost for one in replicas[node]],
            holders,
            _room(volumes, frozenset(racks).difference(lost), free),
        )
        for name, kind, lost in losses
        if len(lost) < len(racks)
    ]
    gaps = [Gap(f"the rack of broker {node} is not known", {"broker": node}) for node in racks if racks[node] is None]
    return Observed(rows=rows, gaps=gaps)


def _replicas(size: Fact) -> tuple[Mapping[int, list[_Replica]], list[set[int]]]:
    """The replicas of each broker, and the brokers that hold each partition."""
    numbers: dict[tuple[str, int], int] = {}
    holders: list[set[int]] = []
    by_broker: dict[int, list[_Replica]] = defaultdict(list)
    cells = (size.columns[name] for name in ("topic", "partition", "broker", "size"))
    for topic, partition, broker, held in zip(*cells, strict=True):
        number = numbers.setdefault((topic, partition), len(numbers))
        if number == len(holders):
            holders.append(set())
        holders[number].add(broker)
        by_broker[broker].append(_Replica(held, broker, number))
    return by_broker, holders


def _room(volumes: Iterable[Volume], brokers: frozenset[int], free: int) -> _Room:
    left = [one for one in volumes if one.broker in brokers]
    known = [
        (one.usable - one.total * free // 100, one.broker)
        for one in left
        if one.usable is not None and one.total is not None
    ]
    whole = len(known) == len(left) and brokers == {one.broker for one in left}
    return _Room(brokers, [(room, broker) for room, broker in known if room > 0], whole)


def _row(
    name: str,
    kind: Kind,
    lost: list[BrokerId],
    replicas: Sequence[_Replica],
    holders: Sequence[set[int]],
    room: _Room,
) -> ReReplication:
    copies = Counter[int]()
    taking = []
    kept = [one for one in replicas if room.brokers & holders[one.partition]]
    for one in kept:
        copies[one.partition] += 1
        if copies[one.partition] <= len(room.brokers - holders[one.partition]):
            taking.append(one)
    nowhere, gone = len(kept) - len(taking), len(replicas) - len(kept)
    short = _short(taking, holders, room.volumes)
    unknown = short > 0 and not room.known
    return ReReplication(
        scenario=name,
        kind=kind,
        brokers=lost,
        replicas=len(replicas),
        unplaceable=nowhere,
        gone=gone,
        left_out=_left_out(nowhere, gone),
        bytes=Bytes(sum(one.size for one in taking)),
        room=Bytes(sum(free for free, _ in room.volumes)) if room.known else None,
        fits=None if unknown else short == 0,
        short_bytes=None if unknown else Bytes(short),
    )


def _left_out(nowhere: int, gone: int) -> str:
    words = [f"replicas that no broker can take, as each one left holds a copy: {nowhere}"] if nowhere else []
    words += [f"replicas that can't be copied, as no broker left holds their partition: {gone}"] if gone else []
    return "; ".join(words)


def _short(replicas: Sequence[_Replica], holders: Sequence[set[int]], volumes: Iterable[tuple[int, int]]) -> int:
    """Bytes of replicas that find no room."""
    heap = [(-free, broker) for free, broker in volumes]
    heapq.heapify(heap)
    short, placed = 0, defaultdict[int, set[int]](set)
    for one in sorted(replicas, reverse=True):
        passed = []
        while heap and heap[0][1] in holders[one.partition] | placed[one.partition]:
            passed.append(heapq.heappop(heap))
        if heap and -heap[0][0] >= one.size:
            free, broker = heap[0]
            heapq.heapreplace(heap, (free + one.size, broker))
            placed[one.partition].add(broker)
        else:
            short += one.size
        for entry in passed:
            heapq.heappush(heap, entry)
    return short
