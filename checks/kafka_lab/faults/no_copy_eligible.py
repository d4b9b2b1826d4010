"""Cuts topic payments to its copies on broker 3 and kills that broker, which comes back: none of them may lead."""

from collections.abc import Mapping
from typing import Any, Final

from kafka_lab.admin import kafka_python, partitions
from kafka_lab.processes import terminate
from kafka_lab.recovery import revive, wait_for_loss
from kafka_lab.replicas import note_replicas, reassign, restore_replicas
from kafka_lab.state import LabState
from kafka_lab.waiting import wait_for_brokers, wait_until_all_see

_NAME: Final = "no-copy-eligible"
_TOPIC: Final = "payments"
_NUMBER: Final = 3
_UNCLEAN: Final = 1  # of ElectLeaders: 0 is preferred
_WITHIN: Final = 180.0


def inject(lab: LabState) -> None:
    """Take the other copies away, end its broker without order, and start it again.

    What two replicas in sync had left stays eligible to lead, copy or not; who ended without order no longer is.
    """
    note_replicas(lab, _NAME, [_TOPIC])
    reassign(lab, {(_TOPIC, number): [_NUMBER] for number in partitions(lab)[_TOPIC]})
    wait_until_all_see(lab, lambda seen: _all(seen.topics[_TOPIC].partitions, _NUMBER), "copies to go", within=_WITHIN)
    terminate(lab.broker(_NUMBER).process, patience=0)
    wait_for_loss(lab, {_NUMBER})
    revive(lab, {_NUMBER})
    wait_for_brokers(lab)


def heal(lab: LabState) -> None:
    """Have broker 3 elected all the same, and give the partitions their other copies again."""
    if leaderless := [number for number, one in partitions(lab)[_TOPIC].items() if one.leader < 0]:
        with kafka_python(lab) as admin:
            admin.elect_leaders(_UNCLEAN, {_TOPIC: leaderless})
    wait_until_all_see(lab, lambda seen: _all(seen.topics[_TOPIC].partitions), "leaders", within=_WITHIN)
    if lab.replicas.get(_NAME):
        restore_replicas(lab, _NAME)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether its one copy is on a broker that serves, and no partition has a leader."""
    found = partitions(lab)[_TOPIC].values()
    return {
        f"each partition of {_TOPIC} has its one copy on broker {_NUMBER}": all(
            one.replicas == [_NUMBER] for one in found
        ),
        f"no partition of {_TOPIC} has a leader": all(one.leader < 0 for one in found),
    }


def _all(there: Mapping[int, Any], only: int | None = None) -> bool:
    """Whether all have a leader; and, where one is named, their one replica there."""
    return all(one.leader >= 0 and (only is None or one.replicas == [only]) for one in there.values())
