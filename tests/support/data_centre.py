"""What is left of a lab that lost a data centre: brokers with a process, partitions that lead and take writes."""

from typing import Any

from kafka_lab import LabState
from kafka_lab.admin import partitions
from support.losses_tried import Place, Records, write

INTERNAL = "__"
"""What Kafka's own topics begin with: nobody else writes to them."""


def what_is_left(lab: LabState) -> dict[str, Any]:
    """Ask, and write to every partition with acks=all.

    Kafka's own topics can't be written to by others: of these it is told who leads and who is in sync.
    """
    there = partitions(lab)
    places: list[Place] = [(topic, number) for topic, numbers in sorted(there.items()) for number in sorted(numbers)]
    tried = [place for place in places if not place[0].startswith(INTERNAL)]
    safe: Records = {}
    took = write(lab, tried, safe)["all"]
    return {
        "brokers without a process": [broker.number for broker in lab.brokers if broker.condition == "stopped"],
        "refusing": sorted(f"{topic}/{number}" for topic, number in tried if (topic, number) not in took),
        "offline": sorted(f"{topic}/{number}" for topic, number in places if there[topic][number].leader < 0),
        "in sync": {f"{topic}/{number}": sorted(there[topic][number].isrs) for topic, number in places},
    }
