"""Facts of a small cluster, as the probes of Kafka tell them: three brokers in three racks, partitions as wanted."""

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any

from runbook.model.fact import Fact, Gap
from runbook.model.recovery import Situation
from runbook.plugins.catalog import catalog

_RACKS = {1: "a", 2: "b", 3: "c"}


def fact(probe: str, rows: Iterable[Mapping[str, Any]], *gaps: Gap) -> Fact:
    """A fact with all columns of its probe; what a row does not say is not known."""
    names = [column.name for column in catalog("probes").load(probe).PROBE.columns]
    listed = list(rows)
    assert all(row.keys() <= {*names} for row in listed)
    return Fact(probe, {name: [row.get(name) for row in listed] for name in names}, list(gaps))


def brokers(*down: int, failure: str = "refused", fenced: bool = True) -> Fact:
    """The three brokers, some of them down."""
    return fact(
        "kafka_broker",
        [
            {
                "broker": node,
                "rack": rack,
                "host": "h",
                "port": 9092,
                "fenced": fenced and node in down,
                "unregistered": False,
                "registered": True,
                "answers": node not in down,
                "silence": f"it fails: {failure}" if node in down else "",
                "failure": failure if node in down else "",
                "waited_ms": 3000 + node if node in down else 11,
                "greeting_ms": None if node in down else 10,
                "in_service": node not in down,
            }
            for node, rack in _RACKS.items()
        ],
    )


def latencies(*slowest: int | None, down: Container[int] = ()) -> Fact:
    """The longest answers of the three brokers, some of which are down."""
    return fact(
        "kafka_broker_latency",
        [
            {
                "broker": node,
                "silence": "it fails" if node in down else "",
                "answers_ms": None if longest is None else [longest],
                "slowest_ms": longest,
            }
            for node, longest in zip(_RACKS, slowest, strict=True)
        ],
    )


def partition(number: int, leader: int, isr: Sequence[int], replicas: Sequence[int] = (1, 2, 3)) -> dict[str, Any]:
    """A partition of topic t that needs two in sync."""
    return {
        "topic": "t",
        "partition": number,
        "internal": False,
        "leader": leader,
        "preferred_leader": replicas[0],
        "replicas": [*replicas],
        "isr": [*isr],
        "out_of_sync": [node for node in replicas if node not in isr],
        "elr": [],
        "last_leader": -1,
        "racks": [],
        "min_insync_replicas": 2,
        "needs": 2,
        "unclean_leader_election": False,
    }


def partitions(*rows: dict[str, Any]) -> Fact:
    """kafka_partition."""
    return fact("kafka_partition", rows)


def situation(given: Mapping[str, Sequence[Any]], *facts: Fact) -> Situation:
    """What a recovery may read."""
    return Situation({fact.source: fact for fact in facts}, given)
