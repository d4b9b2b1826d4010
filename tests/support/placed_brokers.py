"""Facts about brokers, votes and partitions that stand in places, for tests of the views about data centres."""

from collections.abc import Mapping, Sequence
from typing import Any

from runbook.model.fact import Fact

SITES = ["east-*=east", "west-*=west"]
FOUR: dict[int, str | None] = {1: "east-1", 2: "west-1", 3: "east-2", 4: "west-2"}


def brokers(racks: Mapping[int, str | None], fenced: Sequence[int] = (), silent: Sequence[int] = ()) -> Fact:
    """kafka_broker, as far as views read it."""
    columns: dict[str, list[Any]] = {
        "broker": [*racks],
        "rack": [*racks.values()],
        "fenced": [node in fenced for node in racks],
        "answers": [node not in fenced and node not in silent for node in racks],
    }
    return Fact("kafka_broker", columns)


def voters(ages: Mapping[int, int | None]) -> Fact:
    """kafka_quorum, with an observer."""
    columns: dict[str, list[Any]] = {
        "node": [*ages, 99],
        "voter": [True] * len(ages) + [False],
        "last_caught_up_ms": [*ages.values(), 0],
    }
    return Fact("kafka_quorum", columns)


def partition(replicas: Any, isr: Any = None, needs: int | None = 3) -> Fact:
    """kafka_partition with one partition; in sync are all of its replicas if not said otherwise."""
    columns: dict[str, list[Any]] = {
        "topic": ["orders"],
        "partition": [0],
        "replicas": [replicas],
        "isr": [replicas if isr is None else isr],
        "elr": [[]],
        "needs": [needs],
        "unclean_leader_election": [False],
    }
    return Fact("kafka_partition", columns)
