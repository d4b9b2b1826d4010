"""Forces a version into orders-value that old consumers can't read, with the level set aside. Needs registry."""

import json
from collections.abc import Mapping
from typing import Any

from kafka_lab import registry
from kafka_lab.state import LabState

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


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether every instance gives it as the latest version, beside one where the same field is a string."""
    latest = [_type_of_id(answer) for answer in registry.answers(lab, f"/subjects/{_SUBJECT}/versions/latest")]
    first = {_type_of_id(answer) for answer in registry.answers(lab, f"/subjects/{_SUBJECT}/versions/1")}
    return {
        f"the field id of {_SUBJECT} is a long now, and was a string": set(latest) == {"long"} and "string" in first
    }


def _type_of_id(answer: Any) -> str:
    """How the field id is typed in a version of a record."""
    return next(str(field["type"]) for field in json.loads(answer["schema"])["fields"] if field["name"] == "id")
