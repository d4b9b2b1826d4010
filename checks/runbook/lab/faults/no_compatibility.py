"""Sets the compatibility of the whole Schema Registry to NONE: it takes every change. Needs registry."""

from runbook.lab import registry
from runbook.lab.state import LabState

SEEN_IN = "schema-governance"


def inject(lab: LabState) -> None:
    """Set it."""
    registry.required(lab)
    registry.set_level(lab, "NONE")


def heal(lab: LabState) -> None:
    """Set it back."""
    if registry.PART in lab.parts:
        registry.set_level(lab, registry.LEVEL)
