"""Brokers are lost and come back."""

from collections.abc import Set as AbstractSet

from kafka_lab import brokers
from kafka_lab.admin import preferred_leaders
from kafka_lab.configuration import controllers
from kafka_lab.processes import thaw
from kafka_lab.state import LabState
from kafka_lab.waiting import wait_for_brokers, wait_for_full_isr, wait_until_all_see

# A lost broker is fenced after broker.session.timeout.ms, 6 s; it takes 8 to 10 s where it led the controllers (32 of
# 32 times at load 7), and 18 s in ZooKeeper mode. Once, on a busy machine, 40 s were too few, for reasons not found.
_FENCED_WITHIN = 180.0


def wait_for_loss(lab: LabState, numbers: AbstractSet[int]) -> None:
    """Wait until the cluster goes on without these brokers.

    Without a majority of controllers there is nothing to wait for: the survivors can't learn of it any more.

    Raises:
        LabError: The cluster still counts on them.
    """
    if not has_majority(lab):
        return
    what = f"the cluster to go on without broker {', '.join(str(number) for number in sorted(numbers))}"
    wait_until_all_see(lab, lambda seen: not set(seen.brokers) & numbers, what, within=_FENCED_WITHIN)


def has_majority(lab: LabState) -> bool:
    """Whether more than half of the controllers run, without which nothing can change; in ZooKeeper mode always."""
    voting = controllers(lab)
    return not voting or 2 * sum(broker.condition == "alive" for broker in voting) > len(voting)


def revive(lab: LabState, numbers: AbstractSet[int]) -> None:
    """Thaw what is frozen of these brokers and start what is stopped. Does not wait until they answer."""
    for number in sorted(numbers):
        broker = lab.broker(number)
        if broker.condition == "frozen":
            thaw(broker.process)
        elif broker.condition == "stopped":
            brokers.start(lab, broker)


def bring_back(lab: LabState) -> None:
    """Bring every broker back, whoever took it away, and wait until all answer.

    Raises:
        LabError: A broker died, or it took too long.
    """
    revive(lab, {broker.number for broker in lab.brokers})
    wait_for_brokers(lab)


def make_whole(lab: LabState) -> None:
    """Wait until all replicas are in sync, and give leadership to the preferred ones.

    Raises:
        LabError: It took too long.
    """
    wait_for_full_isr(lab)
    preferred_leaders(lab)
    wait_for_full_isr(lab, preferred=True)
