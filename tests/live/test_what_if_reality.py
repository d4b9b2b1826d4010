"""What is foretold of a loss is what then happens, partition by partition: to writes, reads and acknowledged records.

Generated layouts stand side by side as topics of one cluster. Each of its brokers, and a rack of two, is lost in turn,
with all in order and with a broker gone before; before each loss it is looked at, afterwards everything is tried.
"""

import logging
import time
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

import pytest
from confluent_kafka import Consumer, KafkaError, Producer, TopicPartition

from runbook import lab as labs
from runbook.connections import kafka
from runbook.engine.fact import Fact, Observed, tabulate
from runbook.engine.probe import Clock
from runbook.lab import LabState
from runbook.lab.admin import change_settings, kafka_python, partitions, settings
from runbook.lab.content import write_ballast
from runbook.lab.parts import stretched
from runbook.lab.processes import terminate
from runbook.lab.recovery import revive, wait_for_loss
from runbook.lab.replicas import reassign
from runbook.lab.waiting import wait_for_brokers, wait_until, wait_until_all_see
from runbook.probes import kafka_broker, kafka_partition
from runbook.views import broker_loss

pytestmark = [pytest.mark.live, pytest.mark.timeout(900)]

RACKS = ("rack-a", "rack-b", "rack-c", "rack-c")  # brokers 1, 2 and 3 are the controllers: any rack may go
LAYOUTS = 24
LAGGING = 5
PARTITIONS = 2
BALLAST = 24 << 20  # bytes; a copy that is throttled gets a fetch of 1 MiB each time its broker starts, and no more
_TRIED = 8000  # ms that a write may take: it is refused, or has nobody to go to, for all of it
_SHARES = 6  # producers: a broker answers what comes over one connection in turn, and writes wait for followers
_STILL = 2.0  # seconds without change before a look: by then the followers have heard what is acknowledged

LOSSES: list[tuple[set[int], set[int]]] = [
    (set(), {1}),
    (set(), {2}),
    (set(), {3}),
    (set(), {4}),
    (set(), {3, 4}),
    ({4}, {1}),
    ({4}, {2}),
]
"""What is gone before the look, and what is lost after it."""

Place = tuple[str, int]


class Layout(NamedTuple):
    """A topic: where the copies of each partition are, and what it asks for."""

    name: str
    replicas: dict[int, list[int]]
    min_isr: int
    unclean: bool
    lagging: bool


class Fate(NamedTuple):
    """What a loss does to a partition."""

    refuses_all: bool
    refuses_one: bool
    unreadable: bool
    records_missing: bool


EVERY_KIND = {
    Fate(refuses_all=False, refuses_one=False, unreadable=False, records_missing=False),
    Fate(refuses_all=True, refuses_one=False, unreadable=False, records_missing=False),
    Fate(refuses_all=True, refuses_one=True, unreadable=True, records_missing=True),
    Fate(refuses_all=False, refuses_one=False, unreadable=False, records_missing=True),
}
"""All goes on; writes that want several copies are refused; all is lost; an election gives records up."""


def layouts() -> list[Layout]:
    """The same ones each time: every replication factor, from the strictest to the laxest."""
    random = Random(8)
    made = []
    for number in range(LAYOUTS):
        lagging = number < LAGGING
        factor = random.randint(2, 4) if lagging else number % 4 + 1
        replicas = {one: random.sample(range(1, 5), factor) for one in range(PARTITIONS)}
        min_isr = 1 if lagging else random.randint(1, factor + (factor < 3))
        unclean = number % 2 == 0 if lagging else random.random() < 0.3
        made.append(Layout(f"layout-{number:02}", replicas, min_isr, unclean, lagging))
    return made


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabState]:
    """Four brokers in three racks, with the layouts as topics, some of which have copies that lag for good."""
    home = tmp_path_factory.mktemp("reality")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stretched, "RACKS", RACKS)
        try:
            lab = labs.up("reality", home=home, progress=logging.getLogger("lab").info, with_parts=["stretched"])
            _create(lab, layouts())
            yield lab
        finally:
            labs.down("reality", home=home)


