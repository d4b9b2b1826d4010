"""What the remaining brokers send and lead when a broker or a rack is lost, by the mean rates of the records kept."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Final, Literal, NamedTuple

from runbook.model import moment
from runbook.model.fact import Fact, Gap, Observed
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

_UNTOLD: Final = "the size of a partition's leader, or the time of its oldest record, is not known"
_PARTITION: Final = ("topic", "partition", "leader", "replicas", "isr")


class LoadAfterLoss(Row):
    """The loss of a broker or of a rack."""

    scenario: Annotated[str, Cell("What is lost, as in broker 2 or rack az-a.", key=True)]
    kind: Annotated[Literal["broker", "rack"], Cell("broker or rack.")]
    lost: Annotated[list[BrokerId], Cell("Brokers that are lost.")]
    busiest: Annotated[
        BrokerId | None,
        Cell("Remaining broker that then sends or receives most; -1 where none remains.", untold=_UNTOLD),
    ]
    received: Annotated[
        float | None,
        Cell("What it then receives from producers and leaders.", unit="bytes/s", untold=_UNTOLD, moves=True),
    ]
    sent: Annotated[
        float | None, Cell("What it then sends to followers and groups.", unit="bytes/s", untold=_UNTOLD, moves=True)
    ]
    sent_now: Annotated[float | None, Cell("What it sends now.", unit="bytes/s", untold=_UNTOLD, moves=True)]
    leaders: Annotated[int | None, Cell("Partitions that it then leads.", unit="partitions", untold=_UNTOLD)]
    leaders_now: Annotated[int | None, Cell("Partitions that it leads now.", unit="partitions", untold=_UNTOLD)]
    offline: Annotated[int, Cell("Partitions that no in-sync replica can lead then.", unit="partitions")]


VIEW = View(
    help="One row per broker in service and per rack: the load of the busiest remaining broker after its loss.",
    row=LoadAfterLoss,
    inputs={
        "partition": Input("kafka_partition", columns=_PARTITION, needs=("leader", "replicas", "isr")),
        "broker": Input("kafka_broker", columns=("broker", "rack", "fenced"), needs=("fenced",)),
        "offset": Input("kafka_partition_offset", columns=("topic", "partition", "records", "oldest")),
        "size": Input("kafka_replica_size", columns=("topic", "partition", "broker", "size")),
        "member": Input("kafka_group_member", columns=("group", "topics"), needs=("topics",)),
    },
)


class _Part(NamedTuple):
    """A partition: who leads it, holds it and is in sync; bytes a second, None if not known; groups that read it."""

    leader: int
    replicas: Sequence[int]
    isr: Sequence[int]
    rate: float | None
    readers: int


class _Load(NamedTuple):
    """What brokers receive, send and lead, and how many partitions nobody leads."""

    received: defaultdict[int, float]
    sent: defaultdict[int, float]
    leaders: Counter[int]
    offline: int


def compute(*, partition: Fact, broker: Fact, offset: Fact, size: Fact, member: Fact) -> Observed:
    """Let the first in-sync replica lead what was led by a lost broker (as Kafka elects), and add up."""
    racks = {row["broker"]: row["rack"] for row in broker.rows("broker", "rack", "fenced") if not row["fenced"]}
    parts = _parts(partition, _rates(offset, size), member)
    now = _load(parts, frozenset())
    losses: list[tuple[str, Literal["broker", "rack"], list[int]]] = [
        (f"broker {n}", "broker", [n]) for n in sorted(racks)
    ]
    named = sorted({rack for rack in racks.values() if rack})
    if len(named) > 1:
        losses += [(f"rack {rack}", "rack", [n for n in sorted(racks) if racks[n] == rack]) for rack in named]
    known = all(part.rate is not None for part in parts)
    gaps = [Gap(f"the rack of broker {n} is not known", {"broker": n}) for n in racks if racks[n] is None]
    return Observed(rows=[_row(*loss, racks, now, parts, known=known) for loss in losses], gaps=gaps)


def _rates(offset: Fact, size: Fact) -> Mapping[tuple[str, int, int], float | None]:
    """Mean bytes a second of each replica: its bytes over the age of its oldest record."""
    now = moment.read(offset.collected_at).timestamp() if offset.collected_at else None
    spans = {(row["topic"], row["partition"]): row for row in offset.rows("topic", "partition", "records", "oldest")}
    found: dict[tuple[str, int, int], float | None] = {}
    for row in size.rows("topic", "partition", "broker", "size"):
        span = spans.get((row["topic"], row["partition"]))
        age = (
            None if span is None or now is None or not span["oldest"] else now - moment.read(span["oldest"]).timestamp()
        )
        empty = span is not None and span["records"] == 0
        rate = 0.0 if empty else row["size"] / age if age and age > 0 and row["size"] is not None else None
        found[row["topic"], row["partition"], row["broker"]] = rate
    return found


def _parts(partition: Fact, rates: Mapping[tuple[str, int, int], float | None], member: Fact) -> list[_Part]:
    readers: dict[str, set[str]] = defaultdict(set)
    for row in member.rows("group", "topics"):
        for topic in row["topics"]:
            readers[topic].add(row["group"])
    return [
        _Part(
            row["leader"],
            row["replicas"],
            row["isr"],
            rates.get((row["topic"], row["partition"], row["leader"])),
            len(readers[row["topic"]]),
        )
        for row in partition.rows(*_PARTITION)
    ]


def _load(parts: Iterable[_Part], lost: frozenset[int]) -> _Load:
    load = _Load(defaultdict(float), defaultdict(float), Counter(), 0)
    offline = 0
    for part in parts:
        left = [node for node in part.replicas if node not in lost]
        leader = part.leader if part.leader in left else next((node for node in left if node in part.isr), None)
        if leader is None:
            offline += 1
            continue
        load.leaders[leader] += 1
        # not made up: where a rate is not known, `_row` tells no sum
        rate = part.rate or 0.0
        for node in left:
            load.received[node] += rate
        load.sent[leader] += rate * (len(left) - 1 + part.readers)
    return load._replace(offline=offline)


def _row(  # noqa: PLR0913 - the loss, and what it is worked out from
    name: str,
    kind: Literal["broker", "rack"],
    lost: list[int],
    racks: Mapping[int, Any],
    now: _Load,
    parts: Sequence[_Part],
    *,
    known: bool,
) -> LoadAfterLoss:
    after = _load(parts, frozenset(lost))
    busiest = max(
        (n for n in sorted(racks) if n not in lost),
        key=lambda n: (max(after.sent[n], after.received[n]), after.leaders[n]),  # a card has as much room either way
        default=-1,
    )
    return LoadAfterLoss(
        scenario=name,
        kind=kind,
        lost=[BrokerId(n) for n in lost],
        busiest=BrokerId(busiest) if known else None,
        received=after.received[busiest] if known else None,
        sent=after.sent[busiest] if known else None,
        sent_now=now.sent[busiest] if known else None,
        leaders=after.leaders[busiest] if known else None,
        leaders_now=now.leaders[busiest] if known else None,
        offline=after.offline,
    )
