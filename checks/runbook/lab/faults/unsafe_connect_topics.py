"""Creates the internal topics of a second Connect cluster by hand: one replica each, offsets not compacted."""

from runbook.lab.content import create_topics, delete_topics
from runbook.lab.state import LabState

SEEN_IN = "error-handling"

_TOPICS = {
    "old-connect-configs": (3, 1, {"cleanup.policy": "compact"}),
    "old-connect-offsets": (25, 1, {"cleanup.policy": "delete"}),
    "old-connect-status": (5, 1, {"cleanup.policy": "compact"}),
}


def inject(lab: LabState) -> None:
    """Create the topics."""
    create_topics(lab, _TOPICS)


def heal(lab: LabState) -> None:
    """Delete the topics."""
    delete_topics(lab, _TOPICS)
