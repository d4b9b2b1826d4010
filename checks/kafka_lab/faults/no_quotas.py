"""Takes the quotas of all users away. Needs security."""

from collections.abc import Mapping

from kafka_lab import rights, rights_signs, security
from kafka_lab.parts.security import QUOTAS
from kafka_lab.state import LabState

SEEN_IN = "security"


def inject(lab: LabState) -> None:
    """Take them away."""
    security.required(lab)
    rights.remove_default_quotas(lab, QUOTAS)


def heal(lab: LabState) -> None:
    """Set them again."""
    if security.PART in lab.parts:
        rights.set_default_quotas(lab, QUOTAS)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether the brokers have none of them."""
    there = rights_signs.default_quotas(lab)
    return {f"users without limits of their own have no {name}": name not in there for name in QUOTAS}
