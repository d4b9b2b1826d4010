"""Makes broker 1 the leader of every partition, though others are preferred: it does all the work."""

from collections.abc import Mapping
from typing import Any

from kafka_lab.admin import partitions, preferred_leaders
from kafka_lab.replicas import Replicas, note_replicas, reassign, restore_replicas
from kafka_lab.state import LabState
from kafka_lab.waiting import wait_until_all_see

_NAME = "skew-leadership"
_NUMBER = 1


def inject(lab: LabState) -> None:
    """Prefer the broker everywhere, elect it, and put the old preference back."""
    before = note_replicas(lab, _NAME)
    reassign(lab, {key: sorted(brokers, key=lambda number: number != _NUMBER) for key, brokers in before.items()})
    preferred_leaders(lab)
    wait_until_all_see(lab, lambda seen: _leads(seen, before), f"broker {_NUMBER} to lead", within=10)
    restore_replicas(lab, _NAME)


def heal(lab: LabState) -> None:
    """Elect the preferred leaders."""
    restore_replicas(lab, _NAME)
    preferred_leaders(lab)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether the broker leads all it holds, where others are preferred too."""
    held = [
        partition for topic in partitions(lab).values() for partition in topic.values() if _NUMBER in partition.replicas
    ]
    return {f"broker {_NUMBER} leads every partition it holds": all(partition.leader == _NUMBER for partition in held)}


def _leads(seen: Any, held: Replicas) -> bool:
    """Whether the broker leads what it holds, as its first replica: only the change in between looks like that."""
    of_it = [seen.topics[topic].partitions[number] for (topic, number), brokers in held.items() if _NUMBER in brokers]
    return all(partition.leader == partition.replicas[0] == _NUMBER for partition in of_it)
