"""Sets the Schema Registry to READONLY: no new schema can be registered. Needs registry."""

from collections.abc import Mapping

from kafka_lab import registry
from kafka_lab.state import LabState

SEEN_IN = "schema-governance"


def inject(lab: LabState) -> None:
    """Set the mode."""
    registry.required(lab)
    registry.set_mode(lab, "READONLY")


def heal(lab: LabState) -> None:
    """Set it back."""
    if registry.PART in lab.parts:
        registry.set_mode(lab, "READWRITE")


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether every instance says that it is in this mode."""
    modes = {answer["mode"] for answer in registry.answers(lab, "/mode")}
    return {"every instance of the registry is in mode READONLY": modes == {"READONLY"}}