def _create(lab: LabState, made: Sequence[Layout]) -> None:
    from kafka.admin import NewTopic

    topics = [
        NewTopic(
            one.name,
            replica_assignments=one.replicas,
            topic_configs={
                "min.insync.replicas": str(one.min_isr),
                "unclean.leader.election.enable": str(one.unclean).lower(),
            },
        )
        for one in made
    ]
    with kafka_python(lab) as admin:
        admin.create_topics(topics)
    names = {one.name for one in made}
    wait_until_all_see(lab, lambda seen: names <= set(seen.topics), "the layouts", within=60)
    lagging = [one for one in made if one.lagging]
    reassign(lab, {(one.name, number): nodes[:1] for one in lagging for number, nodes in one.replicas.items()})
    wait_until_all_see(
        lab,
        lambda seen: all(
            len(partition.replicas) == 1 for one in lagging for partition in seen.topics[one.name].partitions.values()
        ),
        "copies to go",
        within=60,
    )
    for one in lagging:
        write_ballast(lab, one.name, [*one.replicas], BALLAST)
    change_settings(lab, "topic", {one.name: {"follower.replication.throttled.replicas": "*"} for one in lagging})
    change_settings(
        lab, "broker", {str(one.number): {"follower.replication.throttled.rate": "1"} for one in lab.brokers}
    )
    reassign(lab, {(one.name, number): nodes for one in lagging for number, nodes in one.replicas.items()})


def test_what_is_foretold_of_every_loss_is_what_then_happens(cluster: LabState):
    made = {one.name: one for one in layouts()}
    places = [(one.name, number) for one in made.values() for number in one.replicas]
    acknowledged: dict[Place, set[str]] = {place: set() for place in places}
    seen: set[Fate] = set()
    _settle(cluster, made, set())
    for before, lost in LOSSES:
        if before:
            _kill(cluster, before)
            _settle(cluster, made, before)
        _write(cluster, places, acknowledged)
        _settle(cluster, made, before)
        foretold = _foretold(cluster, lost)
        _kill(cluster, lost)
        happened = _tried(cluster, places, acknowledged)
        now = partitions(cluster)
        wrong = [
            f"{one} of {made[one[0]]}: {foretold[one]} was foretold, {happened[one]} happened; "
            f"led by {now[one[0]][one[1]].leader}, in sync {now[one[0]][one[1]].isrs}"
            for one in places
            if foretold[one] != happened[one]
        ]
        assert wrong == [], f"lost {lost} with {before} gone before"
        seen |= set(happened.values())
        revive(cluster, lost | before)
        wait_for_brokers(cluster, within=120)
        _settle(cluster, made, set())
        _let_catch_up(cluster, made)
        _forget_what_was_given_up(cluster, made, happened, acknowledged)
    assert seen >= EVERY_KIND


def _let_catch_up(lab: LabState, made: dict[str, Layout]) -> None:
    """Take the throttle from topics of which a copy is in sync again: it would hold up writes that wait for it."""
    now = partitions(lab)
    again = [one.name for one in made.values() if one.lagging and any(len(p.isrs) > 1 for p in now[one.name].values())]
    if again:
        change_settings(lab, "topic", {name: {"follower.replication.throttled.replicas": None} for name in again})
        _settle(lab, made, set())


def _forget_what_was_given_up(
    lab: LabState, made: dict[str, Layout], happened: dict[Place, Fate], acknowledged: dict[Place, set[str]]
) -> None:
    """All is there again but what was at risk, and was given up where a topic may elect whoever is left."""
    told = _read(lab, acknowledged)
    missing = _missing(told, acknowledged)
    assert missing <= {one for one, fate in happened.items() if fate.records_missing and made[one[0]].unclean}
    for one in missing:
        acknowledged[one] &= told[one] or set()


def _kill(lab: LabState, numbers: set[int]) -> None:
    for number in numbers:
        terminate(lab.broker(number).process, patience=0)
    wait_for_loss(lab, numbers)


def _settle(lab: LabState, made: dict[str, Layout], gone: set[int]) -> None:
    """Wait until all copies are in sync but those that lag or are gone, and nothing changes any more."""
    last: dict[Place, tuple[int, frozenset[int]]] = {}
    since = time.monotonic()

    def still() -> bool:
        nonlocal last, since
        now = {
            (topic, number): (one.leader, frozenset(one.isrs))
            for topic, numbers in partitions(lab).items()
            for number, one in numbers.items()
        }
        if now != last:
            last, since = now, time.monotonic()
        whole = all(
            set(nodes) - gone <= now[one.name, number][1] or not set(nodes) - gone
            for one in made.values()
            for number, nodes in one.replicas.items()
            if not one.lagging
        )
        return whole and time.monotonic() - since > _STILL

    wait_until(still, "the cluster to be still", within=120)


