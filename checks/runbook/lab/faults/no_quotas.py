"""Takes the quotas of all users away. Needs security."""

from runbook.lab import rights, security
from runbook.lab.parts.security import QUOTAS
from runbook.lab.state import LabState

SEEN_IN = "security"


def inject(lab: LabState) -> None:
    """Take them away."""
    security.required(lab)
    rights.remove_default_quotas(lab, QUOTAS)


def heal(lab: LabState) -> None:
    """Set them again."""
    if security.PART in lab.parts:
        rights.set_default_quotas(lab, QUOTAS)
