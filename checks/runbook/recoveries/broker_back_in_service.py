"""Brokers that were out of service come back with their data, and what they hold catches up.

A broker that is back follows the leaders of its partitions; as soon as a replica has caught up, its leader puts it in
sync (KIP-497). What becomes of a partition without a leader is for `rules.election` to say. Leadership that had moved
returns some minutes later or not at all, so that who leads what has another leader than its first replica is not known.
"""

from typing import Any, NamedTuple

from runbook.model.fact import Fact, first_alike
from runbook.model.recovery import Recovery, Situation, changed, reveal
from runbook.recoveries._brokers import (
    ENTITY,
    UNTOUCHED,
    broker_seen,
    brokers_of,
    cluster_seen,
    down_in,
    latency_seen,
)
from runbook.rules.election import NOBODY, ElectionState, out_of_sync, when_back


class _Partition(NamedTuple):
    """What of a partition changes when brokers come back."""

    leader: int | None
    isr: list[int] | None
    elr: list[int] | None


_UNKNOWN = _Partition(None, None, None)
_STATE = ("leader", "replicas", "isr", "elr", "last_leader")


class _Seen(NamedTuple):
    """What was seen of a partition: the cells of `_STATE`, lists as tuples."""

    leader: int | None
    replicas: tuple[int, ...]
    isr: tuple[int, ...] | None
    elr: tuple[int, ...] | None
    last_leader: int | None

    def when_back(self, back: frozenset[int], down: frozenset[int]) -> _Partition:
        """The partition when brokers are back while others stay down.

        Of one that was told of others before, which are back too, the leader may not be known: somebody leads, or it
        hung on how they ended. Then all that serve are taken together.
        """
        if self.elr is None and not self.isr:
            return _UNKNOWN
        if self.isr is None:
            return self._replace(leader=NOBODY, isr=()).when_back(frozenset({*self.replicas} - down), down)
        if self.leader is None:
            joined = [node for node in self.replicas if node in self.isr or node in back]
            return _Partition(None, joined, [] if len(joined) == len(self.replicas) else None)
        last = NOBODY if self.last_leader is None else self.last_leader
        seen = ElectionState(self.replicas, self.isr, self.elr or (), self.leader, last)
        now = when_back(seen, back, {*self.replicas} - down, last_is_known=self.last_leader is not None)
        if now is None:
            return _Partition(None, None, [*seen.elr])
        if now is seen:
            return _Partition(self.leader, [*self.isr], None if self.elr is None else [*self.elr])
        returns = now.leader == self.leader and self.replicas[0] in back
        whole = len(now.isr) == len(self.replicas)
        return _Partition(None if returns else now.leader, [*now.isr], [] if whole else None)


def _after(fact: Fact, situation: Situation) -> list[_Partition]:
    """Each partition when they are back; of very many most are in one of a few states."""
    back, down = frozenset(brokers_of(situation)), down_in(situation)
    known: dict[_Seen, _Partition] = {}
    columns = [fact.columns[name] for name in _STATE]
    alike = first_alike(columns)
    found: dict[int, _Partition] = {}
    for row in {*alike}:
        cells = [column[row] for column in columns]
        seen = _Seen._make(tuple(cell) if isinstance(cell, list) else cell for cell in cells)
        if seen not in known:
            known[seen] = seen.when_back(back, down)
        found[row] = known[seen]
    return [*map(found.__getitem__, alike)]


def _partition(fact: Fact, situation: Situation) -> Fact:
    rows = _after(fact, situation)
    columns: dict[str, list[Any]] = {
        "leader": [row.leader for row in rows],
        "isr": [row.isr for row in rows],
        "elr": [row.elr for row in rows],
        "out_of_sync": [
            None if partition.isr is None else out_of_sync(replicas, partition.isr)
            for replicas, partition in zip(fact.columns["replicas"], rows, strict=True)
        ],
    }
    return changed(fact, columns, reveal(fact, ENTITY, brokers_of(situation)))


def _replica(fact: Fact, situation: Situation) -> Fact:
    partition = situation.facts.get("kafka_partition")
    if partition is None:
        nothing: list[Any] = [None] * len(fact)
        return changed(fact, {"in_sync": nothing, "leads": nothing}, fact.gaps)
    names = zip(partition.columns["topic"], partition.columns["partition"], strict=True)
    state = dict(zip(names, _after(partition, situation), strict=True))
    in_sync, leads = [], []
    for topic, number, broker in zip(*(fact.columns[name] for name in ("topic", "partition", "broker")), strict=True):
        now = state.get((topic, number), _UNKNOWN)
        in_sync.append(None if now.isr is None else broker in now.isr)
        leads.append(None if now.leader is None else broker == now.leader)
    return changed(fact, {"in_sync": in_sync, "leads": leads}, reveal(fact, ENTITY, brokers_of(situation)))


def _quorum(fact: Fact, situation: Situation) -> Fact:
    """Their rows keep up with the leader; where nobody leads yet, nothing is known of it.

    The vote of a node that runs on another disk stays with the disk that has it.
    """
    pairs = zip(fact.columns["node"], fact.columns["replaced_by"], strict=True)
    back = {*brokers_of(situation)} - {node for node, other in pairs if other}
    ends = [end for end, leads in zip(fact.columns["log_end_offset"], fact.columns["leader"], strict=True) if leads]

    def put(column: str, value: Any) -> list[Any]:
        return [
            value if node in back else cell
            for node, cell in zip(fact.columns["node"], fact.columns[column], strict=True)
        ]

    columns = {
        "lag": put("lag", 0),
        "last_caught_up_ms": put("last_caught_up_ms", 0),
        "last_fetch_ms": put("last_fetch_ms", 0),
        "log_end_offset": put("log_end_offset", ends[0] if ends else None),
    }
    return changed(fact, columns, reveal(fact, ENTITY, brokers_of(situation)))


def _balance(fact: Fact, situation: Situation) -> Fact:
    """What they hold and what comes home to them is as their replica lists say; who leads now is not known."""
    return changed(fact, {"leaders": [None] * len(fact)}, reveal(fact, ENTITY, brokers_of(situation)))


RECOVERY = Recovery(
    help="Brokers come back with their data, and what they hold catches up.",
    takes=("brokers",),
    sets={
        "kafka_broker": broker_seen,
        "kafka_broker_latency": latency_seen,
        "kafka_cluster": cluster_seen,
        "kafka_partition": _partition,
        "kafka_replica": _replica,
        "kafka_quorum": _quorum,
        "kafka_replica_balance": _balance,
    },
    leaves=UNTOUCHED,
    entity=ENTITY,
    of="brokers",
    sources=(
        "KIP-631: a broker that registers and has caught up with the metadata is unfenced",
        "KIP-497: the leader adds a replica that has caught up to those in sync",
        "KIP-966: eligible leader replicas",
    ),
)
