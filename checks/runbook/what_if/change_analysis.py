"""Foretell a change from the facts of one environment, and say how its facts would be afterwards."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct, structs

from runbook.model.fact import Fact
from runbook.model.sentence import each_shown
from runbook.rules.election import NOBODY
from runbook.run.collection.pinned_cluster import CLUSTER
from runbook.what_if.change_request import ChangeRequest, TopicPartitionKey
from runbook.what_if.partition_change import ClusterState, PartitionChange, ReplicaState, partition_changes

SIZES = "kafka_replica_size"


class RemovedBroker(Struct, frozen=True):
    """A broker that is to be taken out.

    Attributes:
        broker: its number.
        still_holds: partitions of which it would still be to hold a copy, as `orders-3`.
        stops: those of them that take acks=all writes now and would refuse them without it.
        votes: whether it is a voter of the controllers' quorum; None if that is not known.
    """

    broker: int
    still_holds: list[str]
    stops: list[str]
    votes: bool | None


class ChangeForecast(Struct, frozen=True):
    """What a change does.

    Attributes:
        partitions: those that it concerns.
        removed: brokers that are to be taken out.
        copied: bytes that are copied in all; None if that is not known.
        seconds: that the copies take at least at the throttle; None if it is not given, or not known.
        busiest: the broker that this is said of.
        missing: what could not be seen of it.
    """

    partitions: list[PartitionChange]
    removed: list[RemovedBroker] = []
    copied: int | None = 0
    seconds: float | None = None
    busiest: int | None = None
    missing: list[str] = []

    def stopped(self, when: Literal["meanwhile", "after"]) -> list[PartitionChange]:
        """The partitions that refuse acks=all writes then, and do not now."""
        return [one for one in self.partitions if one.stops(getattr(one, when))]

    @property
    def stuck(self) -> list[PartitionChange]:
        """Partitions of which the change begins and can't be done as things are."""
        return [one for one in self.partitions if one.stays]

    @property
    def refused(self) -> list[PartitionChange]:
        """Partitions that Kafka refuses to change so."""
        return [one for one in self.partitions if one.refused]

    @property
    def harms(self) -> bool:
        """Whether anything stops, can't be done or is left behind."""
        return bool(
            self.stopped("meanwhile")
            or self.stopped("after")
            or self.stuck
            or self.refused
            or any(one.still_holds for one in self.removed)
        )

    @property
    def unsure(self) -> list[PartitionChange]:
        """Partitions of which it is not known whether they stop."""
        return [one for one in self.partitions if None in (one.stops(one.meanwhile), one.stops(one.after))]


def foretell(facts: Mapping[str, Fact], change: ChangeRequest) -> tuple[ChangeForecast, dict[str, Fact]]:
    """Foretell a change.

    Args:
        facts: kafka_partition, kafka_broker, kafka_quorum, kafka_cluster and, for a plan, kafka_replica_size.
        change: which.

    Returns:
        What it does, and the facts as they would be when it is done; what can't be done stays as it is meanwhile.
    """
    partition, broker, quorum = (facts[name] for name in ("kafka_partition", "kafka_broker", "kafka_quorum"))
    sizes = facts.get(SIZES)
    found = list(partition_changes(partition, _cluster(broker, facts[CLUSTER], sizes), change))
    after = {
        **facts,
        "kafka_partition": _partitions_after(partition, found, change.removed),
        "kafka_broker": _brokers_after(broker, change.removed),
    }
    busiest, load = _busiest(found)
    unknown = any(one.copied is None for one in found)
    forecast = ChangeForecast(
        partitions=found,
        removed=[_removed(number, partition, after["kafka_partition"], quorum) for number in change.removed],
        copied=None if unknown else sum(one.copied or 0 for one in found),
        seconds=None if unknown or not change.throttle else load / change.throttle,
        busiest=busiest,
        missing=each_shown(gap.reason for gap in (sizes.gaps if sizes and unknown else [])),
    )
    return forecast, after


def _cluster(broker: Fact, cluster: Fact, sizes: Fact | None) -> ClusterState:
    told, mode = (next(iter(cluster.columns.get(name, [])), None) for name in ("kafka_version", "mode"))
    hosts = broker.columns.get("host", ["?"] * len(broker))
    cells = zip(broker.columns["broker"], broker.columns["fenced"], hosts, strict=True)
    places = (
        zip(*(sizes.columns[name] for name in ("topic", "partition", "broker", "size")), strict=True) if sizes else ()
    )
    return ClusterState(
        brokers={number: fenced for number, fenced, host in cells if host != ""},
        all_known=broker.complete,
        release=tuple(map(int, told.split(".")[:2])) if told else None,
        kraft=None if mode is None else mode == "kraft",
        sizes={(topic, number, node): size for topic, number, node, size in places},
    )


def _partitions_after(partition: Fact, found: Sequence[PartitionChange], removed: Sequence[int]) -> Fact:
    changes: dict[TopicPartitionKey, PartitionChange] = {(one.topic, one.partition): one for one in found}
    columns: dict[str, list[Any]] = {name: [] for name in partition.columns}
    for row in partition.rows():
        for name, cell in _row_after(row, changes.get((row["topic"], row["partition"])), {*removed}).items():
            columns[name].append(cell)
    return structs.replace(partition, columns=columns)


def _row_after(row: dict[str, Any], change: PartitionChange | None, removed: set[int]) -> dict[str, Any]:
    state = change.after if change else None
    after = row if state is None else row | structs.asdict(state)
    if state is not None and state.isr == state.replicas:
        after["elr"] = []
    if removed and after["isr"] is not None:
        isr = [node for node in after["isr"] if node not in removed]
        after = after | {"isr": isr}
        if after["leader"] in removed:
            after["leader"] = next(iter(isr), NOBODY)
    return after


def _brokers_after(broker: Fact, removed: Sequence[int]) -> Fact:
    if not removed:
        return broker
    fenced = [
        fence or number in removed
        for number, fence in zip(broker.columns["broker"], broker.columns["fenced"], strict=True)
    ]
    return structs.replace(broker, columns=broker.columns | {"fenced": fenced})


def _removed(number: int, before: Fact, after: Fact, quorum: Fact) -> RemovedBroker:
    held, stops = [], []
    for now, then in zip(before.rows(), after.rows(), strict=True):
        if number in (then["replicas"] or ()):
            held.append(f"{then['topic']}-{then['partition']}")
            if _state(now).refuses is False and _state(then).refuses:
                stops.append(held[-1])
    votes = [vote for node, vote in zip(quorum.columns["node"], quorum.columns["voter"], strict=True) if node == number]
    unknown = None in votes or not (votes or quorum.complete)
    return RemovedBroker(number, held, stops, None if unknown else any(votes))


def _state(row: Mapping[str, Any]) -> ReplicaState:
    return ReplicaState(row["leader"], row["replicas"], row["isr"], row["needs"])


def _busiest(found: Sequence[PartitionChange]) -> tuple[int | None, int]:
    """The broker that sends or takes the most bytes of copies, and how many: each way has its own throttle."""
    loads: defaultdict[tuple[str, int], int] = defaultdict(int)
    for one in found:
        if one.copied and one.now and one.now.leader is not None:
            loads["sends", one.now.leader] += one.copied
            for node in one.adding:
                loads["takes", node] += one.copied // len(one.adding)
    if not loads:
        return None, 0
    (_, broker), load = max(loads.items(), key=lambda item: item[1])
    return broker, load