def _foretold(lab: LabState, lost: set[int]) -> dict[Place, Fate]:
    """What the view says of each partition by itself."""
    connection = kafka.connect({"bootstrap.servers": lab.bootstrap}, Clock(60))
    try:
        partition = tabulate("p", kafka_partition.PROBE.columns, kafka_partition.observe(connection, internal=False))
        broker = tabulate("b", kafka_broker.PROBE.columns, kafka_broker.observe(connection))
    finally:
        connection.close()
    assert partition.complete
    return {(row["topic"], row["partition"]): _of_one(row, broker, lost) for row in partition.rows()}


def _of_one(row: dict[str, Any], broker: Fact, lost: set[int]) -> Fate:
    one = tabulate("p", kafka_partition.PROBE.columns, Observed(rows=[tuple(row.values())]))
    computed = broker_loss.compute(one, broker, racks=True)
    assert computed.gaps == []
    names = [column.name for column in broker_loss.VIEW.columns]
    told = [dict(zip(names, cells, strict=True)) for cells in computed.rows]
    found = next(scenario for scenario in told if set(scenario["brokers"]) == lost)
    offline = bool(found["offline"])
    return Fate(
        refuses_all=bool(found["refusing_writes"]),
        refuses_one=offline,
        unreadable=offline,
        records_missing=bool(found["at_risk"]),
    )


def _tried(lab: LabState, places: Sequence[Place], acknowledged: dict[Place, set[str]]) -> dict[Place, Fate]:
    """What happens when each partition is read from, and written to in both ways."""
    told = _read(lab, acknowledged)
    missing = _missing(told, acknowledged)
    took = _write(lab, places, acknowledged)
    shown = {one for one, values in _read(lab, acknowledged).items() if values and took["1"].get(one) in values}
    # As ha.md has it: what is taken with acks=1 while too few copies are in sync is not shown to consumers.
    assert shown == {*took["1"]} & {*took["all"]}
    return {
        one: Fate(
            refuses_all=one not in took["all"],
            refuses_one=one not in took["1"],
            unreadable=told[one] is None,
            records_missing=one in missing,
        )
        for one in places
    }


def _write(lab: LabState, places: Sequence[Place], acknowledged: dict[Place, set[str]]) -> dict[str, dict[Place, str]]:
    """Write two records to each partition, with acks=all and acks=1; of either, which partitions took which."""
    took: dict[str, dict[Place, str]] = {"all": {}, "1": {}}

    def delivered(error: KafkaError | None, message: Any) -> None:
        if error is None:
            place, value = (message.topic(), message.partition()), message.value().decode()
            acks = value.partition(" ")[0]
            took[acks][place] = value
            if acks == "all":
                acknowledged[place].add(value)

    own = {"message.timeout.ms": _TRIED, "linger.ms": 0}
    producers = {acks: [Producer(settings(lab) | own | {"acks": acks}) for _ in range(_SHARES)] for acks in took}
    for place, (topic, number) in enumerate(places):
        for acks, shares in producers.items():
            value = f"{acks} {time.monotonic_ns()}".encode()
            shares[place % _SHARES].produce(topic, value, partition=number, on_delivery=delivered)
    assert {one.flush(60) for shares in producers.values() for one in shares} == {0}
    return took


def _read(lab: LabState, acknowledged: dict[Place, set[str]]) -> dict[Place, set[str] | None]:
    """All records of each partition that consumers may see; None where it has no leader.

    That ends at the high watermark, which is not asked for: a leader that has records above it, from writes with
    acks=1 while too few copies were in sync, does not tell it until there are enough (OFFSET_NOT_AVAILABLE).
    """
    own = {"group.id": "nobody", "enable.auto.commit": False, "enable.partition.eof": True}
    consumer = Consumer(settings(lab) | own)
    try:
        seen = consumer.list_topics(timeout=20).topics
        led = {place for place in acknowledged if seen[place[0]].partitions[place[1]].leader >= 0}
        told: dict[Place, set[str] | None] = {place: set() if place in led else None for place in acknowledged}
        consumer.assign([TopicPartition(*place, 0) for place in led])
        deadline = time.monotonic() + 60
        while led:
            assert time.monotonic() < deadline, f"{led} have a leader, and can't be read to the end"
            record = consumer.poll(1)
            if record is None:
                continue
            place = (record.topic(), record.partition())
            if (error := record.error()) is not None:
                if error.code() == KafkaError._PARTITION_EOF:  # that is its public name
                    led.discard(place)
            elif len(record.value()) < 100:
                values = told[place]
                assert values is not None
                values.add(record.value().decode())
    finally:
        consumer.close()
    return told


def _missing(told: dict[Place, set[str] | None], acknowledged: dict[Place, set[str]]) -> set[Place]:
    return {place for place, values in acknowledged.items() if values - (told[place] or set())}
