"""Kills instance 2 of the Schema Registry: the other answers alone. Needs registry."""

from collections.abc import Mapping

import msgspec

from kafka_lab import registry
from kafka_lab.processes import Process, condition
from kafka_lab.signs import refuses
from kafka_lab.state import LabState

SEEN_IN = "schema-governance"

_NUMBER = 2


def inject(lab: LabState) -> None:
    """Kill it."""
    registry.required(lab)
    registry.stop_instance(lab.parts[registry.PART]["instances"][_NUMBER - 1])


def heal(lab: LabState) -> None:
    """Start it again, at the ports it had."""
    if registry.PART not in lab.parts:
        return
    instances = lab.parts[registry.PART]["instances"]
    registry.stop_instance(instances[_NUMBER - 1])  # where the fault never was, it still has them
    instances[_NUMBER - 1] = registry.start_instance(lab, instances[_NUMBER - 1]["ports"], _NUMBER)
    lab.save()
    registry.wait_for_instance(lab, instances[_NUMBER - 1], _NUMBER)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether its process has ended, and its port refuses."""
    registry.required(lab)
    instance = lab.parts[registry.PART]["instances"][_NUMBER - 1]
    process = msgspec.convert(instance["process"], Process)
    return {
        f"instance {_NUMBER} of the registry has no process": condition(process) == "stopped",
        f"the port of instance {_NUMBER} refuses": refuses(instance["ports"]["api"]),
    }
