"""Allows everybody everything on all topics, by one ACL. Needs security."""

from collections.abc import Mapping

from kafka_lab import rights, rights_signs, security
from kafka_lab.state import LabState

SEEN_IN = "security"

_EVERYTHING = rights.Right("*", "topic", "*", "all")


def inject(lab: LabState) -> None:
    """Set the ACL."""
    security.required(lab)
    rights.allow(lab, [_EVERYTHING])


def heal(lab: LabState) -> None:
    """Take it back."""
    if security.PART in lab.parts:
        rights.disallow(lab, [_EVERYTHING])


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether the brokers have the ACL."""
    return {"an ACL allows everybody everything on all topics": _EVERYTHING in rights_signs.allowed(lab)}
