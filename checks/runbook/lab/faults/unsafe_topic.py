"""Creates three bad topics: audit (one replica), invoices (min ISR = RF), sessions (min ISR 1, unclean elections)."""

from runbook.lab.content import create_topics, delete_topics
from runbook.lab.state import LabState

_TOPICS = {
    "audit": (3, 1, {"min.insync.replicas": "1"}),
    "invoices": (3, 3, {"min.insync.replicas": "3"}),
    "sessions": (3, 3, {"min.insync.replicas": "1", "unclean.leader.election.enable": "true"}),
}


def inject(lab: LabState) -> None:
    """Create the topics."""
    create_topics(lab, _TOPICS)


def heal(lab: LabState) -> None:
    """Delete the topics."""
    delete_topics(lab, _TOPICS)
