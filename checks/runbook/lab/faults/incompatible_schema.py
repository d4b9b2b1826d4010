"""Forces a version into orders-value that old consumers can't read, with the level set aside. Needs registry."""

import json

from runbook.lab import registry
from runbook.lab.state import LabState

SEEN_IN = "schema-governance"

_SUBJECT = "orders-value"
_FIELDS = [{"name": "id", "type": "long", "doc": "The order's number."}]  # a string before, and no default
_SCHEMA = json.dumps({"type": "record", "name": "Order", "namespace": "shop", "doc": "An order.", "fields": _FIELDS})


def inject(lab: LabState) -> None:
    """Register it, and set the level again as if nothing had been."""
    registry.required(lab)
    registry.set_level(lab, "NONE", _SUBJECT)
    registry.register(lab, _SUBJECT, _SCHEMA)
    registry.set_level(lab, registry.LEVEL, _SUBJECT)


def heal(lab: LabState) -> None:
    """Delete that version."""
    if registry.PART in lab.parts:
        registry.delete_version(lab, _SUBJECT, "latest")
