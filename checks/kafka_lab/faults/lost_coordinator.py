"""Stops the broker that alone holds a group's partition of __consumer_offsets: it has no coordinator (groups)."""

from collections.abc import Mapping
from typing import Final

from kafka_lab.admin import partitions
from kafka_lab.parts import groups
from kafka_lab.processes import terminate
from kafka_lab.recovery import revive, wait_for_loss
from kafka_lab.replicas import note_replicas, reassign, restore_replicas
from kafka_lab.signs import losses
from kafka_lab.state import LabState
from kafka_lab.waiting import wait_for_brokers, wait_until

SEEN_IN = "consumers"
_NAME: Final = "lost-coordinator"
_OFFSETS: Final = "__consumer_offsets"
_NUMBER: Final = 3
_WITHIN: Final = 180.0


def inject(lab: LabState) -> None:
    """Leave the partition one replica, as a topic made with one has, and stop its broker."""
    groups.require(lab)
    note_replicas(lab, _NAME, [_OFFSETS])
    place = _place(lab)
    reassign(lab, {(_OFFSETS, place): [_NUMBER]})
    wait_until(
        lambda: partitions(lab)[_OFFSETS][place].replicas == [_NUMBER], "the other replicas to go", within=_WITHIN
    )
    terminate(lab.broker(_NUMBER).process, patience=8)
    wait_for_loss(lab, {_NUMBER})


def heal(lab: LabState) -> None:
    """Start the broker, and give the partition its replicas again."""
    revive(lab, {_NUMBER})
    wait_for_brokers(lab)
    if lab.replicas.get(_NAME):
        restore_replicas(lab, _NAME)
    groups.anew(lab)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether the broker is lost, and the group's partition has no leader."""
    leader = partitions(lab)[_OFFSETS][_place(lab)].leader
    return {**losses(lab, {_NUMBER}), f"the partition of {groups.ARCHIVE} in {_OFFSETS} has no leader": leader < 0}


def _place(lab: LabState) -> int:
    """The partition of __consumer_offsets that the archive's group is kept in, as Kafka works it out."""
    code = 0
    for letter in groups.ARCHIVE:
        code = (31 * code + ord(letter)) & 0xFFFFFFFF
    signed = code - (1 << 32) if code >> 31 else code
    return abs(signed) % len(partitions(lab)[_OFFSETS])
