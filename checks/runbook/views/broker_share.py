"""How evenly the brokers share the work: what each holds, against the mean of those that could hold it as well."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import BrokerId, Bytes
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

_MEASURES = ("leaders", "replicas", "bytes")


class BrokerShare(Row):
    """A broker."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    leaders: Annotated[int | None, Cell("Partitions it leads.", unit="partitions")]
    replicas: Annotated[int | None, Cell("Replicas it holds.", unit="replicas")]
    bytes: Annotated[Bytes | None, Cell("What they take on its disks.")]
    leaders_share: Annotated[
        float | None, Cell("Its leaders over the mean of all brokers; 1.0 where no broker leads any.")
    ]
    replicas_share: Annotated[float | None, Cell("Its replicas over the mean of its peers.")]
    bytes_share: Annotated[float | None, Cell("Its bytes over the mean of its peers.")]
    mean_leaders: Annotated[float | None, Cell("Leaders of a broker on average.", unit="partitions")]
    mean_replicas: Annotated[float | None, Cell("Replicas of one of its peers on average.", unit="replicas")]
    mean_bytes: Annotated[float | None, Cell("Bytes of one of its peers on average.", unit="bytes")]
    peers: Annotated[
        int | None,
        Cell(
            "Brokers between which replicas can be shared out evenly, itself included: all, or those of its rack where "
            "racks have unequal numbers of brokers; unknown while the rack of one is.",
            unit="brokers",
        ),
    ]
    away: Annotated[
        list[BrokerId] | None,
        Cell("Brokers out of service, fenced or silent, whose work is with the others; unknown while that of one is."),
    ]


VIEW = View(
    help="One row per broker: its leaders, replicas and bytes, and each as a multiple of the mean.",
    row=BrokerShare,
    inputs={
        "balance": Input("kafka_replica_balance", columns=("broker", *_MEASURES)),
        "broker": Input("kafka_broker", columns=("broker", "rack", "fenced", "answers")),
    },
    version=2,
)


def compute(*, balance: Fact, broker: Fact) -> Observed:
    """Work out the shares from kafka_replica_balance; without a mean, as one broker did not tell, they are None.

    Where each rack gets a replica of each partition, the brokers of a small rack hold more than those of a large one:
    nothing but more brokers would change that. So they are compared with those of their rack (kafka_broker).
    """
    rows = list(balance.rows("broker", *_MEASURES))
    rack_of = {row["broker"]: row["rack"] for row in broker.rows("broker", "rack")}
    known = None not in rack_of.values()
    if not _are_uneven(rack_of):
        rack_of = {}
    together: dict[Any, list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        together[rack_of.get(row["broker"])].append(row)
    leaders = _mean([row["leaders"] for row in rows])
    away = _away(broker)
    shares = []
    for row in rows:
        peers = together[rack_of.get(row["broker"])] if known else []
        replicas, held = (_mean([peer[name] for peer in peers]) for name in ("replicas", "bytes"))
        shares.append(
            BrokerShare(
                broker=row["broker"],
                leaders=row["leaders"],
                replicas=row["replicas"],
                bytes=row["bytes"],
                leaders_share=_share(row["leaders"], leaders),
                replicas_share=_share(row["replicas"], replicas),
                bytes_share=_share(row["bytes"], held),
                mean_leaders=leaders,
                mean_replicas=replicas,
                mean_bytes=held,
                peers=len(peers) or None,
                away=away,
            )
        )
    return Observed(rows=shares)


def _away(brokers: Fact) -> list[BrokerId] | None:
    """The brokers that are out of service; None where it is not known of one."""
    rows = list(brokers.rows("broker", "fenced", "answers"))
    if any(row["fenced"] is None or (row["answers"] is None and not row["fenced"]) for row in rows):
        return None
    return [row["broker"] for row in rows if row["fenced"] or not row["answers"]]


def _are_uneven(rack_of: Mapping[int, str | None]) -> bool:
    """Whether all brokers name a rack, and racks have unequal numbers of them."""
    sizes = Counter(rack_of.values())
    return all(sizes) and len(set(sizes.values())) > 1


def _mean(values: Sequence[int | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known and len(known) == len(values) else None


def _share(value: int | None, mean: float | None) -> float | None:
    if value is None or mean is None:
        return None
    return value / mean if mean else 1.0
