"""A lab of two sites is healed of what was broken on purpose, and of nothing else."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from confluent_kafka import Consumer, Producer

import kafka_lab as labs
from kafka_lab import LabState, mirrors
from kafka_lab.admin import settings
from kafka_lab.content import GROUP, GROUP_READS
from kafka_lab.state import known
from support.two_sites import Sites
from support.two_sites_move import state_of_the_flow, stop_the_flow

pytestmark = pytest.mark.live


def test_what_a_failover_has_stopped_stays_so_and_what_is_waited_for_comes_through_a_whole_link(
    sites: LabState,
) -> None:
    home, there = Path(sites.folder).parent, mirrors.standby_of(sites)
    labs.break_(sites.name, "slow-link", home=home)
    both = Sites(sites, there)
    stop_the_flow(both)
    labs.break_(sites.name, "lose-primary", home=home)
    try:
        assert labs.heal(sites.name, home=home) == ["lose-primary", "slow-link"]
        assert state_of_the_flow(both) == "STOPPED"
        assert mirrors.stopped(known(sites.name, home)) == [mirrors.SOURCE]
    finally:
        mirrors.restore(known(sites.name, home))
    assert state_of_the_flow(both) == "RUNNING"


@contextmanager
def clients_at_work(lab: LabState) -> Iterator[None]:
    """Somebody writes to a topic of each kind, fifty records a second, and the lab's group reads and commits."""
    over = threading.Event()

    def work() -> None:
        producer = Producer(settings(lab) | {"acks": "all"})
        consumer = Consumer(settings(lab) | {"group.id": GROUP, "auto.commit.interval.ms": 500})
        consumer.subscribe([GROUP_READS])
        while not over.is_set():
            for topic in (GROUP_READS, *mirrors.WRITTEN_PLAINLY):
                producer.produce(topic, b"of a client at work")
            producer.poll(0)
            consumer.poll(0.02)
        producer.flush(30)
        while (record := consumer.poll(5)) is not None and record.error() is None:
            pass  # to the end: so that nothing is left to be read by whoever comes next
        consumer.close()

    worker = threading.Thread(target=work)
    worker.start()
    try:
        yield
    finally:
        over.set()
        worker.join(60)


def test_with_clients_at_work_the_link_is_mended(sites: LabState) -> None:
    home, said = Path(sites.folder).parent, list[str]()
    with clients_at_work(sites):
        labs.break_(sites.name, "slow-link", home=home)
        assert labs.heal(sites.name, home=home, progress=said.append) == ["slow-link"]
    assert known(sites.name, home).faults == []
    assert said[0] == "Undoing slow-link"
    mirrors.wait_for_flow(known(sites.name, home))
    assert mirrors.to_read_again(sites) <= 0
