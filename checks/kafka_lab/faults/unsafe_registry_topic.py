"""Leaves one replica of the topic in which the Schema Registry keeps everything. Needs registry."""

from collections.abc import Mapping

from kafka_lab import registry, replicas
from kafka_lab.admin import partitions
from kafka_lab.state import LabState
from kafka_lab.waiting import wait_for_full_isr

SEEN_IN = "schema-governance"

_NAME = "unsafe-registry-topic"


def inject(lab: LabState) -> None:
    """Take the other replicas away."""
    registry.required(lab)
    noted = replicas.note_replicas(lab, _NAME, [registry.STORAGE])
    replicas.reassign(lab, {partition: brokers[:1] for partition, brokers in noted.items()})
    wait_for_full_isr(lab)


def heal(lab: LabState) -> None:
    """Give them back."""
    replicas.restore_replicas(lab, _NAME)
    wait_for_full_isr(lab)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether each of its partitions has one replica."""
    there = partitions(lab)[registry.STORAGE].values()
    return {f"{registry.STORAGE} has one replica": {len(partition.replicas) for partition in there} == {1}}
