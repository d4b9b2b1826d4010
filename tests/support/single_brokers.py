"""Clusters of one broker beside a lab, each a cluster of its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kafka_lab import LabState, processes
from kafka_lab.brokers import format_all, start
from kafka_lab.configuration import new_id, planned
from kafka_lab.waiting import wait_for_brokers

_WITHIN = 240.0


@contextmanager
def single(lab: LabState, name: str) -> Iterator[LabState]:
    """A cluster of one broker, empty, of the lab's Kafka and in its folder; gone at the end."""
    other = LabState(
        name=name,
        folder=str(Path(lab.folder, name)),
        cluster_id=new_id(),
        kafka=lab.kafka,
        jars=lab.jars,
        brokers=planned(1),
    )
    format_all(other)
    try:
        start(other, other.brokers[0])
        wait_for_brokers(other, within=_WITHIN)
        yield other
    finally:
        processes.terminate(other.brokers[0].process, patience=0)
        other.forget()
