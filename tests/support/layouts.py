"""Generated layouts, side by side as topics of one cluster: of every kind, from the strictest to the laxest."""

import time
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from random import Random
from typing import Any, Final, NamedTuple

from kafka_lab import LabState
from kafka_lab.admin import change_settings, kafka_python, partitions
from kafka_lab.content import delete_topics, write_ballast
from kafka_lab.replicas import reassign
from kafka_lab.waiting import wait_until, wait_until_all_see
from support.losses_tried import Place, Records, missing, read

LAYOUTS: Final = 24
LAGGING: Final = 5
PARTITIONS: Final = 2
BALLAST: Final = 6 << 20  # bytes; a copy that is throttled gets a fetch of 1 MiB when it or its broker starts, no more
_THROTTLED: Final = "follower.replication.throttled.replicas"
_RATE: Final = "follower.replication.throttled.rate"
_STILL: Final = 2.0  # seconds without change before a look: by then the followers have heard what is acknowledged
_WITHIN: Final = 120.0
IN_SYNC: Final = "all copies but those that lag are in sync"

InSync = dict[Place, tuple[int, frozenset[int]]]
"""Who leads each partition, and who is in sync with it."""


class Layout(NamedTuple):
    """A topic: where the copies of each partition are, and what it asks for."""

    name: str
    replicas: dict[int, list[int]]
    min_isr: int
    unclean: bool
    lagging: bool


def layouts(brokers: int) -> list[Layout]:
    """The same ones each time for so many brokers; some have copies that lag for good."""
    random = Random(8)
    made = []
    for number in range(LAYOUTS):
        lagging = number < LAGGING
        factor = random.randint(2, brokers) if lagging else number % brokers + 1
        replicas = {number: random.sample(range(1, brokers + 1), factor) for number in range(PARTITIONS)}
        min_isr = 1 if lagging else random.randint(1, factor + (factor < 3))
        unclean = number % 2 == 0 if lagging else random.random() < 0.3
        made.append(Layout(f"layout-{number:02}", replicas, min_isr, unclean, lagging))
    return made


def with_copies(made: Sequence[Layout], most: int) -> tuple[str, ...]:
    """The topics that have at most so many copies."""
    return tuple(layout.name for layout in made if max(map(len, layout.replicas.values())) <= most)


def places(made: Sequence[Layout]) -> list[Place]:
    """Their partitions."""
    return [(layout.name, number) for layout in made for number in layout.replicas]


def named(found: AbstractSet[Place]) -> list[str]:
    """Partitions as TOPIC/PARTITION, in their order."""
    return [f"{topic}/{number}" for topic, number in sorted(found)]


def create(lab: LabState, made: Sequence[Layout]) -> None:
    """Create them as topics. Copies that are to lag are taken away, and come back at a byte a second."""
    from kafka.admin import NewTopic

    topics = [
        NewTopic(
            layout.name,
            replica_assignments=layout.replicas,
            topic_configs={
                "min.insync.replicas": str(layout.min_isr),
                "unclean.leader.election.enable": str(layout.unclean).lower(),
            },
        )
        for layout in made
    ]
    with kafka_python(lab) as admin:
        admin.create_topics(topics)
    names = {layout.name for layout in made}
    wait_until_all_see(lab, lambda seen: names <= set(seen.topics), "the layouts", within=240)
    if lagging := [layout for layout in made if layout.lagging]:
        _let_lag(lab, lagging)


def _let_lag(lab: LabState, lagging: Sequence[Layout]) -> None:
    reassign(lab, {(layout.name, number): nodes[:1] for layout in lagging for number, nodes in layout.replicas.items()})
    wait_until_all_see(lab, lambda seen: _alone(seen, lagging), "copies to go", within=240)
    for layout in lagging:
        write_ballast(lab, layout.name, [*layout.replicas], BALLAST)
    change_settings(lab, "topic", {layout.name: {_THROTTLED: "*"} for layout in lagging})
    change_settings(lab, "broker", {str(broker.number): {_RATE: "1"} for broker in lab.brokers})
    reassign(lab, {(layout.name, number): nodes for layout in lagging for number, nodes in layout.replicas.items()})


def _alone(seen: Any, made: Sequence[Layout]) -> bool:
    copies = [partition.replicas for layout in made for partition in seen.topics[layout.name].partitions.values()]
    return {len(copy) for copy in copies} == {1}


def delete(lab: LabState, made: Sequence[Layout]) -> None:
    """Delete the topics, once their copies are made: in ZooKeeper mode none is deleted before."""
    change_settings(lab, "broker", {str(broker.number): {_RATE: None} for broker in lab.brokers})
    lagging = {layout.name for layout in made if layout.lagging}
    wait_until_all_see(lab, lambda seen: _whole(seen, lagging), "copies to catch up", within=_WITHIN)
    delete_topics(lab, [layout.name for layout in made])


def _whole(seen: Any, names: AbstractSet[str]) -> bool:
    there = [partition for name in names & seen.topics.keys() for partition in seen.topics[name].partitions.values()]
    return all(set(one.isrs) == set(one.replicas) for one in there)


def in_sync(lab: LabState) -> InSync:
    """Ask the brokers who leads and who is in sync, of every partition."""
    return {
        (topic, number): (one.leader, frozenset(one.isrs))
        for topic, numbers in partitions(lab).items()
        for number, one in numbers.items()
    }


def settle(lab: LabState, made: Sequence[Layout], gone: AbstractSet[int]) -> InSync:
    """Wait until all copies are in sync but those that lag or are gone, and nothing changes any more."""
    last: InSync = {}
    since = time.monotonic()

    def still() -> bool:
        nonlocal last, since
        if (now := in_sync(lab)) != last:
            last, since = now, time.monotonic()
        return whole(now, made, gone)[IN_SYNC] and time.monotonic() - since > _STILL

    wait_until(still, "the cluster to be still", within=_WITHIN)
    return last


def whole(now: InSync, made: Sequence[Layout], gone: AbstractSet[int]) -> Mapping[str, bool]:
    """What shows that the layouts are as they were made, but for brokers that are gone: claim → whether it holds."""
    kept, lagging = set(), set()
    for layout in made:
        for number, nodes in layout.replicas.items():
            leader, seen = now.get((layout.name, number), (-1, frozenset()))
            if not layout.lagging:
                kept.add(set(nodes) - gone <= seen or not set(nodes) - gone)
            # without the one that has all, another may be elected, and have the others in sync
            elif nodes[0] not in gone:
                lagging.add((leader, seen) == (nodes[0], {nodes[0]}))  # type: ignore[comparison-overlap]  # sets are equal
    return {IN_SYNC: kept == {True}, "copies lag": lagging == {True}}


def forget_what_was_given_up(lab: LabState, acknowledged: Records) -> None:
    """What an unclean election has cost already is no matter of the next loss; what nobody leads may come back."""
    read_back = read(lab, [*acknowledged])
    for place in missing(read_back, acknowledged):
        if (left := read_back[place]) is not None:
            acknowledged[place] &= left
