"""Restarts the brokers with allow.everyone.if.no.acl.found=true: what has no ACL is everybody's. Needs security."""

from runbook.lab import security
from runbook.lab.state import LabState

SEEN_IN = "security"


def inject(lab: LabState) -> None:
    """Restart them, one after the other."""
    numbers = [broker.number for broker in lab.brokers]
    security.alter(lab, numbers, {"allow.everyone.if.no.acl.found": "true"})


def heal(lab: LabState) -> None:
    """Restart them as they were."""
    security.restore(lab)
