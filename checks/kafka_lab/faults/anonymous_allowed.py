"""Restarts the brokers with allow.everyone.if.no.acl.found=true: what has no ACL is everybody's. Needs security."""

from collections.abc import Mapping

from kafka_lab import rights_signs, security
from kafka_lab.state import LabState

SEEN_IN = "security"


def inject(lab: LabState) -> None:
    """Restart them, one after the other."""
    numbers = [broker.number for broker in lab.brokers]
    security.alter(lab, numbers, {"allow.everyone.if.no.acl.found": "true"})


def heal(lab: LabState) -> None:
    """Restart them as they were."""
    security.restore(lab)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether each broker's authorizer says that it allows what no ACL speaks of."""
    said = {broker.number: rights_signs.authorizer_of(lab, broker.number)[1] for broker in lab.brokers}
    return {f"broker {number} allows what has no ACL": word == "ALLOWED" for number, word in said.items()}
