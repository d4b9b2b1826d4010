"""What a change makes of each partition: while copies are made, and when it is done. Kafka's rules, pure.

A reassignment (KIP-455) first gives a partition all its old and new replicas, and takes the old ones away once those
are in sync that its release awaits (`awaited_copies`). In between acks=all needs as many in sync as the minimum says,
at most as many as there are replicas, old and new: a copy that is being made counts there, and is not in sync.
"""

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from msgspec import Struct, structs

from runbook.model.fact import Fact
from runbook.rules.election import NOBODY, awaited_copies, copies_needed
from runbook.what_if.change_request import ChangeRequest, TopicPartitionKey


class ReplicaState(Struct, frozen=True):
    """What of a partition decides whether it takes writes; what is not known is None."""

    leader: int | None
    replicas: list[int]
    isr: list[int] | None
    needs: int | None

    @property
    def refuses(self) -> bool | None:
        """Whether it refuses acks=all writes."""
        if self.leader is not None and self.leader < 0:
            return True
        return None if None in (self.leader, self.isr, self.needs) else len(self.isr or ()) < (self.needs or 0)


class PartitionChange(Struct, frozen=True):
    """A partition, and what becomes of it. What is not known is None.

    Attributes:
        topic, partition: which.
        target: the brokers that are to hold it.
        now: as it is; None if there is no such partition.
        meanwhile: while copies are made; None if it does not begin, or is done at once.
        after: once it is done. What can't be done stays as it is meanwhile.
        adding: brokers that make a copy.
        lacking: copies that must be made before it takes acks=all writes again while they are made; 0: it takes them.
        waits_for: brokers that must be back before it can be done: they are out of service.
        refused: why Kafka refuses to begin; empty if it does not.
        copied: bytes that are copied for it.
    """

    topic: str
    partition: int
    target: list[int]
    now: ReplicaState | None
    meanwhile: ReplicaState | None
    after: ReplicaState | None
    adding: list[int] = []
    lacking: int | None = 0
    waits_for: list[int] = []
    refused: str = ""
    copied: int | None = 0

    @property
    def name(self) -> str:
        """The partition as Kafka's tools name it, as in orders-3."""
        return f"{self.topic}-{self.partition}"

    @property
    def stays(self) -> bool:
        """Whether the change begins and can't be done as things are: a broker is gone, or nobody leads."""
        return self.meanwhile is not None and bool(self.waits_for or self.meanwhile.leader == NOBODY)

    def stops(self, then: ReplicaState | None) -> bool | None:
        """Whether it refuses acks=all writes then and does not now; None if that is not known."""
        if self.now is None or then is None or self.now.refuses:
            return False
        return None if self.now.refuses is None else then.refuses


class ClusterState(NamedTuple):
    """What of a cluster decides over a change.

    Attributes:
        brokers: number -> whether it is out of service; None if that is not known.
        all_known: whether there are no others.
        release: of the brokers; None if it is not known.
        kraft: whether KRaft's controllers decide, not ZooKeeper's; None if that is not known.
        sizes: (topic, partition, broker) -> bytes of the replica.
    """

    brokers: Mapping[int, bool | None]
    all_known: bool
    release: tuple[int, ...] | None
    kraft: bool | None
    sizes: Mapping[tuple[str, int, int], int | None]


def partition_changes(partition: Fact, cluster: ClusterState, change: ChangeRequest) -> Iterator[PartitionChange]:
    """Work out what becomes of each partition that the change names; of others nothing changes."""
    there: set[TopicPartitionKey] = set()
    for row in partition.rows():
        key = (row["topic"], row["partition"])
        there.add(key)
        minimum = next((value for name, value in change.minimums.items() if fnmatchcase(row["topic"], name)), None)
        if key in change.plan or minimum is not None:
            yield _changed(row, change.plan.get(key), minimum, cluster)
    for topic, number in [key for key in change.plan if key not in there] if partition.complete else []:
        target = change.plan[topic, number]
        yield PartitionChange(topic, number, target, None, None, None, refused="there is no such partition")


def _changed(
    row: Mapping[str, Any], target: list[int] | None, minimum: int | None, cluster: ClusterState
) -> PartitionChange:
    now = ReplicaState(row["leader"], row["replicas"], row["isr"], row["needs"])
    wanted = now.replicas if target is None else target
    name, number = row["topic"], row["partition"]
    if refused := _refused(wanted, cluster):
        return PartitionChange(name, number, wanted, now, None, now, refused=refused)
    minimum = row.get("min_insync_replicas") if minimum is None else minimum
    adding = [node for node in wanted if node not in now.replicas]
    removing = [node for node in now.replicas if node not in wanted]
    awaited = awaited_copies(wanted, adding, removing, release=cluster.release, kraft=cluster.kraft)
    after = ReplicaState(now.leader, wanted, now.isr, copies_needed(minimum, len(wanted), cluster.release))
    stay = now.isr is not None and {*now.isr} & {*wanted}
    if not adding and (not removing or (stay and {*awaited} <= {*stay})):  # nothing is to be copied: it is done at once
        return PartitionChange(name, number, wanted, now, None, _led(after, awaited) if removing else after)
    both = [*wanted, *removing]
    meanwhile = structs.replace(after, replicas=both, needs=copies_needed(minimum, len(both), cluster.release))
    waits_for = [node for node in awaited if cluster.brokers.get(node)]
    size = cluster.sizes.get((name, number, now.leader)) if now.leader is not None else None
    return PartitionChange(
        name,
        number,
        wanted,
        now,
        meanwhile,
        meanwhile if waits_for or now.leader == NOBODY else _led(after, awaited),
        adding=adding,
        lacking=None if now.isr is None or meanwhile.needs is None else max(0, meanwhile.needs - len(now.isr)),
        waits_for=waits_for,
        copied=0 if not adding else None if size is None else size * len(adding),
    )


def _led(after: ReplicaState, awaited: tuple[int, ...]) -> ReplicaState:
    """Once it is done those awaited and those that were are in sync; where its leader goes the first of them leads."""
    isr = [node for node in after.replicas if node in (*(after.isr or ()), *awaited)]
    heirs = after.replicas if after.isr is None else isr
    leader = after.leader if after.leader in (None, *heirs) else heirs[0]
    known = after.isr is not None or isr == after.replicas
    return structs.replace(after, leader=leader, isr=isr if known else None)


def _refused(wanted: list[int], cluster: ClusterState) -> str:
    if not wanted:
        return "it is to have no replica"
    if twice := sorted({node for node in wanted if wanted.count(node) > 1}):
        return f"it is to have two replicas on broker {twice[0]}"
    strange = [node for node in wanted if node not in cluster.brokers]
    return f"broker {strange[0]} is not registered" if strange and cluster.all_known else ""
