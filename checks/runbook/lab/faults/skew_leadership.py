"""Makes broker 1 the leader of every partition, though others are preferred: it does all the work."""

from runbook.lab.admin import partitions, preferred_leaders
from runbook.lab.replicas import Replicas, note_replicas, reassign, restore_replicas
from runbook.lab.state import LabState
from runbook.lab.waiting import wait_until

_NAME = "skew-leadership"
_NUMBER = 1


def inject(lab: LabState) -> None:
    """Prefer the broker everywhere, elect it, and put the old preference back."""
    before = note_replicas(lab, _NAME)
    reassign(lab, {key: sorted(brokers, key=lambda number: number != _NUMBER) for key, brokers in before.items()})
    preferred_leaders(lab)
    restore_replicas(lab, _NAME)
    wait_until(lambda: _leaders(lab, before) == {_NUMBER}, f"broker {_NUMBER} to lead", within=10)


def heal(lab: LabState) -> None:
    """Elect the preferred leaders."""
    restore_replicas(lab, _NAME)
    preferred_leaders(lab)


def _leaders(lab: LabState, held: Replicas) -> set[int]:
    seen = partitions(lab)
    return {seen[topic][number].leader for (topic, number), brokers in held.items() if _NUMBER in brokers}
