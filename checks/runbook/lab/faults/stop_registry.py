"""Kills instance 2 of the Schema Registry: the other answers alone. Needs registry."""

from runbook.lab import registry
from runbook.lab.state import LabState

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
