"""Which brokers hold a partition: faults move replicas, and put back what they noted before."""

from collections.abc import Iterable, Mapping
from typing import Any

from kafka_lab.admin import kafka_python, partitions
from kafka_lab.errors import LabError
from kafka_lab.state import LabState
from kafka_lab.waiting import wait_until_all_see

Replicas = dict[tuple[str, int], list[int]]
"""By topic and partition number: the brokers that hold it, the preferred leader first."""


def note_replicas(lab: LabState, fault: str, topics: Iterable[str] | None = None) -> Replicas:
    """Write down, in the lab's state, where the replicas of these topics (or of all) are, before a fault moves them."""
    there = partitions(lab)
    chosen = sorted(there if topics is None else topics)
    lab.replicas[fault] = {
        topic: [list(there[topic][number].replicas) for number in sorted(there[topic])] for topic in chosen
    }
    lab.save()
    return _noted(lab, fault)


def restore_replicas(lab: LabState, fault: str) -> None:
    """Put the replicas back to where they were noted. Waits until they are assigned, not until they hold the data.

    Raises:
        LabError: The cluster refused.
    """
    there = partitions(lab)
    noted = {key: brokers for key, brokers in _noted(lab, fault).items() if key[0] in there}
    reassign(lab, noted)
    wait_until_all_see(lab, lambda seen: _assigned(seen, noted), "the replicas to be put back", within=10)


def reassign(lab: LabState, replicas: Mapping[tuple[str, int], list[int]]) -> None:
    """Ask for other replicas of partitions. Does not wait until they hold the data.

    Raises:
        LabError: The cluster refused.
    """
    from kafka import TopicPartition

    wanted = {TopicPartition(topic, number): brokers for (topic, number), brokers in replicas.items()}
    with kafka_python(lab) as admin:
        answers = admin.alter_partition_reassignments(wanted)
    refused = [error for error in answers.values() if error]
    if refused:
        raise LabError(f"Lab {lab.name} refused to reassign partitions: {refused[0].__name__}")


def _noted(lab: LabState, fault: str) -> Replicas:
    return {
        (topic, number): brokers
        for topic, by_number in lab.replicas.get(fault, {}).items()
        for number, brokers in enumerate(by_number)
    }


def _assigned(seen: Any, wanted: Replicas) -> bool:
    there = seen.topics
    return all(there[topic].partitions[number].replicas == brokers for (topic, number), brokers in wanted.items())
