"""Sets the compatibility of the whole Schema Registry to NONE: it takes every change. Needs registry."""

from collections.abc import Mapping

from kafka_lab import registry
from kafka_lab.state import LabState

SEEN_IN = "schema-governance"


def inject(lab: LabState) -> None:
    """Set it."""
    registry.required(lab)
    registry.set_level(lab, "NONE")


def heal(lab: LabState) -> None:
    """Set it back."""
    if registry.PART in lab.parts:
        registry.set_level(lab, registry.LEVEL)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether every instance says that NONE holds."""
    levels = {answer["compatibilityLevel"] for answer in registry.answers(lab, "/config")}
    return {"every instance of the registry has the level NONE": levels == {"NONE"}}
