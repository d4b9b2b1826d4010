"""The third copy of the numbered records: the hand of ha#raise-or-move-replicas that writes it into a plan."""

import json
from collections.abc import Sequence
from pathlib import Path

from kafka_lab import LabState
from kafka_lab.admin import partitions
from support.careful_walker import Hand
from support.numbered_records import TOPIC


def adds_a_copy(lab: LabState, plan: Path) -> Hand:
    """Edit a plan: each partition on every broker, and the present leader first."""

    def acts(_: Sequence[str]) -> None:
        reassignment = json.loads(plan.read_text("utf-8"))
        for partition in reassignment["partitions"]:
            partition.pop("log_dirs", None)
            leader = partitions(lab)[TOPIC][partition["partition"]].leader
            partition["replicas"] = [leader, *({broker.number for broker in lab.brokers} - {leader})]
        plan.write_text(json.dumps(reassignment), "utf-8")

    return acts
